// SPDX-License-Identifier: Apache-2.0
// The calls of host threads.
#include <fmt/format.h>

#include <utility>

#include "runtime/acl/core/event.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/record/recorded_device.h"
#include "runtime/acl/record/recorder.h"
#include "runtime/acl/record/shared.h"
#include "runtime/trace/json_text.h"

namespace acl {

using sim::Nanoseconds;

void Recorder::call_begins() {
  RecordThread& recorded = record_thread();
  recorded.lines = 0;
  recorded.explained = recorded.told_of_handle = false;
  recorded.call_time = runtime_.driver().now_ns();
}

void Recorder::api_call(const char* name, Nanoseconds start, Nanoseconds end) noexcept {
  report([&]() REQUIRES(mutex_) { hosts_.add_call(name, start, end); });
}

// ---- memory ----

void Recorder::host_copied(std::span<const sim::MemoryRange> ranges) {
  report([&]() REQUIRES(mutex_) { hosts_.copied(ranges); });
}

void Recorder::host_filled(const sim::MemoryRange& range) {
  report([&]() REQUIRES(mutex_) { hosts_.filled(range); });
}

void Recorder::host_accessed(const sim::MemoryRange& range) {
  report([&]() REQUIRES(mutex_) { hosts_.accessed(range); });
}

void Recorder::memory_touched(const sim::MemoryRange& byte, std::uint64_t site) {
  report([&]() REQUIRES(mutex_) { hosts_.touched(byte, site); });
}

void Recorder::allocated(const void* begin, std::size_t size, int device) {
  report([&]() REQUIRES(mutex_) {
    const std::uint64_t buffer = buffers_.start(begin, size, device);
    hosts_.add("alloc", fmt::format(R"(,"buf":{},"size":{})", buffer, size), true);
  });
}

void Recorder::freeing(const void* begin, std::size_t size, watch::Freed what) {
  if (what == watch::Freed::imported) return;
  report([&]() REQUIRES(mutex_) {
    found_.memory_ended(begin, size);
    const bool host = what == watch::Freed::registered_host;
    for (const RecordedBuffers::Segment& gone :
         host ? buffers_.end_host(begin, size) : buffers_.end(begin, size)) {
      add_free(gone);
    }
  });
}

namespace {

/// The members of a free of some bytes of a buffer.
std::string freed_part(const RecordedBuffers::Segment& part) {
  return fmt::format(R"(,"buf":{0},"size":{2},"wr":[[{0},{1},{2}]])", part.buffer, part.offset,
                     part.size);
}

}  // namespace

void Recorder::reused(const void* begin, std::size_t size, bool) {
  report([&]() REQUIRES(mutex_) {
    const RecordedBuffers::Reuse made = buffers_.reuse(begin, size);
    for (const auto& part : made.before) hosts_.add("free", freed_part(part), true);
    hosts_.add("alloc", fmt::format(R"(,"buf":{},"size":{})", made.number, size), true);
  });
}

void Recorder::reused_in_order(Stream& stream, const void* begin, std::size_t size) {
  constexpr const char* kOrdered = R"(,"ordered":true)";
  report([&]() REQUIRES(mutex_) {
    streams_.track(stream.core(), stream.is_default());
    const RecordedBuffers::Reuse made = buffers_.reuse(begin, size);
    for (const auto& part : made.before) {
      streams_.add(stream.core(), "free", freed_part(part) + kOrdered, true);
    }
    streams_.add(stream.core(), "alloc",
                 fmt::format(R"(,"buf":{},"size":{}{})", made.number, size, kOrdered), true);
  });
}

void Recorder::add_free(const RecordedBuffers::Segment& gone) {
  hosts_.add("free", fmt::format(R"(,"buf":{},"size":{})", gone.buffer, gone.size), true);
}

void Recorder::memory_shared(const watch::SharedRange&) {
  report([&]() REQUIRES(mutex_) {
    if (!std::exchange(shares_memory_, true)) {
      hosts_.add_mark("memory shared", R"("shares":true)", call_site_of(thread_state()));
    }
  });
}

void Recorder::released(const void* object) {
  report([&]() REQUIRES(mutex_) { hosts_.released(object); });
}

void Recorder::acquired(const void* object) {
  report([&]() REQUIRES(mutex_) { hosts_.acquired(object); });
}

// ---- queries and waits ----

std::string Recorder::stream_members(const Stream& stream) {
  const RecordedStreams::Track& at = streams_.track(stream.core(), stream.is_default());
  std::string members = fmt::format(R"(,"what":"stream","id":{})", stream.id());
  if (at.last != 0) members += fmt::format(R"(,"upto":{})", at.last);
  return members;
}

std::string Recorder::event_members(const watch::EventRecord& record) const {
  return fmt::format(R"(,"what":"event","id":{},"gen":{}{})", record.event->number(),
                     events_.generation_of(record), record.signal ? "" : kShared);
}

void Recorder::stream_queried(Stream& stream, bool complete) {
  report([&]() REQUIRES(mutex_) {
    const std::string members = stream_members(stream);
    hosts_.add("hquery", members + (complete ? R"(,"saw":true)" : R"(,"saw":false)"), true);
  });
}

void Recorder::synchronized_with_nothing(const Event& event) {
  report([&]() REQUIRES(mutex_) {
    hosts_.add("hsync", fmt::format(R"(,"what":"event","id":{},"gen":0)", event.number()), true);
  });
}

void Recorder::event_queried(const watch::EventRecord& record, bool complete) {
  report([&]() REQUIRES(mutex_) {
    const std::string members = event_members(record);
    hosts_.add("hquery", members + (complete ? R"(,"saw":true)" : R"(,"saw":false)"), true);
  });
}

/// The number of the wait's op; 0 if the wait has none.
std::uint64_t Recorder::begin_wait(const watch::Wait& wait) {
  using For = watch::Wait::For;
  std::string members;
  switch (wait.what) {
    case For::stream:
      members = stream_members(*wait.stream);
      break;
    case For::stream_end:
      // The op has the call's name: it is not a synchronisation that the program could leave out.
      members = stream_members(*wait.stream) + R"(,"n":)" +
                trace_output::json_string(thread_state().call);
      break;
    case For::event:
      members = event_members(*wait.record);
      break;
    case For::device:
      members = fmt::format(R"(,"what":"device","id":{})", recorded_device(runtime_, wait.device));
      break;
    case For::stream_of_many:
    case For::next_record:
    case For::callbacks:
      return 0;
  }
  const std::uint64_t number = hosts_.add("hsync", members, true);
  record_thread().open = 0;  // wait_ended() ends it, not the end of the call
  return number;
}

bool Recorder::wait_begins(const watch::Wait& wait, watch::WaitState& state) {
  std::uint64_t number = 0;
  report([&]() REQUIRES(mutex_) { number = begin_wait(wait); });
  state.make<std::uint64_t>() = number;
  return number != 0;
}

void Recorder::wait_ended(const watch::Wait&, const watch::WaitState& state, bool reached) {
  const auto number = state.as<std::uint64_t>();
  report([&]() REQUIRES(mutex_) { hosts_.wait_ended(number, reached); });
}

// ---- ranges and marks ----

void Recorder::range_opened(const trace_output::Range& range) noexcept {
  report([&]() REQUIRES(mutex_) { hosts_.range_opened(range); });
}

void Recorder::range_closed(std::uint64_t id, Nanoseconds) noexcept {
  report([&]() REQUIRES(mutex_) { hosts_.range_closed(id); });
}

void Recorder::mark(const trace_output::Range& mark) noexcept {
  report([&]() REQUIRES(mutex_) { hosts_.marked(mark); });
}

}  // namespace acl
