// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/host_waits.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "runtime/acl/core/stream.h"

namespace acl {

inline bool HostWaits::begin_query(Stream& stream, bool asked, Waiting& waiting) {
  waiting.asked = asked;
  const CheckLock::Entry guard(lock_);
  const bool in_callback = check_thread().in_callback;
  if (!actors_.is_known(stream)) {
    waiting.over = true;
    return in_callback;
  }
  waiting.stream = actors_.actor(stream);
  if (!in_callback && host_memory_.buffers().empty() &&
      engine_.covers_stream(actors_.host(), waiting.stream)) {
    if (asked && engine_.last(waiting.stream) != 0) redundant_waits_.add();
    waiting.over = true;
    return false;
  }
  waiting.issued = engine_.issued(waiting.stream);
  return in_callback || engine_.is_blocked(waiting.stream);
}

bool HostWaits::begins(const watch::Wait& wait, watch::WaitState& state) {
  Waiting& waiting = state.make<Waiting>();
  const auto watch_it = [&] {
    hangs_.wait_begins(wait);
    return waiting.watched = true;
  };
  switch (wait.what) {
    case watch::Wait::For::stream:
    case watch::Wait::For::stream_of_many:
      begin(*wait.stream, wait.what == watch::Wait::For::stream, wait.untimed, waiting);
      if (waiting.over) return false;
      waiting.announced = wait.untimed && !waiting.reported && group_.announce(*wait.stream);
      return watch_it();
    case watch::Wait::For::stream_end:
      begin(*wait.stream, false, wait.untimed, waiting);
      if (waiting.over) return false;
      waiting.announced = !waiting.reported && group_.announce(*wait.stream);
      return watch_it();
    case watch::Wait::For::event:
      if (wait.record->word) {
        waiting.announced =
            wait.untimed && group_.announce(*wait.record->word, wait.record->number);
      } else {
        begin(*wait.record->signal, wait.untimed, waiting);
        waiting.announced =
            wait.untimed && !waiting.reported && group_.announce(*wait.record->signal);
      }
      return watch_it();
    case watch::Wait::For::next_record:
      begin(*wait.record->signal, wait.untimed, waiting);
      return watch_it();
    case watch::Wait::For::device:
      begin_for_device(wait.device);
      return true;
    case watch::Wait::For::callbacks:
      deadlocks_.begin_callbacks();
      waiting.blocked = true;
      return watch_it();
  }
  return false;
}

void HostWaits::ended(const watch::Wait& wait, const watch::WaitState& state, bool reached) {
  if (wait.what == watch::Wait::For::device) return end_for_device();
  const auto& waiting = state.as<Waiting>();
  if (waiting.watched) hangs_.wait_ended(wait, reached);
  if (waiting.blocked) deadlocks_.ended(reached);
  if (reached) [[likely]] {
    if (wait.what == watch::Wait::For::next_record) {
      // The call that follows waits for the record.
    } else if (wait.record) {
      event_queried(*wait.record, true);
    } else if (wait.what != watch::Wait::For::stream_end) {
      join_clock_of(waiting);
    }
  }
  if (waiting.announced) group_.proceeds();
}

// A query that says "complete" joins the same clock as a wait would have joined.
void HostWaits::stream_queried(Stream& stream, bool complete) {
  if (!complete) return;
  Waiting waiting;
  begin_query(stream, false, waiting);
  if (!waiting.over) join_clock_of(waiting);
}

// A host thread that sees that the record is complete may rely on it.
void HostWaits::event_queried(const watch::EventRecord& record, bool complete) {
  if (!complete) return;
  if (record.word) return synchronized(*record.word, record.number);
  synchronized(*record.signal);
}

void HostWaits::begin(Stream& stream, bool asked, bool untimed, Waiting& waiting) {
  if (!begin_query(stream, asked, waiting)) return;
  const auto actor = waiting.over ? std::nullopt : std::optional(waiting.stream);
  const Deadlocks::Begun begun = deadlocks_.begin(stream, actor, untimed);
  waiting.reported = begun.reported;
  waiting.blocked = begun.blocked;
}

void HostWaits::begin(sim::Signal& signal, bool untimed, Waiting& waiting) {
  const Deadlocks::Begun begun = deadlocks_.begin(signal, untimed);
  waiting.reported = begun.reported;
  waiting.blocked = begun.blocked;
}

// Each of the threads that wait already is reported once with this one. The rule is about one
// function; calls that wait for a device for other reasons, and CUDA's, have no such rule.
void HostWaits::begin_for_device(int device) {
  const order::OpInfo call = op_info_of_call();
  const std::string_view function = call.what;
  if (call.cuda || !function.starts_with("aclrtSynchronizeDevice")) return;
  const CheckLock::Entry guard(lock_);
  for (const DeviceWait& other : device_waits_) {
    if (other.device != device || other.call.thread == call.thread) continue;
    order::Finding finding(order::Rule::concurrent_device_waits);
    finding.op_info = call;
    finding.other = other.call;
    finding.text = "{it} waits for the device while {other} waits for it in another thread";
    reporter_.add(std::move(finding));
  }
  device_waits_.push_back({device, call});
}

void HostWaits::end_for_device() {
  const auto thread = thread_state().thread_id;
  const CheckLock::Entry guard(lock_);
  const auto own = std::find_if(device_waits_.rbegin(), device_waits_.rend(),
                                [&](const DeviceWait& one) { return one.call.thread == thread; });
  if (own != device_waits_.rend()) device_waits_.erase(std::next(own).base());
}

void HostWaits::join_clock_of(const Waiting& waiting) {
  if (auto* const guarded = host_memory_.guarded()) [[unlikely]]
    guarded->let_functions_end(clock_of(waiting.stream));
  const CheckLock::Entry guard(lock_);
  const order::Actor by = actors_.host();
  const bool advanced = engine_.synchronized(by, waiting.stream, waiting.issued);
  if (!advanced && waiting.asked && waiting.issued != 0) redundant_waits_.add();
  host_memory_.settle();
}

void HostWaits::synchronized(sim::Word& word, std::uint64_t number) {
  const CheckLock::Entry guard(lock_);
  const order::Actor by = actors_.host();
  const auto own = sync_.variable(word, "");
  group_.synchronized(word, number, by);
  if (const auto known = own->passed([&](std::uint64_t v) { return v >= number; })) {
    engine_.acquire(by, *known);
  }
  host_memory_.settle();
}

order::VectorClock HostWaits::clock_of(const sim::Signal& signal) {
  const CheckLock::Entry guard(lock_);
  if (const order::Node* const node = sync_.node_of(signal)) return node->clock;
  return SyncObjects::passed_flag(signal).value_or(order::VectorClock());
}

order::VectorClock HostWaits::clock_of(order::Actor stream) {
  const CheckLock::Entry guard(lock_);
  return engine_.clock(stream);
}

void HostWaits::synchronized(sim::Signal& signal) {
  if (auto* const guarded = host_memory_.guarded()) [[unlikely]]
    guarded->let_functions_end(clock_of(signal));
  const CheckLock::Entry guard(lock_);
  if (const auto* const node = sync_.node_of(signal)) {
    engine_.synchronized(actors_.host(), *node);
  } else if (const auto known = SyncObjects::passed_flag(signal)) {
    engine_.acquire(actors_.host(), *known);
  }
  host_memory_.settle();
}

}  // namespace acl
