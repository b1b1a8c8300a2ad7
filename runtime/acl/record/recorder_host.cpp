// SPDX-License-Identifier: Apache-2.0
// What host threads do, as ops of their own lanes.
#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "device_sim/streams/signal.h"
#include "runtime/acl/core/event.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/record/record_thread.h"
#include "runtime/acl/record/recorder.h"
#include "runtime/trace/json_text.h"

namespace acl {

using sim::Nanoseconds;
using trace_output::kNotYet;

void Recorder::call_begins() {
  RecordThread& recorded = record_thread();
  recorded.lines = 0;
  recorded.told = false;
  recorded.call_time = runtime_.driver().now_ns();
}

/// `open`: it ends with the call, or with the thread's next op.
std::uint64_t Recorder::add_host(const char* op, const std::string& members, bool open) {
  RecordThread& recorded = record_thread();
  const Nanoseconds now = runtime_.driver().now_ns();
  if (const std::uint64_t before = std::exchange(recorded.open, 0)) {
    lines_.end(before, recorded.open_since, now - recorded.open_since);
  }
  ++recorded.lines;
  trace_output::OpLine line{.text = fmt::format(R"("op":"{}","h":{},"iss":{}{})", op, host(),
                                                recorded.call_time, members),
                            .late = {},
                            .site = call_site_of(thread_state()),
                            .start = now,
                            .duration = open ? kNotYet : 0,
                            .over = !open};
  const std::uint64_t number = lines_.add(std::move(line));
  if (open) {
    recorded.open = number;
    recorded.open_since = now;
  }
  return number;
}

void Recorder::api_call(const char* name, Nanoseconds start, Nanoseconds end) noexcept {
  report([&] {
    RecordThread& recorded = record_thread();
    if (const std::uint64_t open = std::exchange(recorded.open, 0)) {
      lines_.end(open, recorded.open_since, end - recorded.open_since);
    }
    if (recorded.lines != 0) return;  // what it did says all
    recorded.lines = 1;
    lines_.add({.text = fmt::format(R"("op":"api","h":{},"n":{})", host(),
                                    trace_output::json_string(name)),
                .late = {},
                .site = call_site_of(thread_state()),
                .start = start,
                .duration = end - start,
                .over = true});
  });
}

void Recorder::host_copied(std::span<const sim::MemoryRange> ranges) {
  report([&] {
    std::size_t bytes = 0;
    for (const sim::MemoryRange& range : ranges) bytes += range.written ? range.size : 0;
    std::string members;
    append_copy(members, ranges, bytes);
    add_host("memcpy", members + R"(,"sync":true)", true);
  });
}

void Recorder::host_filled(const sim::MemoryRange& range) {
  report([&] {
    std::string members = fmt::format(R"(,"bytes":{})", range.size);
    append_ranges(members, {&range, 1});
    add_host("memset", members, true);
  });
}

void Recorder::host_accessed(const sim::MemoryRange& range) {
  report([&] {
    std::string members = R"(,"n":)" + trace_output::json_string(thread_state().call);
    append_ranges(members, {&range, 1});
    add_host("api", members, true);
  });
}

void Recorder::memory_touched(const sim::MemoryRange& byte, std::uint64_t site) {
  report([&] {
    std::string members = fmt::format(R"("op":"api","h":{},"n":"the host")", host());
    append_ranges(members, {&byte, 1});
    const Nanoseconds now = runtime_.driver().now_ns();
    lines_.add({.text = std::move(members),
                .late = {},
                .site = site,
                .start = now,
                .duration = 0,
                .over = true});
  });
}

void Recorder::allocated(const void* begin, std::size_t size, int device) {
  report([&] {
    const std::uint64_t buffer = buffers_.start(begin, size, device);
    add_host("alloc", fmt::format(R"(,"buf":{},"size":{})", buffer, size), true);
  });
}

void Recorder::freeing(const void* begin, std::size_t, watch::Freed what) {
  if (what == watch::Freed::registered_host || what == watch::Freed::imported) return;
  report([&] {
    const RecordedBuffers::Piece gone = buffers_.end(begin);
    if (gone.size == 0) return;
    add_host("free", fmt::format(R"(,"buf":{},"size":{})", gone.buffer, gone.size), true);
  });
}

void Recorder::released(const void* object) {
  report([&] { releases_[object] = add_host("mark", R"(,"text":"aclsimCheckRelease")"); });
}

void Recorder::acquired(const void* object) {
  report([&] {
    std::string members = R"(,"text":"aclsimCheckAcquire")";
    if (const auto release = releases_.find(object); release != releases_.end()) {
      members += fmt::format(R"(,"dep":[{}])", release->second);
    }
    add_host("mark", members);
  });
}

// ---- the host asks and waits ----

void Recorder::stream_queried(Stream& stream, bool complete) {
  report([&] {
    const Lane& at = lane(stream.core(), stream.is_default());
    std::string members = fmt::format(R"(,"what":"stream","id":{})", stream.id());
    if (at.last != 0) members += fmt::format(R"(,"upto":{})", at.last);
    add_host("hquery", members + (complete ? R"(,"saw":true)" : R"(,"saw":false)"), true);
  });
}

std::string Recorder::event_text(const watch::EventRecord& record) {
  const auto flag = flags_.find(record.signal->id());
  const std::uint64_t generation = flag != flags_.end() ? flag->second.generation : record.number;
  return fmt::format(R"(,"what":"event","id":{},"gen":{})", record.event->number(), generation);
}

void Recorder::synchronized_with_nothing(const Event& event) {
  report([&] {
    add_host("hsync", fmt::format(R"(,"what":"event","id":{},"gen":0)", event.number()), true);
  });
}

void Recorder::event_queried(const watch::EventRecord& record, bool complete) {
  if (!record.signal) return;
  report([&] {
    add_host("hquery", event_text(record) + (complete ? R"(,"saw":true)" : R"(,"saw":false)"),
             true);
  });
}

// A call that ends streams says so by its name: it is no synchronisation that could be left out.
std::uint64_t Recorder::begin_wait(const Stream& stream, bool ends) {
  std::uint64_t number = 0;
  report([&] {
    const Lane& at = lane(stream.core(), stream.is_default());
    std::string members = fmt::format(R"(,"what":"stream","id":{})", stream.id());
    if (at.last != 0) members += fmt::format(R"(,"upto":{})", at.last);
    if (ends) members += R"(,"n":)" + trace_output::json_string(thread_state().call);
    number = add_host("hsync", members, true);
  });
  record_thread().open = 0;  // wait_ended() ends it
  return number;
}

std::uint64_t Recorder::begin_wait(const watch::EventRecord& record) {
  std::uint64_t number = 0;
  report([&] { number = add_host("hsync", event_text(record), true); });
  record_thread().open = 0;
  return number;
}

std::uint64_t Recorder::begin_wait(int device) {
  std::uint64_t number = 0;
  report([&] {
    number = add_host("hsync", fmt::format(R"(,"what":"device","id":{})", device_of(device)), true);
  });
  record_thread().open = 0;
  return number;
}

bool Recorder::wait_begins(const watch::Wait& wait, watch::WaitState& state) {
  std::uint64_t number = 0;
  switch (wait.what) {
    case watch::Wait::For::stream:
      number = begin_wait(*wait.stream, false);
      break;
    case watch::Wait::For::stream_end:
      number = begin_wait(*wait.stream, true);
      break;
    case watch::Wait::For::stream_of_many:
      break;
    case watch::Wait::For::event:
      if (wait.record->signal) number = begin_wait(*wait.record);
      break;
    case watch::Wait::For::device:
      number = begin_wait(wait.device);
      break;
    case watch::Wait::For::callbacks:
      return false;
  }
  state.make<std::uint64_t>() = number;
  return number != 0;
}

void Recorder::wait_ended(const watch::Wait&, const watch::WaitState& state, bool reached) {
  const auto number = state.as<std::uint64_t>();
  report([&] {
    constexpr std::string_view kSync = R"("op":"hsync")";
    const Nanoseconds now = runtime_.driver().now_ns();
    trace_output::OpLine* const line = lines_.find(number);
    const Nanoseconds start = line ? line->start : record_thread().open_since;
    if (line && !reached) line->text.replace(0, kSync.size(), R"("op":"hquery","saw":false)");
    lines_.end(number, start, now - start);
  });
}

// ---- ranges and marks ----

void Recorder::range_opened(const trace_output::Range& range) noexcept {
  report([&] {
    add_host("rangeb", R"(,"text":)" + trace_output::json_string(range.name));
    ranges_[range.id] = range.name;
  });
}

void Recorder::range_closed(std::uint64_t id, Nanoseconds) noexcept {
  report([&] {
    const auto open = ranges_.find(id);
    if (open == ranges_.end()) return;
    add_host("rangee", R"(,"text":)" + trace_output::json_string(open->second));
    ranges_.erase(open);
  });
}

void Recorder::mark(const trace_output::Range& mark) noexcept {
  report([&] { add_host("mark", R"(,"text":)" + trace_output::json_string(mark.name)); });
}

}  // namespace acl
