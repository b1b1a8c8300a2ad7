// SPDX-License-Identifier: Apache-2.0
// Host threads that wait for the device.
#include <fmt/format.h>
#include <pthread.h>

#include <optional>
#include <utility>

#include "runtime/acl/check/checker.h"
#include "runtime/acl/check/reports.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"

namespace acl {
namespace {

bool served_by_caller(Stream& stream) {
  const auto self = static_cast<std::uint64_t>(pthread_self());
  const std::lock_guard guard(stream.subscription_mutex());
  return (stream.report.lane && stream.report.thread_id == self) ||
         (stream.host_func.lane && stream.host_func.thread_id == self);
}

}  // namespace

// ---- the seam ----

bool Checker::wait_begins(const watch::Wait& wait, watch::WaitState& state) {
  Waiting& waiting = state.make<Waiting>();
  switch (wait.what) {
    case watch::Wait::For::stream:
    case watch::Wait::For::stream_of_many:
      begin_wait(*wait.stream, wait.what == watch::Wait::For::stream, waiting);
      if (waiting.over) return false;
      waiting.announced = wait.untimed && !waiting.reported && announce(*wait.stream);
      return true;
    case watch::Wait::For::stream_end:
      begin_wait(*wait.stream, false, waiting);
      waiting.announced = !waiting.reported && announce(*wait.stream);
      return waiting.announced;
    case watch::Wait::For::event:
      if (wait.record->word) {
        waiting.announced = wait.untimed && announce(*wait.record->word, wait.record->number);
      } else {
        waiting.reported = begin_wait(*wait.record->signal);
        waiting.announced = wait.untimed && !waiting.reported && announce(*wait.record->signal);
      }
      return true;
    case watch::Wait::For::device: return false;
  }
  return false;
}

void Checker::wait_ended(const watch::Wait& wait, const watch::WaitState& state, bool reached) {
  const auto& waiting = state.as<Waiting>();
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
  begin_wait(stream, false, waiting);
  if (!waiting.over) join_clock_of(waiting);
}

// ---- a stream, a record ----

void Checker::begin_wait(Stream& stream, bool asked, Waiting& waiting) {
  waiting.asked = asked;
  {
    const Entry guard(*this);
    waiting.stream = actor(stream);
    const bool in_callback = check_thread().in_callback;
    if (!in_callback && host_buffers_.empty() && engine_.covers_stream(host(), waiting.stream)) {
      if (asked && engine_.last(waiting.stream) != 0) tell_redundant_wait();
      waiting.over = true;
      return;
    }
    waiting.issued = engine_.issued(waiting.stream);
    if (!in_callback && !engine_.is_blocked(waiting.stream)) return;
  }
  waiting.reported = tell_if_for_ever(stream, waiting.stream);
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

bool Checker::tell_if_for_ever(Stream& stream, order::Actor actor) {
  std::optional<order::Finding> found;
  const bool served_here = served_by_caller(stream);
  {
    const Entry guard(*this);
    found = waits_for_itself(stream);
    if (!found && served_here) found = waits_for_its_server(stream);
    if (!found) found = waits_for_stuck(engine_.stuck(actor));
  }
  return found && tell_now(std::move(*found));
}

bool Checker::begin_wait(sim::Signal& signal) {
  std::optional<order::Finding> for_ever;
  {
    const Entry guard(*this);
    tell_blocking_call();
    if (const auto* const node = node_of(signal)) for_ever = waits_for_stuck(engine_.stuck(*node));
  }
  return for_ever && tell_now(std::move(*for_ever));
}

void Checker::tell_blocking_call() {
  if (!check_thread().in_callback) return;
  order::Finding finding(order::Rule::blocking_call);
  finding.op_info = op_info(nullptr);
  finding.text = "{it} blocks inside a callback; the thread serves no other callback meanwhile";
  add(std::move(finding));
}

std::optional<order::Finding> Checker::waits_for_itself(const Stream& stream) {
  if (check_thread().serves_stream != stream.id() + 1) {
    tell_blocking_call();
    return std::nullopt;
  }
  order::Finding finding(order::Rule::callback_blocks);
  finding.op_info = op_info(nullptr);
  finding.text = fmt::format(
      "{{it}} waits for stream {} from a blocking callback of stream {}; neither can complete",
      stream.id(), stream.id());
  return finding;
}

// The thread is the one that serves the stream's callbacks.
std::optional<order::Finding> Checker::waits_for_its_server(const Stream& stream) {
  std::optional<order::Finding> found;
  engine_.any_unserved([&](const order::OpInfo& callback, bool is_blocked) {
    if (callback.stream != stream.id() || !is_blocked) return false;
    found.emplace(order::Rule::deadlock);
    found->op_info = op_info(nullptr);
    found->other = callback;
    found->text = "{it} waits for {other}, which only the calling thread can run";
    return true;
  });
  return found;
}

// Another thread may still end a wait that nothing ends so far. Reported once for each place.
std::optional<order::Finding> Checker::waits_for_stuck(const order::Engine::Stuck& stuck) {
  if (stuck.waits.empty()) return std::nullopt;
  order::Finding finding(order::Rule::deadlock);
  if (!stuck.cycle) finding.level = order::Level::warning;
  finding.op_info = op_info(nullptr);
  finding.other = stuck.waits.front();
  finding.behind.assign(stuck.waits.begin() + 1, stuck.waits.end());
  finding.text = stuck.cycle
                     ? "{it} never returns; these waits form a cycle: {waits}"
                     : "{it} may never return; no operation enqueued so far satisfies {waits}";
  return finding;
}

// The call may never return, and nobody else would report it. False: the finding is below the
// reported level, or expected.
bool Checker::tell_now(order::Finding finding) {
  if (finding.level < config_.report_from) return false;
  {
    const Entry guard(*this);
    tell_repeated();
    if (!stuck_sites_.insert(finding.op_info.site).second) {
      findings_.again(finding);
      return true;
    }
  }
  const std::size_t before = findings_.count(order::Level::note);
  findings_.add(order::Finding(finding));
  if (findings_.count(order::Level::note) == before) return false;
  tell_at_once(config_, finding, findings_.all());
  return true;
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
