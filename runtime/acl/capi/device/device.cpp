// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>

#include "runtime/acl/capi/guard.h"
#include "runtime/acl/core/state_callbacks.h"
#include "runtime/acl/device/device_info.h"
#include "runtime/acl/faults/fault_injector.h"

using namespace acl;

namespace {

/// How many of the device's workers are busy now, in percent.
std::int32_t load_of(Runtime& runtime, int physical) {
  int running = 0;
  runtime.streams().for_each([&](const StreamTable::Pin& stream) {
    const bool here = stream->device() == physical;
    if (here && stream->core().state() == sim::Stream::State::running) ++running;
  });
  return std::min(100, running * 100 / runtime.config().system.workers_per_device);
}

void reset_device(Runtime& runtime, std::int32_t device_id, bool force) {
  runtime.physical(device_id);
  const auto& callbacks = runtime.section<StateCallbacks>();
  callbacks.tell(device_id, ACL_RT_DEVICE_STATE_RESET_PRE);
  runtime.reset_device(device_id, force);
  callbacks.tell(device_id, ACL_RT_DEVICE_STATE_RESET_POST);
}

}  // namespace

extern "C" {

aclError aclrtSetDevice(int32_t deviceId) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.physical(deviceId);
    const auto& callbacks = runtime.section<StateCallbacks>();
    callbacks.tell(deviceId, ACL_RT_DEVICE_STATE_SET_PRE);
    runtime.set_device(deviceId);
    callbacks.tell(deviceId, ACL_RT_DEVICE_STATE_SET_POST);
  });
}

aclError aclrtResetDevice(int32_t deviceId) {
  return guarded(__func__, [&](Runtime& runtime) { reset_device(runtime, deviceId, false); });
}

aclError aclrtResetDeviceForce(int32_t deviceId) {
  return guarded(__func__, [&](Runtime& runtime) { reset_device(runtime, deviceId, true); });
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
    const int device = runtime.physical(deviceId);
    const bool lost = fault_injector() && fault_injector()->lost(device);
    out = lost ? ACL_RT_DEVICE_STATUS_ABNORMAL : ACL_RT_DEVICE_STATUS_NORMAL;
  });
}

aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo* utilizationInfo) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtUtilizationInfo& out = require_out(utilizationInfo, "utilizationInfo");
    if (out.utilizationExtend) {
      fail(ACL_ERROR_INVALID_PARAM,
           "utilizationInfo->utilizationExtend is not null; it is reserved and must be");
    }
    const std::int32_t load = load_of(runtime, runtime.physical(deviceId));
    out = {load, load, 0, -1, nullptr};
  });
}

// One scheduler serves all cores of an emulated device: there is nothing to choose.
aclError aclrtSetTsDevice(aclrtTsId tsId) {
  return guarded(__func__, [&](Runtime&) {
    if (tsId != ACL_TS_ID_AICORE && tsId != ACL_TS_ID_AIVECTOR) {
      fail(ACL_ERROR_INVALID_PARAM, "tsId is {}; expected ACL_TS_ID_AICORE or ACL_TS_ID_AIVECTOR",
           static_cast<int>(tsId));
    }
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
