// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/event.h"

#include <algorithm>
#include <thread>

#include "runtime/acl/base/error.h"
#include "runtime/acl/check/announced_wait.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/core/lenient.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/graph/capture.h"
#include "runtime/acl/record/recorder.h"

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
      number_(runtime.recorder() ? runtime.recorder()->new_event() : 0) {
  if (Checker* const checker = runtime_.checker(); checker && ipc_) {
    const SharedPage& page = ipc_->page();
    checker->made_shared(ipc_->word(), "EVENT_RECORD",
                         {{order::SharedObject::Kind::event, page.file_number(), page.offset()}});
  }
  if (!flag_like_) return;
  hardware_id_ = runtime_.take_event_id(context.device());
  latest_.signal = sim::make_ref<sim::Signal>(nullptr, runtime_.signal_id());
  if (Checker* const checker = runtime_.checker()) checker->made_flag(*latest_.signal);
  if (Recorder* const recorder = runtime_.recorder()) recorder->made_flag(*latest_.signal, number_);
}

Event::~Event() {
  if (Checker* const checker = runtime_.checker()) checker->event_ends(*this);
  if (Recorder* const recorder = runtime_.recorder(); recorder && flag_like_) {
    recorder->flag_ends(*latest_.signal);
  }
  if (ipc_) ipc_->withdraw(runtime_);
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

Event::Look::Look(const Event& event) noexcept
    : event_(event.runtime_.checker() ? &event : nullptr) {
  if (event_) event_->looks_.fetch_add(1, std::memory_order_relaxed);
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
  const Look look(*this);
  const Record record = latest();
  const Status status = status_of(record);
  if (Checker* const checker = runtime_.checker(); checker && status == Status::done) {
    checker->synchronized(*record.signal);
  }
  if (Recorder* const recorder = runtime_.recorder(); recorder && record.stream) {
    recorder->queried(*record.signal, facts(record.generation), status == Status::done);
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
  Checker* const checker = flag_like_ ? nullptr : runtime_.checker();
  const sim::Ref<sim::Signal> signal = checker ? record.signal : nullptr;
  const Record before = keep_latest(std::move(record), core);
  if (!checker) return;
  // Who looks from here on sees this record. The lock of the exchange orders who looked before.
  const bool looked_at = looks_.load(std::memory_order_acquire) != 0;
  checker->recorded(*this, *signal, before.signal.get(), looked_at);
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

// True when the record went into a capture; false when it is a task like others (a flag).
bool Event::record_redirected(Stream& stream, void* handle) {
  const auto capture = capture_of(stream);
  if (flag_like_) {
    if (capture && !external()) refuse_in_capture();
    return false;
  }
  if (!capture) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "stream {} is bound to a model: only events with ACL_EVENT_SYNC can be recorded there",
         stream.id());
  }
  if (!is_ex()) refuse_in_capture();
  return capture->record(stream, *this, handle);
}

void Event::refuse_in_capture() const {
  fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
       "the event was not created by aclrtCreateEventExWithFlag: it cannot be part of a capture");
}

Event::Awaited Event::awaited_by_next_wait() {
  const std::lock_guard guard(lock_);
  if (!is_ex() && !tally_) tally_ = sim::make_ref<sim::WaitTally>();
  return {latest_.signal, latest_.stream.get(), latest_.generation, latest_.past, tally_};
}

void Event::enqueue_wait(Stream& stream, void* handle, std::uint64_t timeout_ns) {
  if (ipc_) return wait_ipc(stream, timeout_ns);
  if (Captures::any() || stream.redirected()) [[unlikely]] {
    if (wait_captured(stream, handle)) return;
  }
  const Look look(*this);
  const Awaited awaited = awaited_by_next_wait();
  if (!flag_like_) {
    Checker* const checker = runtime_.checker();
    Recorder* const recorder = runtime_.recorder();
    const auto needs_no_task = [&] {
      if (recorder) recorder->waited(stream, facts(awaited.generation));
    };
    if (!awaited.recorded_on) {
      if (checker) checker->waited_for_nothing(*this, stream);
      needs_no_task();
      if (is_ex() || lenient("waiting for an event that was never recorded")) return;
      fail(ACL_ERROR_RT_PARAM_INVALID,
           "the event was never recorded; expected aclrtRecordEvent before the wait");
    }
    if (awaited.recorded_on == &stream.core()) {  // the stream's own order covers it
      return needs_no_task();
    }
    if (is_ex() && awaited.signal->done()) {
      needs_no_task();
      if (checker) checker->waited(stream, *awaited.signal);
      return stream.order.waited_for(awaited.past);
    }
  }
  stream.submit(sim::make_wait(*awaited.signal, awaited.tally.get(), timeout_ns), nullptr,
                facts(awaited.generation));
  stream.order.waited_for(awaited.past);
}

