// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_sim.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/capi/held_data.h"
#include "runtime/acl/core/lenient.h"

using namespace acl;

namespace {

using Slot = Subscription HostCalls::*;

void refuse_mixed(const Stream& stream, const char* with) {
  fail(ACL_ERROR_RT_STREAM_SUBSCRIBE, "stream {} has {}; the two kinds do not mix on one stream",
       stream.id(), with);
}

void subscribe(CallbackHub& hub, const Stream& stream, HostCalls& calls, Slot slot,
               std::uint64_t thread_id) {
  Subscription& subscription = calls.*slot;
  if (subscription.lane) {
    fail(ACL_ERROR_RT_STREAM_SUBSCRIBE, "stream {} is served by thread {} already", stream.id(),
         subscription.thread_id);
  }
  subscription.lane = sim::RefStock(hub.subscribe(thread_id, stream.device()));
  subscription.thread_id = thread_id;
}

void unsubscribe(CallbackHub& hub, const Stream& stream, HostCalls& calls, Slot slot,
                 std::uint64_t thread_id, aclError wrong_thread) {
  Subscription& subscription = calls.*slot;
  if (!subscription.lane) {
    fail(ACL_ERROR_RT_STREAM_SUBSCRIBE, "stream {} is not subscribed", stream.id());
  }
  if (subscription.thread_id != thread_id) {
    fail(wrong_thread, "threadId is {}, but stream {} is served by thread {}", thread_id,
         stream.id(), subscription.thread_id);
  }
  hub.unsubscribe(thread_id);
  subscription = {};
}

void process(Runtime& runtime, CallbackHub& hub, std::int32_t timeout, aclError wrong_timeout) {
  switch (hub.process(runtime.driver(), deadline_of(timeout, wrong_timeout))) {
    case CallbackHub::Result::served:
      return;
    case CallbackHub::Result::nothing:
      fail(ACL_ERROR_RT_REPORT_TIMEOUT, "no callback became ready within {} ms", timeout);
    case CallbackHub::Result::no_thread:
      runtime.fail_for_threads();
    case CallbackHub::Result::not_subscribed:
      fail(ACL_ERROR_RT_THREAD_SUBSCRIBE, "the calling thread serves no stream");
  }
}

void launch_callback(Runtime& runtime, aclrtCallback fn, void* data,
                     aclrtCallbackBlockType block_type, aclrtStream stream,
                     sim::Ref<const sim::Shared> owner = {}) {
  require_input(fn, "fn", ACL_ERROR_RT_PARAM_INVALID);
  if (block_type != ACL_CALLBACK_NO_BLOCK && block_type != ACL_CALLBACK_BLOCK) {
    fail(ACL_ERROR_INVALID_PARAM,
         "blockType is {}; expected ACL_CALLBACK_NO_BLOCK or ACL_CALLBACK_BLOCK",
         static_cast<int>(block_type));
  }
  Stream* const found = own_stream(runtime, stream);
  HostCalls& calls = found->host_calls();
  const sim::LockGuard guard(calls.mutex);
  if (stream && calls.used_own_thread) refuse_mixed(*found, "used aclrtLaunchHostFunc");
  if (!calls.report.lane &&
      !lenient("aclrtLaunchCallback on a stream without a subscribed thread")) {
    fail(ACL_ERROR_RT_STREAM_NO_CB_REG,
         "stream {} is not subscribed; expected aclrtSubscribeReport before", found->id());
  }
  found->submit(sim::make_host_call(
      calls.report.lane ? calls.report.lane.share() : found->own_host_lane(calls), fn, data,
      block_type == ACL_CALLBACK_BLOCK, std::move(owner)));
}

}  // namespace

extern "C" {

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = any_stream(runtime, stream);
    HostCalls& calls = found->host_calls();
    const sim::LockGuard guard(calls.mutex);
    if (stream && calls.used_own_thread) refuse_mixed(*found, "used aclrtLaunchHostFunc");
    subscribe(runtime.reports(), *found, calls, &HostCalls::report, threadId);
  });
}

aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = any_stream(runtime, stream);
    HostCalls& calls = found->host_calls();
    const sim::LockGuard guard(calls.mutex);
    unsubscribe(runtime.reports(), *found, calls, &HostCalls::report, threadId,
                ACL_ERROR_RT_THREAD_SUBSCRIBE);
  });
}

aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    launch_callback(runtime, fn, userData, blockType, stream);
  });
}

aclError aclsimLaunchCallback(aclrtCallback fn, void* userData, aclsimRelease release,
                              aclrtCallbackBlockType blockType, aclrtStream stream) {
  return guarded_with_release(__func__, release, userData, [&](Runtime& runtime, auto owner) {
    require_input(release, "release");
    launch_callback(runtime, fn, userData, blockType, stream, std::move(owner));
  });
}

aclError aclrtProcessReport(int32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    process(runtime, runtime.reports(), timeout, ACL_ERROR_INVALID_PARAM);
  });
}

aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(exeStream, "exeStream", ACL_ERROR_RT_PARAM_INVALID);
    const auto found = find_stream(runtime, exeStream, "exeStream");
    HostCalls& calls = found->host_calls();
    const sim::LockGuard guard(calls.mutex);
    subscribe(runtime.host_funcs(), *found, calls, &HostCalls::host_func, hostFuncThreadId);
  });
}

aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(exeStream, "exeStream", ACL_ERROR_RT_PARAM_INVALID);
    const auto found = find_stream(runtime, exeStream, "exeStream");
    HostCalls& calls = found->host_calls();
    const sim::LockGuard guard(calls.mutex);
    unsubscribe(runtime.host_funcs(), *found, calls, &HostCalls::host_func, hostFuncThreadId,
                ACL_ERROR_RT_STREAM_SUBSCRIBE);
  });
}

aclError aclrtProcessHostFunc(int32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    process(runtime, runtime.host_funcs(), timeout, ACL_ERROR_RT_PARAM_INVALID);
  });
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(fn, "fn", ACL_ERROR_RT_PARAM_INVALID);
    Stream* const found = own_stream(runtime, stream);
    HostCalls& calls = found->host_calls();
    const sim::LockGuard guard(calls.mutex);
    if (calls.host_func.lane) {
      found->submit(sim::make_host_call(calls.host_func.lane.share(), fn, args, true));
      return;
    }
    if (stream && calls.report.lane) refuse_mixed(*found, "a report thread");
    calls.used_own_thread = true;
    found->submit(sim::make_host_call(found->own_host_lane(calls), fn, args, true));
  });
}

}  // extern "C"
