// SPDX-License-Identifier: Apache-2.0
// What host threads do, as ops of their own lanes.
#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "device_sim/streams/signal.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/record/recorder.h"
#include "runtime/trace/json_text.h"

namespace acl {

using sim::Nanoseconds;
using trace::kNotYet;

void Recorder::call_begins() {
  ThreadState& thread = thread_state();
  thread.recorded.lines = 0;
  thread.recorded.call_time = runtime_.driver().now_ns();
}

/// `open`: it ends with the call, or with the thread's next op.
std::uint64_t Recorder::add_host(const char* op, const std::string& members, bool open) {
  ThreadState& thread = thread_state();
  const Nanoseconds now = runtime_.driver().now_ns();
  if (const std::uint64_t before = std::exchange(thread.recorded.open, 0)) {
    lines_.end(before, thread.recorded.open_since, now - thread.recorded.open_since);
  }
  ++thread.recorded.lines;
  trace::OpLine line{
      .text = fmt::format(R"("op":"{}","h":{},"iss":{}{})", op, host(),
                          thread.recorded.call_time, members),
      .late = {},
      .site = call_site_of(thread),
      .start = now,
      .duration = open ? kNotYet : 0,
      .over = !open};
  const std::uint64_t number = lines_.add(std::move(line));
  if (open) {
    thread.recorded.open = number;
    thread.recorded.open_since = now;
  }
  return number;
}

void Recorder::api_call(const char* name, Nanoseconds start, Nanoseconds end) noexcept {
  report([&] {
    ThreadState& thread = thread_state();
    if (const std::uint64_t open = std::exchange(thread.recorded.open, 0)) {
      lines_.end(open, thread.recorded.open_since, end - thread.recorded.open_since);
    }
    if (thread.recorded.lines != 0) return;  // what it did says all
    thread.recorded.lines = 1;
    lines_.add({.text = fmt::format(R"("op":"api","h":{},"n":{})", host(), trace::json_string(name)),
                .late = {},
                .site = call_site_of(thread),
                .start = start,
                .duration = end - start,
                .over = true});
  });
}

void Recorder::copied(std::span<const sim::MemoryRange> ranges) {
  report([&] {
    std::size_t bytes = 0;
    for (const sim::MemoryRange& range : ranges) bytes += range.written ? range.size : 0;
    std::string members;
    append_copy(members, ranges, bytes);
    add_host("memcpy", members + R"(,"sync":true)", true);
  });
}

void Recorder::copied(void* dst, const void* src, std::size_t size) {
  const sim::MemoryRange both[] = {{src, size, false}, {dst, size, true}};
  copied(both);
}

void Recorder::filled(const sim::MemoryRange& range) {
  report([&] {
    std::string members = fmt::format(R"(,"bytes":{})", range.size);
    append_ranges(members, {&range, 1});
    add_host("memset", members, true);
  });
}

void Recorder::touched(const sim::MemoryRange& range) {
  report([&] {
    std::string members = R"(,"n":)" + trace::json_string(thread_state().call);
    append_ranges(members, {&range, 1});
    add_host("api", members, true);
  });
}

void Recorder::allocated(const void* begin, std::size_t size, int device) {
  report([&] {
    const std::uint64_t buffer = buffers_.start(begin, size, device);
    add_host("alloc", fmt::format(R"(,"buf":{},"size":{})", buffer, size), true);
  });
}

void Recorder::freeing(const void* begin) {
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

void Recorder::queried(const Stream& stream, bool complete) {
  report([&] {
    const Lane& at = lane(stream.core(), stream.is_default());
    std::string members = fmt::format(R"(,"what":"stream","id":{})", stream.id());
    if (at.last != 0) members += fmt::format(R"(,"upto":{})", at.last);
    add_host("hquery", members + (complete ? R"(,"saw":true)" : R"(,"saw":false)"), true);
  });
}

std::string Recorder::event_text(const sim::Signal& signal, const TaskFacts& event) {
  const auto flag = flags_.find(signal.id());
  const std::uint64_t generation =
      flag != flags_.end() ? flag->second.generation : event.generation;
  return fmt::format(R"(,"what":"event","id":{},"gen":{})", event.id, generation);
}

void Recorder::queried(const sim::Signal& signal, const TaskFacts& event, bool complete) {
  report([&] {
    add_host("hquery",
             event_text(signal, event) + (complete ? R"(,"saw":true)" : R"(,"saw":false)"), true);
  });
}

std::uint64_t Recorder::begins_to_wait(const Stream& stream) {
  std::uint64_t number = 0;
  report([&] {
    const Lane& at = lane(stream.core(), stream.is_default());
    std::string members = fmt::format(R"(,"what":"stream","id":{})", stream.id());
    if (at.last != 0) members += fmt::format(R"(,"upto":{})", at.last);
    number = add_host("hsync", members, true);
  });
  thread_state().recorded.open = 0;  // wait_over() ends it
  return number;
}

std::uint64_t Recorder::begins_to_wait(const sim::Signal& signal, const TaskFacts& event) {
  std::uint64_t number = 0;
  report([&] { number = add_host("hsync", event_text(signal, event), true); });
  thread_state().recorded.open = 0;
  return number;
}

std::uint64_t Recorder::begins_to_wait(int device) {
  std::uint64_t number = 0;
  report([&] {
    number = add_host("hsync", fmt::format(R"(,"what":"device","id":{})", device_of(device)), true);
  });
  thread_state().recorded.open = 0;
  return number;
}

void Recorder::wait_over(std::uint64_t number, bool reached) {
  report([&] {
    constexpr std::string_view kSync = R"("op":"hsync")";
    const Nanoseconds now = runtime_.driver().now_ns();
    trace::OpLine* const line = lines_.find(number);
    const Nanoseconds start = line ? line->start : thread_state().recorded.open_since;
    if (line && !reached) line->text.replace(0, kSync.size(), R"("op":"hquery","saw":false)");
    lines_.end(number, start, now - start);
  });
}

// ---- ranges and marks ----

void Recorder::range_opened(const trace::Range& range) noexcept {
  report([&] {
    add_host("rangeb", R"(,"text":)" + trace::json_string(range.name));
    ranges_[range.id] = range.name;
  });
}

void Recorder::range_closed(std::uint64_t id, Nanoseconds) noexcept {
  report([&] {
    const auto open = ranges_.find(id);
    if (open == ranges_.end()) return;
    add_host("rangee", R"(,"text":)" + trace::json_string(open->second));
    ranges_.erase(open);
  });
}

void Recorder::mark(const trace::Range& mark) noexcept {
  report([&] { add_host("mark", R"(,"text":)" + trace::json_string(mark.name)); });
}

}  // namespace acl