// True when the wait went into a capture, or needs nothing; false when it is a task like others.
bool Event::wait_captured(Stream& stream, void* handle) {
  const auto of_event = captured().capture.lock();
  const auto of_stream = capture_of(stream);
  if (!of_stream && stream.redirected() && !flag_like_) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "stream {} is bound to a model: it waits only for events with ACL_EVENT_SYNC",
         stream.id());
  }
  if (of_event) {
    if (of_stream && of_stream != of_event) {
      of_stream->invalidate();
      of_event->invalidate();
      fail(ACL_ERROR_STREAM_CAPTURE_CONFLICT,
           "stream {} and the event belong to two captures; both are invalid now", stream.id());
    }
    if (!of_stream && &stream.context() == &of_event->context() &&
        runtime_.streams().find(stream.context().default_stream_handle()).get() == &stream) {
      fail(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT, "the default stream cannot join a capture");
    }
    return of_event->wait(stream, *this, handle);
  }
  if (!of_stream) return false;
  if (flag_like_ && external()) return false;
  if (!is_ex()) refuse_in_capture();
  if (latest().stream) {
    fail(ACL_ERROR_RT_CAPTURE_DEPENDENCY,
         "stream {} is being captured, but the event was recorded outside of the capture",
         stream.id());
  }
  return true;  // never recorded: nothing to wait for
}

// ---- events of several processes ----

void Event::require_not_redirected(const Stream& stream) const {
  if (!stream.redirected()) return;
  fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
       "stream {} is being captured or bound to a model: IPC events cannot be part of it",
       stream.id());
}

void Event::record_ipc(Stream& stream) {
  require_not_redirected(stream);
  Record record;
  record.number = ipc_->issue();
  record.sequence = stream.submit(sim::make_word_change(
      ipc_->word(), sim::WordChange::raise, record.number, "EVENT_RECORD"), nullptr,
      facts(record.number));
  keep_latest(std::move(record), stream.core());
}

void Event::wait_ipc(Stream& stream, std::uint64_t timeout_ns) {
  require_not_redirected(stream);
  const std::uint64_t number = ipc_->issued();
  if (ipc_->done(number)) {
    if (Recorder* const recorder = runtime_.recorder()) recorder->waited(stream, facts(number));
    if (Checker* const checker = runtime_.checker()) {
      if (number == 0) return checker->waited_for_nothing(*this, stream);
      checker->waited(stream, ipc_->word(), number);
    }
    return;
  }
  const sim::WordTest test{sim::WordTest::Is::greater_equal, false, number};
  stream.submit(sim::make_word_wait(ipc_->word(), test, timeout_ns, "EVENT_WAIT"), nullptr,
                facts(number));
}

Event::Status Event::ipc_status() const {
  const std::uint64_t number = ipc_->issued();
  if (number == 0) return Status::never_recorded;
  if (!ipc_->done(number)) return Status::pending;
  if (Checker* const checker = runtime_.checker()) checker->synchronized(ipc_->word(), number);
  return Status::done;
}

// A record of this process is helped on; for another process's the thread looks now and then.
Event::SyncResult Event::synchronize_ipc(const sim::Deadline& deadline) {
  const std::uint64_t number = ipc_->issued();
  const bool stands = deadline.is_never() && !ipc_->done(number);
  const AnnouncedWait announced(runtime_.checker(), stands, ipc_->word(), number);
  const Record own = latest();
  if (own.stream && own.number == number) {
    runtime_.driver().wait(*own.stream, own.sequence, deadline, deadline.is_never());
  }
  constexpr std::chrono::microseconds kFirst{20}, kLast{1000};
  for (auto pause = kFirst; !ipc_->done(number); pause = std::min(2 * pause, kLast)) {
    if (deadline.passed()) return SyncResult::timed_out;
    if (ipc_->recorder_gone()) {
      fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
           "the process that recorded the event ended before the record was done");
    }
    std::this_thread::sleep_for(pause);
  }
  if (Checker* const checker = runtime_.checker()) checker->synchronized(ipc_->word(), number);
  return SyncResult::done;
}

// ---- captures and models ----

