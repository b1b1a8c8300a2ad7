// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "runtime/acl/device_info.h"
#include "runtime/acl/guard.h"

using namespace acl;

extern "C" {

aclError aclrtSetDevice(int32_t deviceId) {
  return guarded(__func__, [&](Runtime& runtime) { runtime.set_device(deviceId); });
}

aclError aclrtResetDevice(int32_t deviceId) {
  return guarded(__func__, [&](Runtime& runtime) { runtime.reset_device(deviceId, false); });
}

aclError aclrtResetDeviceForce(int32_t deviceId) {
  return guarded(__func__, [&](Runtime& runtime) { runtime.reset_device(deviceId, true); });
}

aclError aclrtGetDevice(int32_t* deviceId) {
  return guarded(__func__, [&](Runtime& runtime) {
    int32_t& out = require_out(deviceId, "deviceId");
    out = runtime.logical(current_context(runtime).device());
  });
}

aclError aclrtGetDeviceCount(uint32_t* count) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(count, "count");
    out = static_cast<uint32_t>(runtime.visible_devices());
    if (out == 0) fail(ACL_ERROR_RT_NO_DEVICE, "this process sees no device");
  });
}

aclError aclrtGetRunMode(aclrtRunMode* runMode) {
  return guarded(__func__, [&](Runtime&) { require_out(runMode, "runMode") = ACL_HOST; });
}

aclError aclrtSynchronizeDevice() {
  return guarded(__func__, [&](Runtime& runtime) {
    current_context(runtime).synchronize(sim::Deadline::never());
  });
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    const sim::Deadline deadline = deadline_of(timeout);
    current_context(runtime).synchronize(deadline);
  });
}

aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtDeviceStatus& out = require_out(deviceStatus, "deviceStatus");
    runtime.physical(deviceId);
    out = ACL_RT_DEVICE_STATUS_NORMAL;
  });
}

aclError aclrtDeviceGetBareTgid(int32_t* pid) {
  return guarded(__func__, [&](Runtime&) { require_out(pid, "pid") = getpid(); });
}

aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value) {
  return guarded(__func__, [&](Runtime& runtime) {
    int64_t& out = require_out(value, "value");
    const int physical = runtime.physical(static_cast<int>(deviceId));
    out = device_info(runtime, physical, attr);
  });
}

}  // extern "C"
