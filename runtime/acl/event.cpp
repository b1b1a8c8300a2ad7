// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/event.h"

#include "runtime/acl/context.h"
#include "runtime/acl/error.h"
#include "runtime/acl/lenient.h"
#include "runtime/acl/runtime.h"
#include "runtime/acl/stream.h"

namespace acl {
namespace {

// The bit that the runtime itself gives to plain events: they can be waited for.
constexpr std::uint32_t kInternalSync = 4;

bool flag_like(Event::Kind kind, std::uint32_t flags) {
  return kind == Event::Kind::with_flag && (flags & (ACL_EVENT_SYNC | ACL_EVENT_EXTERNAL)) != 0;
}

}  // namespace

Event::Event(Runtime& runtime, Context& context, Kind kind, std::uint32_t flags)
    : runtime_(runtime),
      context_(sim::Ref<Context>::share(&context)),
      kind_(kind),
      flags_(flags),
      flag_like_(flag_like(kind, flags)) {
  if (!flag_like_) return;
  hardware_id_ = runtime_.take_event_id(context.device());
  latest_.signal = sim::make_ref<sim::Signal>(nullptr, runtime_.signal_id());
}

Event::~Event() {
  if (hardware_id_) runtime_.give_event_id(context_->device(), *hardware_id_);
}

bool Event::external() const noexcept { return (flags_ & ACL_EVENT_EXTERNAL) != 0; }
bool Event::timed() const noexcept { return (flags_ & ACL_EVENT_TIME_LINE) != 0; }

bool Event::can_be_waited_for() const noexcept {
  return (flags_ & (ACL_EVENT_SYNC | kInternalSync | ACL_EVENT_EXTERNAL)) != 0;
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

Event::Record Event::latest() const {
  const std::lock_guard guard(lock_);
  return latest_;
}

Event::Status Event::status_of(const Record& record) {
  if (!record.stream) return Status::never_recorded;
  if (record.stream->retired() < record.sequence && !record.stream->abandoned()) {
    return Status::pending;
  }
  if (record.reset && record.reset->done()) return Status::reset;
  return record.signal->done() ? Status::done : Status::reset;
}

Event::Status Event::status() const { return status_of(latest()); }

bool Event::waits_outstanding() const {
  const std::lock_guard guard(lock_);
  return tally_ && tally_->outstanding.load(std::memory_order_acquire) > 0;
}

void Event::record(Stream& stream) {
  take_id_late();
  Record record;
  record.stream = sim::Ref<sim::Stream>::share(&stream.core());
  if (flag_like_) {
    const std::lock_guard guard(lock_);
    record.signal = latest_.signal;
  } else {
    record.signal = sim::make_ref<sim::Signal>(record.stream.get(), runtime_.signal_id());
  }
  if (flag_like_) record.signal->set_producer(*record.stream);
  record.sequence = stream.submit(sim::make_record(*record.signal, timed()));
  const std::lock_guard guard(lock_);
  std::swap(latest_, record);  // the old record is released after the lock
}

void Event::enqueue_wait(Stream& stream, std::uint64_t timeout_ns) {
  sim::Ref<sim::WaitTally> tally;
  Record record;
  {
    const std::lock_guard guard(lock_);
    record = latest_;
    if (!is_ex() && !tally_) tally_ = sim::make_ref<sim::WaitTally>();
    tally = tally_;
  }
  if (!flag_like_) {
    if (!record.stream) {
      if (is_ex() || lenient("waiting for an event that was never recorded")) return;
      fail(ACL_ERROR_RT_PARAM_INVALID,
           "the event was never recorded; expected aclrtRecordEvent before the wait");
    }
    if (record.stream.get() == &stream.core()) return;  // the stream's own order covers it
    if (is_ex() && record.signal->done()) return;
  }
  stream.submit(sim::make_wait(*record.signal, tally.get(), timeout_ns));
}

void Event::reset(Stream& stream) {
  if (flag_like_) {
    stream.submit(sim::make_reset(*latest().signal));
    return;
  }
  // Bound waits keep their record: only what a query answers changes, in the stream's order.
  const sim::Ref<sim::Signal> done = sim::make_ref<sim::Signal>(&stream.core());
  stream.submit(sim::make_record(*done, false));
  const std::lock_guard guard(lock_);
  latest_.reset = done;
}

Event::SyncResult Event::synchronize(const sim::Deadline& deadline) {
  const Record record = latest();
  if (!record.stream) return SyncResult::done;
  const auto result = runtime_.driver().wait(*record.stream, record.sequence, deadline,
                                             deadline.is_never());
  if (result == sim::Driver::WaitResult::timed_out) return SyncResult::timed_out;
  if (result == sim::Driver::WaitResult::abandoned) {
    fail(ACL_ERROR_RT_STREAM_ABORT, "the stream {} was aborted before it recorded the event",
         record.stream->id());
  }
  const sim::Failure failure = record.signal->failure();
  if (failure) {
    fail(code_of(failure), "the stream {} that recorded the event: {}", record.stream->id(),
         text_of(failure));
  }
  return SyncResult::done;
}

std::uint64_t Event::time_ns() const {
  if (external()) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "external events have no time");
  }
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
  return record.signal->time_ns();
}

}  // namespace acl
