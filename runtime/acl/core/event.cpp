// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/event.h"

#include <algorithm>
#include <thread>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/capture_gate.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/core/lenient.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/watch/host_wait.h"

namespace acl {
namespace {

bool flag_like(Event::Kind kind, std::uint32_t flags) {
  return kind == Event::Kind::with_flag && (flags & (ACL_EVENT_SYNC | ACL_EVENT_EXTERNAL)) != 0;
}

}  // namespace

Event::Event(Runtime& runtime, Context& context, Kind kind, std::uint32_t flags,
             sim::Ref<IpcEvent> ipc)
    : runtime_(runtime),
      context_(sim::Ref<Context>::share(&context)),
      kind_(kind),
      flags_(flags),
      ipc_(std::move(ipc)),
      number_(watch::listener() ? new_number() : 0) {
  if (flag_like(kind, flags)) {
    hardware_id_ = runtime_.take_event_id(context.device());
    flag_ = sim::make_ref<sim::Signal>(nullptr, runtime_.signal_id());
  }
  if (auto* const listener = watch::listener()) listener->event_created(*this);
}

std::uint64_t Event::new_number() noexcept {
  static std::atomic<std::uint64_t> numbers{0};
  return numbers.fetch_add(1) + 1;
}

Event::~Event() {
  if (auto* const listener = watch::listener()) listener->event_destroyed(*this);
  if (ipc_) ipc_->withdraw();
  if (hardware_id_) runtime_.give_event_id(context_->device(), *hardware_id_);
}

bool Event::external() const noexcept { return (flags_ & ACL_EVENT_EXTERNAL) != 0; }
bool Event::timed() const noexcept { return (flags_ & ACL_EVENT_TIME_LINE) != 0; }

std::optional<std::uint32_t> Event::id() const {
  const sim::LockGuard guard(lock_);
  return hardware_id_;
}

// Plain events take their number with the first record, and with the first one after a reset; Ex
// events take none at all.
void Event::take_id_late() {
  if (kind_ != Kind::plain || has_hardware_id_.load(std::memory_order_acquire)) return;
  const std::uint32_t taken = runtime_.take_event_id(context_->device());
  std::optional<std::uint32_t> unused = taken;
  {
    const sim::LockGuard guard(lock_);
    if (!hardware_id_) hardware_id_.swap(unused);
  }
  has_hardware_id_.store(true, std::memory_order_release);
  if (unused) runtime_.give_event_id(context_->device(), *unused);
}

Event::Query::Query(const Event& event) noexcept : event_(watch::listener() ? &event : nullptr) {
  if (event_) event_->queries_.fetch_add(1, std::memory_order_relaxed);
}

sim::Ref<RecordSignal> Event::latest() const {
  const sim::LockGuard guard(lock_);
  return latest_;
}

Event::Status Event::status_of(RecordSignal& record, const EventReset* reset) const {
  const bool done = signal_of(record).done();
  if (record.external) return done ? Status::done : Status::pending;
  if (!record.over()) return Status::pending;
  if (reset && reset->done()) return Status::reset;
  return done ? Status::done : Status::reset;
}

Event::Latest Event::latest_and_status() const {
  Latest latest;
  sim::Ref<EventReset> reset;
  {
    const sim::LockGuard guard(lock_);
    latest.record = latest_;
    reset = after_.reset;
  }
  if (latest.record) latest.status = status_of(*latest.record, reset.get());
  return latest;
}

// A caller that learns that the record is complete may rely on it.
Event::Status Event::status() const {
  if (ipc_) return ipc_status();
  const Query query(*this);
  const Latest latest = latest_and_status();
  if (latest.status == Status::pending) runtime_.require_threads();
  if (auto* const listener = watch::listener(); listener && latest.record) {
    listener->event_queried(shown(latest.record.get()), latest.status == Status::done);
  }
  return latest.status;
}

void Event::report_destruction() const {
  auto* const listener = watch::listener();
  if (!listener) return;
  std::int32_t waits = 0;
  if (kind_ == Kind::plain) {  // others may be destroyed before the waits of streams are complete
    const sim::LockGuard guard(lock_);
    if (tally_) waits = tally_->outstanding.load(std::memory_order_acquire);
  }
  const std::uint32_t threads = synchronizing_.load(std::memory_order_acquire);
  if (waits <= 0 && threads == 0) return;
  listener->event_destroyed_in_use(*this, static_cast<std::uint32_t>(std::max(waits, 0)), threads);
}

bool Event::waits_outstanding() const {
  const sim::LockGuard guard(lock_);
  return tally_ && tally_->outstanding.load(std::memory_order_acquire) > 0;
}

void Event::record(Stream& stream, void* handle) {
  if (ipc_) return record_ipc(stream);
  if (stream.redirected()) [[unlikely]] {
    if (record_redirected(stream, handle)) return;
  }
  take_id_late();
  if (flag_) return set_flag(stream);
  sim::Stream& core = stream.core();
  sim::Ref<RecordSignal> record;
  {
    const sim::LockGuard guard(lock_);
    record = after_.take(core);
  }
  const bool follows_reset = record.get() != nullptr;
  if (!follows_reset) {
    record = sim::make_ref<RecordSignal>(core, runtime_.signal_id());
    record->generation = next_generation();
  }
  record->past = stream.order.before_record();
  try {
    record->sequence =
        stream.submit(sim::make_record(record, timed()), nullptr, facts(record->generation));
  } catch (...) {
    const sim::LockGuard guard(lock_);
    if (follows_reset) after_.drop(*record);
    throw;
  }
  if (record->past) (*record->past)[stream.id()] = record->sequence;
  const sim::Ref<RecordSignal> before = keep_latest(record);
  if (auto* const listener = watch::listener()) [[unlikely]] {
    // A later query sees this record. The lock of the exchange orders earlier queries.
    const bool queried = queries_.load(std::memory_order_acquire) != 0;
    listener->event_recorded(*this, *record, before.get(), queried);
  }
  // If the stream has nothing to run before the record, the record gets the time of this call.
  if (stream.nothing_in_front(record->sequence)) runtime_.driver().run_now(core);
}

void Event::set_flag(Stream& stream) {
  sim::Stream& core = stream.core();
  flag_->set_producer(core);
  auto record = sim::make_ref<RecordSignal>(core, std::uint64_t{0});
  record->sequence = stream.submit(sim::make_record(flag_, timed()), nullptr, facts(0));
  keep_latest(std::move(record));
}

// A new record ends the marks that earlier records, captures and waits have left. They are
// destroyed without the lock. A reset during the call of a record follows that record.
void Event::end_marks_and_unlock() {
  const sim::Ref<sim::Signal> first = std::exchange(first_record_, nullptr);
  const std::unique_ptr<CaptureMark> mark = std::exchange(captured_, nullptr);
  AfterReset after;
  if (latest_.get() == after_.next.get()) std::swap(after, after_);
  lock_.unlock();
  if (!first) return;
  first->complete({}, 0);
  report_record_call();
}

// True when the stream's order, or the past, covers a bound event's wait already.
inline bool Event::needs_no_task(Stream& stream, RecordSignal* record) {
  const auto elided = [&](watch::Elided why) {
    if (auto* const listener = watch::listener()) listener->wait_elided(stream, shown(record), why);
    return true;
  };
  if (!record) {
    if (is_ex() || lenient("waiting for an event that was never recorded")) {
      return elided(watch::Elided::never_recorded);
    }
    elided(watch::Elided::refused);
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "the event was never recorded; expected aclrtRecordEvent before the wait");
  }
  if (&record->stream() == &stream.core()) return elided(watch::Elided::same_stream);
  if (!is_ex() || !record->done()) return false;
  stream.order.waited_for(record->past);
  return elided(watch::Elided::complete);
}

