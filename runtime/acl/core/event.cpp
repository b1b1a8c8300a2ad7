// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/event.h"

#include <algorithm>
#include <thread>

#include "runtime/acl/base/error.h"
#include "runtime/acl/core/capture_gate.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/core/lenient.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/watch/host_wait.h"

namespace acl {
namespace {

// The bit that the runtime itself gives to plain events: they can be waited for.
constexpr std::uint32_t kInternalSync = 4;

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
      flag_like_(flag_like(kind, flags)),
      ipc_(std::move(ipc)),
      number_(watch::listener() ? new_number() : 0) {
  if (flag_like_) {
    hardware_id_ = runtime_.take_event_id(context.device());
    latest_.signal = sim::make_ref<sim::Signal>(nullptr, runtime_.signal_id());
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

bool Event::can_be_waited_for() const noexcept {
  return (flags_ & (ACL_EVENT_SYNC | kInternalSync | ACL_EVENT_EXTERNAL | ACL_EVENT_IPC)) != 0;
}

std::optional<std::uint32_t> Event::id() const {
  const std::lock_guard guard(lock_);
  return hardware_id_;
}

// Plain events take their number with the first record, Ex events none at all.
void Event::take_id_late() {
  if (kind_ != Kind::plain || id()) return;
  const std::uint32_t taken = runtime_.take_event_id(context_->device());
  std::optional<std::uint32_t> unused = taken;
  {
    const std::lock_guard guard(lock_);
    if (!hardware_id_) hardware_id_.swap(unused);
  }
  if (unused) runtime_.give_event_id(context_->device(), *unused);
}

Event::Query::Query(const Event& event) noexcept : event_(watch::listener() ? &event : nullptr) {
  if (event_) event_->queries_.fetch_add(1, std::memory_order_relaxed);
}

Event::Record Event::latest() const {
  const std::lock_guard guard(lock_);
  return latest_;
}

Event::Status Event::status_of(const Record& record) {
  if (!record.stream) return Status::never_recorded;
  if (record.external) return record.signal->done() ? Status::done : Status::pending;
  if (record.stream->retired() < record.sequence && !record.stream->abandoned()) {
    return Status::pending;
  }
  if (record.reset && record.reset->done()) return Status::reset;
  return record.signal->done() ? Status::done : Status::reset;
}

// Who is told that the record is over may rely on it.
Event::Status Event::status() const {
  if (ipc_) return ipc_status();
  const Query query(*this);
  const Record record = latest();
  const Status status = status_of(record);
  if (auto* const listener = watch::listener(); listener && record.stream) {
    listener->event_queried(shown(record), status == Status::done);
  }
  return status;
}

bool Event::waits_outstanding() const {
  const std::lock_guard guard(lock_);
  return tally_ && tally_->outstanding.load(std::memory_order_acquire) > 0;
}

std::uint64_t Event::next_generation() {
  const std::lock_guard guard(lock_);
  return ++generations_;
}

void Event::record(Stream& stream, void* handle) {
  if (ipc_) return record_ipc(stream);
  if (stream.redirected()) [[unlikely]] {
    if (record_redirected(stream, handle)) return;
  }
  take_id_late();
  sim::Stream& core = stream.core();
  Record record;
  if (flag_like_) {
    const std::lock_guard guard(lock_);
    record.signal = latest_.signal;
  } else {
    record.signal = sim::make_ref<sim::Signal>(&core, runtime_.signal_id());
  }
  if (flag_like_) record.signal->set_producer(core);
  if (!flag_like_) record.past = stream.order.before_record();
  if (!flag_like_) record.generation = next_generation();
  record.sequence = stream.submit(sim::make_record(*record.signal, timed()), nullptr,
                                  facts(record.generation));
  if (record.past) (*record.past)[stream.id()] = record.sequence;
  auto* const listener = flag_like_ ? nullptr : watch::listener();
  const sim::Ref<sim::Signal> signal = listener ? record.signal : nullptr;
  const Record before = keep_latest(std::move(record), core);
  if (!listener) return;
  // A query from here on sees this record. The lock of the exchange orders those that came before.
  const bool queried = queries_.load(std::memory_order_acquire) != 0;
  listener->event_recorded(*this, *signal, before.signal.get(), queried);
}

Event::Record Event::keep_latest(Record record, sim::Stream& stream) {
  sim::Ref<sim::Signal> first;
  std::unique_ptr<CaptureMark> mark;
  {
    const std::lock_guard guard(lock_);
    if (latest_.stream.get() == &stream) {  // most are recorded on one stream only
      record.stream = std::move(latest_.stream);
    } else {
      record.stream = sim::Ref<sim::Stream>::share(&stream);
    }
    std::swap(latest_, record);
    std::swap(captured_, mark);
    std::swap(first_record_, first);
  }
  if (first) first->complete({}, 0);
  return record;  // the one before, which is released without the lock
}

Event::Awaited Event::awaited_by_next_wait() {
  const std::lock_guard guard(lock_);
  if (!is_ex() && !tally_) tally_ = sim::make_ref<sim::WaitTally>();
  return {latest_.signal, latest_.stream.get(), latest_.generation, latest_.past, tally_};
}

// True when the stream's order, or the past, covers a bound event's wait already.
inline bool Event::needs_no_task(Stream& stream, const Awaited& awaited) {
  const auto elided = [&](watch::Elided why) {
    if (auto* const listener = watch::listener()) {
      listener->wait_elided(stream, {this, awaited.signal.get(), nullptr, awaited.generation}, why);
    }
    return true;
  };
  if (!awaited.recorded_on) {
    elided(watch::Elided::never_recorded);
    if (is_ex() || lenient("waiting for an event that was never recorded")) return true;
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "the event was never recorded; expected aclrtRecordEvent before the wait");
  }
  if (awaited.recorded_on == &stream.core()) return elided(watch::Elided::same_stream);
  if (!is_ex() || !awaited.signal->done()) return false;
  stream.order.waited_for(awaited.past);
  return elided(watch::Elided::complete);
}

void Event::enqueue_wait(Stream& stream, void* handle, std::uint64_t timeout_ns) {
  if (ipc_) return wait_ipc(stream, timeout_ns);
  if (CaptureGate::any() || stream.redirected()) [[unlikely]] {
    if (wait_captured(stream, handle)) return;
  }
  const Query query(*this);
  const Awaited awaited = awaited_by_next_wait();
  if (!flag_like_ && needs_no_task(stream, awaited)) return;
  stream.submit(sim::make_wait(*awaited.signal, awaited.tally.get(), timeout_ns), nullptr,
                facts(awaited.generation));
  stream.order.waited_for(awaited.past);
}

void Event::reset(Stream& stream) {
  if (stream.redirected() && !flag_like_) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "stream {} is being captured or bound to a model: only events with ACL_EVENT_SYNC can be "
         "reset there",
         stream.id());
  }
  if (flag_like_) {
    stream.submit(sim::make_reset(*latest().signal));
    return;
  }
  // Bound waits keep their record: only what a query answers changes, in the stream's order.
  const sim::Ref<sim::Signal> done = sim::make_ref<sim::Signal>(&stream.core());
  stream.submit(sim::make_record(*done, false), nullptr,
                {TaskFacts::What::event_reset, number_, latest().generation});
  const std::lock_guard guard(lock_);
  latest_.reset = done;
}

Event::SyncResult Event::synchronize(const sim::Deadline& deadline) {
  require_not_captured();
  if (ipc_) return synchronize_ipc(deadline);
  const Query query(*this);
  const Record record = latest();
  if (!record.stream) return SyncResult::done;
  const watch::EventRecord shown_record = shown(record);
  watch::HostWait wait(shown_record, deadline.is_never());
  const auto result = runtime_.driver().wait(*record.stream, record.sequence, deadline,
                                             deadline.is_never());
  if (result == sim::Driver::WaitResult::timed_out) return SyncResult::timed_out;
  if (result == sim::Driver::WaitResult::abandoned) {
    fail(ACL_ERROR_RT_STREAM_ABORT, "the stream {} was aborted before it recorded the event",
         record.stream->id());
  }
  wait.reached();
  const sim::Failure failure = record.signal->failure();
  if (failure) {
    fail(code_of(failure), "the stream {} that recorded the event: {}", record.stream->id(),
         text_of(failure));
  }
  return SyncResult::done;
}

Event::Ran Event::ran() const {
  require_not_captured();
  if (external() || ipc_) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "external and IPC events have no time");
  }
  Query query(*this);
  const Record record = latest();
  switch (status_of(record)) {
    case Status::never_recorded:
      fail(ACL_ERROR_RT_INTERNAL_ERROR, "the event was never recorded");
    case Status::pending:
      fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "the event's record has not run yet");
    case Status::reset:
    case Status::done: break;
  }
  if (!record.signal->done() || record.signal->failure().error == sim::Error::aborted) {
    fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
         "the event's record was aborted, or the event was reset");
  }
  if (!timed()) {
    fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
         "the event's flags are {:#x}: it keeps no time; expected ACL_EVENT_TIME_LINE", flags_);
  }
  return {std::move(query), record.signal->time_ns(), record.signal, record.generation};
}

// Who knows when the record ran may rely on it.
void Event::report(const Ran& ran) const {
  if (auto* const listener = watch::listener()) {
    listener->event_queried({this, ran.signal.get(), nullptr, ran.generation}, true);
  }
}

}  // namespace acl
