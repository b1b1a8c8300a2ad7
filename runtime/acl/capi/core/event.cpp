// SPDX-License-Identifier: Apache-2.0
#include <new>

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/capi/core/quick.h"
#include "runtime/acl/core/lenient.h"
#include "runtime/acl/graph/capture.h"

using namespace acl;

namespace {

constexpr std::uint32_t kInternalSyncFlag = 4;
constexpr std::uint32_t kCombinable =
    ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | kInternalSyncFlag | ACL_EVENT_TIME_LINE;
constexpr std::uint32_t kDefaultFlags =
    ACL_EVENT_CAPTURE_STREAM_PROGRESS | kInternalSyncFlag | ACL_EVENT_TIME_LINE;

void create_event(Runtime& runtime, aclrtEvent* event, Event::Kind kind, std::uint32_t flags) {
  aclrtEvent& out = require_out(event, "event");
  out = nullptr;
  Context& context = current_context(runtime);
  const bool combinable = (flags & ~kCombinable) == 0;
  if (kind == Event::Kind::with_flag) {
    const bool alone = flags == ACL_EVENT_DEVICE_USE_ONLY || flags == ACL_EVENT_EXTERNAL;
    if (flags == 0 || !(combinable || alone)) {
      fail(ACL_ERROR_RT_PARAM_INVALID,
           "flag is {:#x}; expected an OR of ACL_EVENT_SYNC, _CAPTURE_STREAM_PROGRESS and "
           "_TIME_LINE, or _DEVICE_USE_ONLY or _EXTERNAL alone",
           flags);
    }
  } else if (kind == Event::Kind::ex) {
    if (flags == ACL_EVENT_IPC) {
      out = runtime.create_event(context, kind, flags, sim::make_ref<IpcEvent>());
      return;
    }
    if (!combinable) {
      fail(ACL_ERROR_RT_PARAM_INVALID,
           "flag is {:#x}; expected an OR of ACL_EVENT_SYNC, _CAPTURE_STREAM_PROGRESS and "
           "_TIME_LINE, or _IPC alone",
           flags);
    }
    if (flags == 0) flags = kInternalSyncFlag;
  }
  out = runtime.create_event(context, kind, flags);
}

void require_not_ex(const Event& event, const char* what) {
  if (event.is_ex()) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "event was created by aclrtCreateEventExWithFlag: {}",
         what);
  }
}

void stream_wait_event(Runtime& runtime, aclrtStream stream, const EventTable::Pin& event,
                       aclrtEvent handle, std::uint64_t timeout_s) {
  Stream* const waiting = own_stream(runtime, stream);
  if (!event->can_be_waited_for() &&
      !lenient("a stream waiting for an event without ACL_EVENT_SYNC")) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "event has the flags {:#x}; expected ACL_EVENT_SYNC among them", event->flags());
  }
  event->enqueue_wait(*waiting, handle, timeout_s * 1'000'000'000);
}

void synchronize_event(Event& event, const sim::Deadline& deadline) {
  if (event.external()) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "event is external: it cannot be synchronised");
  }
  if (event.synchronize(deadline) == Event::SyncResult::timed_out) {
    fail(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
         "the event's record has not run yet, or the event was reset and not recorded since");
  }
}

void require_event_flag(std::uint32_t flag) {
  if (flag > 1)
    fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {}; expected 0 (default) or 1 (external)", flag);
}

void require_external_capable(const Event& event) {
  if (event.is_ex() && event.flags() == ACL_EVENT_SYNC) return;
  fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
       "event has the flags {:#x}; expected one that aclrtCreateEventExWithFlag created with "
       "ACL_EVENT_SYNC alone",
       event.flags());
}

/// The capture of a stream, for an event that reaches out of it.
std::shared_ptr<Capture> external_capture(const Stream& stream) {
  auto capture = capture_of(stream);
  if (!capture) {
    fail(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "stream {} is not being captured", stream.id());
  }
  if (capture->model().inner()) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "the capture on stream {} is a sub-graph", stream.id());
  }
  return capture;
}

constexpr const char* kRecord = "aclrtRecordEvent";

[[gnu::noinline]] aclError record_any(aclrtEvent event, aclrtStream stream, CallPlace place) {
  return guarded({kRecord, place}, [&](Runtime& runtime) {
    require_input(event, "event");
    Stream* const recording = own_stream(runtime, stream);
    find_event(runtime, event)->record(*recording, event);
  });
}