void Event::enqueue_wait(Stream& stream, void* handle, std::uint64_t timeout_ns) {
  if (ipc_) return wait_ipc(stream, timeout_ns);
  if (CaptureGate::any() || stream.redirected()) [[unlikely]] {
    if (wait_captured(stream, handle)) return;
  }
  const Query query(*this);
  sim::Ref<sim::WaitTally> tally;  // null: the waits are not counted
  sim::Ref<RecordSignal> record;
  bool next = false;
  {
    const sim::LockGuard guard(lock_);
    next = awaits_next(stream.core());
    record = next ? after_.next : latest_;
    if (!is_ex() || watch::listener()) {
      if (!tally_) tally_ = sim::make_ref<sim::WaitTally>();
      tally = tally_;
    }
  }
  if (next) {
    if (auto* const listener = watch::listener()) listener->next_record_awaited(*this, *record);
  } else if (!flag_ && needs_no_task(stream, record.get())) {
    return;
  }
  const std::uint64_t generation = record ? record->generation : 0;
  const auto past = record && !next ? record->past : nullptr;
  sim::Ref<sim::Signal> signal = flag_ ? flag_ : sim::Ref<sim::Signal>(std::move(record));
  const bool over = signal->done();
  const std::uint64_t sequence = stream.submit(
      sim::make_wait(std::move(signal), std::move(tally), timeout_ns), nullptr, facts(generation));
  if (over) stream.note_over_wait(sequence);
  stream.order.waited_for(past);
}

