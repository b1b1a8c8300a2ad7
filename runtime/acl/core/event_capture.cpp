// SPDX-License-Identifier: Apache-2.0
// Events in captures and models.
#include <algorithm>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/capture_gate.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/core/event.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/watch/registry.h"

namespace acl {

// ---- captures ----

// True when the record went into a capture; false when it is a task like others (a flag).
bool Event::record_redirected(Stream& stream, void* handle) {
  const auto capture = capture_sink_of(stream);
  if (flag_) {
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

// True when the wait went into a capture, or needs nothing; false when it is a task like others.
bool Event::wait_captured(Stream& stream, void* handle) {
  const auto of_event = captured().capture.lock();
  const auto of_stream = capture_sink_of(stream);
  if (!of_stream && stream.redirected() && !flag_) {
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
  if (flag_ && external()) return false;
  if (!is_ex()) refuse_in_capture();
  if (latest()) {
    fail(ACL_ERROR_RT_CAPTURE_DEPENDENCY,
         "stream {} is being captured, but the event was recorded outside of the capture",
         stream.id());
  }
  return true;  // never recorded: nothing to wait for
}

void Event::set_captured(CaptureMark mark) {
  auto kept = std::make_unique<CaptureMark>(std::move(mark));
  const sim::LockGuard guard(lock_);
  std::swap(captured_, kept);
}

CaptureMark Event::captured() const {
  const sim::LockGuard guard(lock_);
  if (!captured_) return {};
  const auto capture = captured_->capture.lock();
  return capture && !capture->over() ? *captured_ : CaptureMark{};
}

void Event::require_not_captured() const {
  if (CaptureGate::any() && captured().capture.lock()) {
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
  const sim::LockGuard guard(lock_);
  agree(record_flag_, flag, "record");
}

void Event::agree_on_wait_flag(std::uint32_t flag) {
  const sim::LockGuard guard(lock_);
  agree(wait_flag_, flag, "wait");
}

// ---- models ----

Event::Announced Event::announce_external_record() {
  auto record = sim::make_ref<RecordSignal>(runtime_.signal_id());
  record->generation = next_generation();
  const sim::LockGuard guard(lock_);
  announced_.push_back(record);
  return record;
}

TaskFacts Event::announced() const {
  const sim::LockGuard guard(lock_);
  return facts(announced_.empty() ? 0 : announced_.front()->generation);
}

TaskFacts Event::latest_facts() const {
  const sim::LockGuard guard(lock_);
  return facts(latest_ ? latest_->generation : 0);
}

void Event::bind_external_record(Announced announced, sim::Stream& stream, std::uint64_t sequence) {
  announced->bind(stream, sequence);
  keep_latest(std::move(announced));
}

void Event::complete_external_record(sim::Stream& by, sim::Nanoseconds now) {
  sim::Ref<RecordSignal> record;
  {
    const sim::LockGuard guard(lock_);
    if (announced_.empty()) return;
    record = std::move(announced_.front());
    announced_.erase(announced_.begin());
  }
  if (auto* const listener = watch::listener()) listener->recorded_in_run(by, *record);
  record->complete(by.failure(), now);
}

void Event::passed_external_wait(const sim::Stream& stream) {
  auto* const listener = watch::listener();
  if (!listener) return;
  const Query query(*this);
  const sim::Ref<RecordSignal> record = latest();
  if (record) {
    listener->waited_in_run(stream, signal_of(*record));
  } else if (flag_) {
    listener->waited_in_run(stream, *flag_);
  }
}

sim::Ref<sim::Signal> Event::pending_record() {
  const sim::LockGuard guard(lock_);
  if (latest_) {
    sim::Signal& signal = signal_of(*latest_);
    return signal.done() ? nullptr : sim::Ref<sim::Signal>::share(&signal);
  }
  if (!first_record_) first_record_ = sim::make_ref<sim::Signal>();
  return first_record_;
}

}  // namespace acl