void Event::set_captured(CaptureMark mark) {
  auto kept = std::make_unique<CaptureMark>(std::move(mark));
  const std::lock_guard guard(lock_);
  std::swap(captured_, kept);
}

CaptureMark Event::captured() const {
  const std::lock_guard guard(lock_);
  if (!captured_) return {};
  const auto capture = captured_->capture.lock();
  return capture && !capture->over() ? *captured_ : CaptureMark{};
}

void Event::require_not_captured() const {
  if (Captures::any() && captured().capture.lock()) {
    fail(ACL_ERROR_RT_EVENT_CAPTURED, "the event was recorded in a capture that is under way");
  }
}

namespace {
void agree(std::optional<std::uint32_t>& kept, std::uint32_t flag, const char* what) {
  if (!kept) kept = flag;
  if (*kept != flag) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {}, but the first {} of the event said {}", flag,
         what, *kept);
  }
}
}  // namespace

void Event::agree_on_record_flag(std::uint32_t flag) {
  const std::lock_guard guard(lock_);
  agree(record_flag_, flag, "record");
}

void Event::agree_on_wait_flag(std::uint32_t flag) {
  const std::lock_guard guard(lock_);
  agree(wait_flag_, flag, "wait");
}

Event::Announced Event::announce_external_record() {
  auto signal = sim::make_ref<sim::Signal>(nullptr, runtime_.signal_id());
  const std::lock_guard guard(lock_);
  announced_.push_back({std::move(signal), ++generations_});
  return announced_.back();
}

TaskFacts Event::announced() const {
  const std::lock_guard guard(lock_);
  return facts(announced_.empty() ? 0 : announced_.front().generation);
}

TaskFacts Event::latest_facts() const {
  const std::lock_guard guard(lock_);
  return facts(latest_.generation);
}

void Event::bind_external_record(Announced announced, sim::Stream& stream,
                                 std::uint64_t sequence) {
  Record record;
  record.signal = std::move(announced.signal);
  record.generation = announced.generation;
  record.sequence = sequence;
  record.external = true;
  keep_latest(std::move(record), stream);
}

void Event::complete_external_record(sim::Stream& by, sim::Nanoseconds now) {
  sim::Ref<sim::Signal> signal;
  {
    const std::lock_guard guard(lock_);
    if (announced_.empty()) return;
    signal = std::move(announced_.front().signal);
    announced_.erase(announced_.begin());
  }
  if (Checker* const checker = runtime_.checker()) checker->recorded_in_graph(by, *signal);
  signal->complete(by.failure(), now);
}

void Event::passed_external_wait(const sim::Stream& stream) {
  Checker* const checker = runtime_.checker();
  if (!checker) return;
  const Look look(*this);
  const Record record = latest();
  if (record.signal) checker->waited_in_graph(stream, *record.signal);
}

sim::Ref<sim::Signal> Event::pending_record() {
  const std::lock_guard guard(lock_);
  if (latest_.stream) return latest_.signal->done() ? nullptr : latest_.signal;
  if (!first_record_) first_record_ = sim::make_ref<sim::Signal>();
  return first_record_;
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
  const Look look(*this);
  const Record record = latest();
  if (!record.stream) return SyncResult::done;
  Checker* const checker = runtime_.checker();
  const bool told = checker && checker->begins_to_wait(*record.signal);
  const AnnouncedWait announced(checker, deadline.is_never() && !told, *record.signal);
  RecordedWait recorded(runtime_.recorder(), *record.signal, facts(record.generation));
  const auto result = runtime_.driver().wait(*record.stream, record.sequence, deadline,
                                             deadline.is_never());
  if (result == sim::Driver::WaitResult::timed_out) return SyncResult::timed_out;
  if (result == sim::Driver::WaitResult::abandoned) {
    fail(ACL_ERROR_RT_STREAM_ABORT, "the stream {} was aborted before it recorded the event",
         record.stream->id());
  }
  recorded.reached();
  if (checker) checker->synchronized(*record.signal);
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
  Look look(*this);
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
  return {std::move(look), record.signal->time_ns(), record.signal, record.generation};
}

// Who knows when the record ran may rely on it.
void Event::told(const Ran& ran) const {
  if (Checker* const checker = runtime_.checker()) checker->synchronized(*ran.signal);
  if (Recorder* const recorder = runtime_.recorder()) {
    recorder->queried(*ran.signal, facts(ran.generation), true);
  }
}

}  // namespace acl