namespace {
/// Counts a thread while it waits, if there is a listener.
class Counted {
 public:
  explicit Counted(std::atomic<std::uint32_t>& count) noexcept
      : count_(watch::listener() ? &count : nullptr) {
    if (count_) count_->fetch_add(1, std::memory_order_acq_rel);
  }
  ~Counted() {
    if (count_) count_->fetch_sub(1, std::memory_order_acq_rel);
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::atomic<std::uint32_t>* const count_;
};
}  // namespace

Event::SyncResult Event::synchronize(const sim::Deadline& deadline) {
  require_not_captured();
  if (ipc_) return synchronize_ipc(deadline);
  const Counted counted(synchronizing_);
  if (!await_next_record(deadline)) return SyncResult::timed_out;
  const Query query(*this);
  const sim::Ref<RecordSignal> record = latest();
  if (!record) return synchronize_with_nothing();
  const watch::EventRecord shown_record = shown(record.get());
  watch::HostWait wait(shown_record, deadline.is_never(), &record->stream(), record->sequence);
  const auto result =
      runtime_.driver().wait(record->stream(), record->sequence, deadline, deadline.is_never());
  if (result == sim::Driver::WaitResult::timed_out) return SyncResult::timed_out;
  if (result == sim::Driver::WaitResult::no_thread) runtime_.fail_for_threads();
  if (result == sim::Driver::WaitResult::abandoned) {
    fail(ACL_ERROR_RT_STREAM_ABORT, "the stream {} was aborted before it recorded the event",
         record->stream().id());
  }
  wait.reached();
  const sim::Failure failure = signal_of(*record).failure();
  if (failure) {
    fail(code_of(failure), "the stream {} that recorded the event: {}", record->stream().id(),
         text_of(failure));
  }
  return SyncResult::done;
}

Event::SyncResult Event::synchronize_with_nothing() const {
  if (auto* const listener = watch::listener()) listener->synchronized_with_nothing(*this);
  return SyncResult::done;
}

Event::Ran Event::ran() const {
  require_not_captured();
  if (external() || ipc_) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "external and IPC events have no time");
  }
  Query query(*this);
  const auto [record, status] = latest_and_status();
  switch (status) {
    case Status::never_recorded:
      fail(ACL_ERROR_RT_INTERNAL_ERROR, "the event was never recorded");
    case Status::pending:
      fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "the event's record has not run yet");
    case Status::reset:
      fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
           "the event was reset after its record, or the record was aborted");
    case Status::done:
      break;
  }
  const sim::Signal& signal = signal_of(*record);
  if (!signal.done() || signal.failure().error == sim::Error::aborted) {
    fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "the event's record was aborted");
  }
  if (!timed()) {
    fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
         "the event's flags are {:#x}: it keeps no time; expected ACL_EVENT_TIME_LINE", flags_);
  }
  return {std::move(query), signal.time_ns(), record};
}

// A caller that learns when the record ran may rely on its completion.
void Event::report(const Ran& ran) const {
  if (auto* const listener = watch::listener()) {
    listener->event_queried(shown(ran.record.get()), true);
  }
}

}  // namespace acl
