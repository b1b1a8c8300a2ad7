// SPDX-License-Identifier: Apache-2.0
// Events that were reset.
#include "runtime/acl/core/event_reset.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/core/event.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/watch/host_wait.h"

namespace acl {
namespace {

/// Host threads that wait for a call of aclrtRecordEvent.
struct RecordCalls {
  sim::Mutex mutex;
  sim::CondVar changed;
};
RecordCalls& record_calls() {
  static auto* const calls = new RecordCalls;  // threads may wait at the end of the process
  return *calls;
}

}  // namespace

void report_record_call() {
  RecordCalls& calls = record_calls();
  const sim::LockGuard guard(calls.mutex);
  calls.changed.notify_all();
}

sim::Failure EventReset::run(sim::Stream&) const {
  give_id();
  done_.store(true, std::memory_order_release);
  return {};
}

void EventReset::give_id() const noexcept {
  if (holds_id_.exchange(false)) runtime_.give_event_id(device_, hardware_id_);
}

sim::Ref<RecordSignal> AfterReset::take(sim::Stream& core) {
  if (!next || std::exchange(taken, true)) return {};
  next->place_in(core);
  return next;
}

void AfterReset::drop(const RecordSignal& record) {
  if (next.get() == &record) taken = false;
}

void Event::reset(Stream& stream) {
  if (stream.redirected() && !flag_) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "stream {} is being captured or bound to a model: only events with ACL_EVENT_SYNC can be "
         "reset there",
         stream.id());
  }
  if (flag_) {
    stream.submit(sim::make_reset(*flag_));
    return;
  }
  auto next = sim::make_ref<RecordSignal>(runtime_.signal_id());
  std::optional<std::uint32_t> id;
  sim::Ref<RecordSignal> record;
  {
    const sim::LockGuard guard(lock_);
    id.swap(hardware_id_);
    has_hardware_id_.store(false, std::memory_order_release);
    record = latest_;
  }
  auto reset =
      sim::make_ref<EventReset>(runtime_, context_->device(), stream.core().id(), std::move(id));
  stream.submit(sim::make_task(reset), nullptr,
                {TaskFacts::What::event_reset, number_, record ? record->generation : 0});
  const sim::LockGuard guard(lock_);
  std::swap(after_.reset, reset);
  if (after_.next) return;  // it was reset before, and streams may wait already
  next->generation = next_generation();
  std::swap(after_.next, next);
}

// The reset undoes the record that was called before it. Until both have run, only the stream of
// the reset is known to come after it.
bool Event::awaits_next(const sim::Stream& core) const {
  const EventReset* const reset = after_.reset.get();
  if (!reset || !latest_) return false;
  return reset->stream_id() == core.id() || status_of(*latest_, reset) == Status::reset;
}

// A flag may also be set by a record that was called before the latest one, so the thread looks
// again from time to time.
bool Event::await_next_record(const sim::Deadline& deadline) {
  constexpr std::chrono::milliseconds kBetweenLooks{1};
  // Done once the event was recorded again; null: it is not reset.
  const auto next_call = [this]() -> sim::Ref<sim::Signal> {
    const sim::LockGuard guard(lock_);
    if (!latest_ || status_of(*latest_, after_.reset.get()) != Status::reset) return {};
    if (latest_->stream().gave_up(latest_->sequence)) return {};
    if (!first_record_) first_record_ = sim::make_ref<sim::Signal>();
    return first_record_;
  };
  sim::Ref<sim::Signal> call = next_call();
  if (!call) return true;
  sim::Driver& driver = runtime_.driver();
  driver.before_waiting(nullptr);
  const sim::Ref<RecordSignal> record = latest();
  const watch::EventRecord awaited = shown(record.get());
  watch::HostWait wait(watch::Wait::For::next_record, awaited, deadline.is_never());
  RecordCalls& calls = record_calls();
  while (call) {
    {
      sim::UniqueLock guard(calls.mutex);
      const auto called = [&] { return call->done(); };
      const sim::Deadline until = driver.stand_in_at(deadline);
      if (flag_) {
        calls.changed.wait_for(guard, kBetweenLooks, called);
      } else if (until.is_never()) {
        calls.changed.wait(guard, called);
      } else {
        calls.changed.wait_until(guard, until.at(), called);
      }
    }
    call = next_call();
    if (!call) break;
    if (deadline.passed()) return false;
    if (!driver.stand_in()) runtime_.fail_for_threads();
  }
  wait.reached();
  return true;
}

}  // namespace acl
