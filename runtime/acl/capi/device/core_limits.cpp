// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/device/core_limits.h"

#include "runtime/acl/capi/core/lookup.h"

using namespace acl;

extern "C" {

aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(value, "value");
    out = runtime.section<CoreLimits>().of_device(runtime.physical(deviceId), type);
  });
}

aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<CoreLimits>().set_device(runtime.physical(deviceId), type, value);
  });
}

aclError aclrtResetDeviceResLimit(int32_t deviceId) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<CoreLimits>().reset_device(runtime.physical(deviceId));
  });
}

aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t* value) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(value, "value");
    current_context(runtime);
    out = runtime.section<CoreLimits>().of_stream(*any_stream(runtime, stream), type);
  });
}

aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value) {
  return guarded(__func__, [&](Runtime& runtime) {
    current_context(runtime);
    runtime.section<CoreLimits>().set_stream(*any_stream(runtime, stream), type, value);
  });
}

aclError aclrtResetStreamResLimit(aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    current_context(runtime);
    CoreLimits::reset_stream(*any_stream(runtime, stream));
  });
}

aclError aclrtUseStreamResInCurrentThread(aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    current_context(runtime);
    thread_state().core_limits_of = any_stream(runtime, stream);
  });
}

aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    current_context(runtime);
    const auto found = any_stream(runtime, stream);
    StreamTable::Pin& used = thread_state().core_limits_of;
    if (used.get() != found.get()) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "this thread does not use the core limits of stream {}",
           found->id());
    }
    used = {};
  });
}

aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(value, "value");
    const CoreLimits& limits = runtime.section<CoreLimits>();
    const StreamTable::Pin& used = thread_state().core_limits_of;
    // The limits of a stream that was destroyed do not apply any more.
    out = used && StreamTable::live(used)
              ? limits.of_stream(*used, type)
              : limits.of_device(current_context(runtime).device(), type);
  });
}

}  // extern "C"