[[gnu::noinline]] aclError record_quickly(aclrtEvent event, aclrtStream stream, CallPlace place) {
  const QuickStream to = quick_stream(stream);
  if (!to) return record_any(event, stream, place);
  const EventTable::Pin found = Runtime::existing()->events().find(event);
  if (!found) return record_any(event, stream, place);
  sim::Stream& core = to.stream->core();
  sim::Ref<RecordSignal> record;
  try {
    record = found->make_plain_record(core);
  } catch (const std::bad_alloc&) {
    // The long way reports it.
  }
  if (!record) return record_any(event, stream, place);
  record->retain_unshared();  // for the task
  const bool timed = found->timed();
  const std::uint64_t sequence = enqueue_quickly(to, core, [&] {
    sim::Op op(sim::OpKind::record);
    op.record = {record.get(), timed};
    return op;
  });
  if (sequence == 0) [[unlikely]] {
    record->release();
    return record_any(event, stream, place);
  }
  record->sequence = sequence;
  found->keep_latest(std::move(record));
  if (!core.idles() && !to.stream->nothing_in_front(sequence)) [[likely]]
    return ACL_SUCCESS;
  return start_record_quickly(kRecord, *to.stream, sequence);
}

aclError wait_quickly(const char* function, aclrtStream stream, aclrtEvent event) {
  if (!nobody_attends()) return kLongWay;
  const QuickStream to = quick_stream(stream);
  if (!to) return kLongWay;
  Runtime& runtime = *Runtime::existing();
  const EventTable::Pin found = runtime.events().find(event);
  if (!found || runtime.op_wait_timeout_s().load(std::memory_order_relaxed) != 0) return kLongWay;
  sim::Stream& core = to.stream->core();
  Event::PlainWait wait = found->plain_wait(core);
  if (wait.need != Event::PlainWait::Need::wait) {
    return wait.need == Event::PlainWait::Need::nothing ? ACL_SUCCESS : kLongWay;
  }
  const bool over = wait.record->done();
  if (wait.tally) wait.tally->outstanding.fetch_add(1, std::memory_order_relaxed);
  const std::uint64_t sequence = enqueue_quickly(to, core, [&] {
    sim::Op op(sim::OpKind::wait);
    op.wait = {wait.record.get(), wait.tally.get(), 0};
    return op;
  });
  if (sequence == 0) [[unlikely]] {
    if (wait.tally) wait.tally->outstanding.fetch_sub(1, std::memory_order_release);
    return kLongWay;
  }
  if (over) to.stream->note_over_wait(sequence);
  wait.record.detach();  // the task's
  wait.tally.detach();
  return core.idles() ? start_quickly(function, core, {sim::OpKind::wait, 0}) : ACL_SUCCESS;
}

[[gnu::noinline]] aclError wait_any(Caller caller, aclrtStream stream, aclrtEvent event) {
  return guarded(caller, [&](Runtime& runtime) {
    require_input(event, "event");
    current_context(runtime);
    stream_wait_event(runtime, stream, find_event(runtime, event), event,
                      runtime.op_wait_timeout_s().load(std::memory_order_relaxed));
  });
}

}  // namespace

extern "C" {

aclError aclrtCreateEvent(aclrtEvent* event) {
  return guarded(__func__, [&](Runtime& runtime) {
    create_event(runtime, event, Event::Kind::plain, kDefaultFlags);
  });
}

aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag) {
  return guarded(__func__, [&](Runtime& runtime) {
    create_event(runtime, event, Event::Kind::with_flag, flag);
  });
}

aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag) {
  return guarded(__func__,
                 [&](Runtime& runtime) { create_event(runtime, event, Event::Kind::ex, flag); });
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  return guarded(__func__, [&](Runtime& runtime) {
    auto found = find_event(runtime, event);
    found->report_destruction();
    if (!runtime.events().remove(std::move(found))) {
      fail_for_handle(event, ACL_ERROR_RT_INVALID_HANDLE, "event was destroyed by another thread");
    }
  });
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  const CallPlace place;
  return nobody_attends() ? record_quickly(event, stream, place) : record_any(event, stream, place);
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(event, "event");
    Stream* const resetting = own_stream(runtime, stream);
    const auto found = find_event(runtime, event);
    require_not_ex(*found, "it cannot be reset");
    if (!found->can_be_waited_for()) {
      fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
           "event has the flags {:#x}: without ACL_EVENT_SYNC it cannot be reset", found->flags());
    }
    found->reset(*resetting);
  });
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtEventStatus& out = require_out(status, "status");
    const auto found = find_event(runtime, event);
    found->require_not_captured();
    require_not_ex(*found, "use aclrtQueryEventStatus");
    const Event::Status now = found->status();
    const bool ready = now == Event::Status::done || now == Event::Status::never_recorded;
    out = ready ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
  });
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtEventRecordedStatus& out = require_out(status, "status");
    const auto found = find_event(runtime, event);
    found->require_not_captured();
    const Event::Status now = found->status();
    const bool ready =
        now == Event::Status::done || (now == Event::Status::never_recorded && found->is_ex());
    out = ready ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  });
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtEventWaitStatus& out = require_out(status, "status");
    const auto found = find_event(runtime, event);
    found->require_not_captured();
    require_not_ex(*found, "its waits are not counted");
    bool pending = found->waits_outstanding();
    if (!pending && found->status() == Event::Status::pending) {
      pending = lenient("aclrtQueryEventWaitStatus telling whether an event was recorded");
    }
    out = pending ? ACL_EVENT_WAIT_STATUS_NOT_READY : ACL_EVENT_WAIT_STATUS_COMPLETE;
  });
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return guarded(__func__, [&](Runtime& runtime) {
    synchronize_event(*find_event(runtime, event), sim::Deadline::never());
  });
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(event, "event");
    const sim::Deadline deadline = deadline_of(timeout);
    synchronize_event(*find_event(runtime, event), deadline);
  });
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent) {
  return guarded(__func__, [&](Runtime& runtime) {
    float& out = require_out(ms, "ms");
    const auto start = find_event(runtime, startEvent, "startEvent");
    const auto end = find_event(runtime, endEvent, "endEvent");
    const Event::Ran from = start->ran();
    const Event::Ran to = end->ran();
    start->report(from);
    end->report(to);
    out = static_cast<float>((static_cast<double>(to.time_ns) - static_cast<double>(from.time_ns)) /
                             1e6);
  });
}

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint64_t& out = require_out(timestamp, "timestamp");
    const auto found = find_event(runtime, event);
    const Event::Ran ran = found->ran();
    found->report(ran);
    out = ran.time_ns / 1000;
  });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  const aclError done = wait_quickly(__func__, stream, event);
  return done != kLongWay ? done : wait_any(__func__, stream, event);
}

aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(event, "event");
    require_event_flag(flag);
    Stream* const recording = own_stream(runtime, stream);
    const auto found = find_event(runtime, event);
    found->agree_on_record_flag(flag);
    if (flag == ACL_EVENT_RECORD_DEFAULT) return found->record(*recording, event);
    require_external_capable(*found);
    external_capture(*recording)->record_external(*recording, *found, event);
  });
}

aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout,
                                      uint32_t flag) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(event, "event");
    require_event_flag(flag);
    current_context(runtime);
    const auto found = find_event(runtime, event);
    found->agree_on_wait_flag(flag);
    if (flag == ACL_EVENT_WAIT_DEFAULT) {
      return stream_wait_event(runtime, stream, found, event, timeout);
    }
    require_external_capable(*found);
    if (timeout != 0) fail(ACL_ERROR_INVALID_PARAM, "timeout is {} s; expected 0", timeout);
    Stream* const waiting = own_stream(runtime, stream);
    external_capture(*waiting)->wait_external(*waiting, *found, event);
  });
}

aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(event, "event", ACL_ERROR_RT_PARAM_INVALID);
    if (timeout < 0) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "timeout is {} s; expected 0 (no limit) or more", timeout);
    }
    current_context(runtime);
    stream_wait_event(runtime, stream, find_event(runtime, event), event,
                      static_cast<std::uint64_t>(timeout));
  });
}

aclError aclrtSetOpWaitTimeout(uint32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) { runtime.op_wait_timeout_s() = timeout; });
}

aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(eventId, "eventId");
    const auto found = find_event(runtime, event);
    if (found->ipc()) fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "IPC events have no hardware number");
    const auto id = found->id();
    if (!id) fail(ACL_ERROR_RT_INTERNAL_ERROR, "event holds no hardware event number");
    out = *id;
  });
}

aclError aclrtGetEventAvailNum(uint32_t* eventCount) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(eventCount, "eventCount");
    out = runtime.free_event_ids(current_context(runtime).device());
  });
}

}  // extern "C"
