// SPDX-License-Identifier: Apache-2.0
// Host threads that wait for the device.
#include <utility>

#include "runtime/acl/check/checker.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"

namespace acl {
// ---- the seam ----

bool Checker::wait_begins(const watch::Wait& wait, watch::WaitState& state) {
  Waiting& waiting = state.make<Waiting>();
  switch (wait.what) {
    case watch::Wait::For::stream:
    case watch::Wait::For::stream_of_many:
      begin_wait(*wait.stream, wait.what == watch::Wait::For::stream, wait.untimed, waiting);
      if (waiting.over) return false;
      waiting.announced = wait.untimed && !waiting.reported && announce(*wait.stream);
      return true;
    case watch::Wait::For::stream_end:
      begin_wait(*wait.stream, false, wait.untimed, waiting);
      waiting.announced = !waiting.reported && announce(*wait.stream);
      return waiting.announced || waiting.blocked;
    case watch::Wait::For::event:
      if (wait.record->word) {
        waiting.announced = wait.untimed && announce(*wait.record->word, wait.record->number);
      } else {
        begin_wait(*wait.record->signal, wait.untimed, waiting);
        waiting.announced = wait.untimed && !waiting.reported && announce(*wait.record->signal);
      }
      return true;
    case watch::Wait::For::device:
      return false;
    case watch::Wait::For::callbacks: {
      const Entry guard(*this);
      blocked({.what = BlockedHost::For::callbacks});
      return waiting.blocked = true;
    }
  }
  return false;
}

void Checker::wait_ended(const watch::Wait& wait, const watch::WaitState& state, bool reached) {
  const auto& waiting = state.as<Waiting>();
  if (waiting.blocked) no_longer_blocked(reached);
  if (reached) [[likely]] {
    if (wait.record) {
      event_queried(*wait.record, true);
    } else if (wait.what != watch::Wait::For::stream_end) {
      join_clock_of(waiting);
    }
  }
  if (waiting.announced) goes_on();
}

// A query that says "complete" joins the same clock as a wait would have joined.
void Checker::stream_queried(Stream& stream, bool complete) {
  if (!complete) return;
  Waiting waiting;
  begin_query(stream, false, waiting);
  if (!waiting.over) join_clock_of(waiting);
}

// ---- a stream, a record ----

// True: the stream may be blocked for ever.
bool Checker::begin_query(Stream& stream, bool asked, Waiting& waiting) {
  waiting.asked = asked;
  const Entry guard(*this);
  const bool in_callback = check_thread().in_callback;
  if (!is_known(stream)) {
    waiting.over = true;
    return in_callback;
  }
  waiting.stream = actor(stream);
  if (!in_callback && host_buffers_.empty() && engine_.covers_stream(host(), waiting.stream)) {
    if (asked && engine_.last(waiting.stream) != 0) tell_redundant_wait();
    waiting.over = true;
    return false;
  }
  waiting.issued = engine_.issued(waiting.stream);
  return in_callback || engine_.is_blocked(waiting.stream);
}

void Checker::begin_wait(Stream& stream, bool asked, bool untimed, Waiting& waiting) {
  if (!begin_query(stream, asked, waiting)) return;
  waiting.reported = tell_if_for_ever(stream, untimed, waiting);
}

void Checker::tell_redundant_wait() {
  const ThreadState& thread = thread_state();
  if (redundant_waits_.again(call_site_of(thread), thread.call)) return;
  const order::OpInfo what = op_info(nullptr);
  tell_redundant_waits(what, 1);
  redundant_waits_.begin(
      what, [&](const auto& other, std::uint64_t times) { tell_redundant_waits(other, times); });
}

void Checker::tell_redundant_waits(const order::OpInfo& what, std::uint64_t times) {
  order::Finding finding(order::Rule::redundant_wait);
  finding.op_info = what;
  finding.text = "{it} adds no order; everything that it waits for already happens before the call";
  add(std::move(finding), times);
}

void Checker::tell_repeated() {
  redundant_waits_.end(
      [&](const auto& what, std::uint64_t times) { tell_redundant_waits(what, times); });
}

void Checker::begin_wait(sim::Signal& signal, bool untimed, Waiting& waiting) {
  {
    const Entry guard(*this);
    tell_blocking_call();
    const auto* const node = node_of(signal);
    if (!node || node->resolved) return;
    blocked({.what = BlockedHost::For::record,
             .untimed = untimed,
             .record = node,
             .keeps = signal.attached});
    waiting.blocked = true;
  }
  waiting.reported = tell_deadlocks(static_cast<pid_t>(thread_state().thread_id));
}

void Checker::tell_blocking_call() {
  if (!check_thread().in_callback) return;
  order::Finding finding(order::Rule::blocking_call);
  finding.op_info = op_info(nullptr);
  finding.text = "{it} blocks inside a callback; the thread serves no other callback meanwhile";
  add(std::move(finding));
}

void Checker::join_clock_of(const Waiting& waiting) {
  const Entry guard(*this);
  const order::Actor by = host();
  const bool advanced = engine_.synchronized(by, waiting.stream, waiting.issued);
  if (!advanced && waiting.asked && waiting.issued != 0) tell_redundant_wait();
  settle_buffers();
}

void Checker::synchronized(sim::Signal& signal) {
  const Entry guard(*this);
  if (const auto* const node = node_of(signal)) engine_.synchronized(host(), *node);
  settle_buffers();
}

}  // namespace acl
