// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/device/device_limits.h"

#include "runtime/acl/capi/guard.h"

using namespace acl;

extern "C" {

aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (value > UINT32_MAX) {
      fail(ACL_ERROR_INVALID_PARAM, "value is {}; expected at most {}", value, UINT32_MAX);
    }
    runtime.section<DeviceLimits>().set(current_context(runtime).device(), limit,
                                        static_cast<std::uint32_t>(value));
  });
}

aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t* value) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& out = require_out(value, "value");
    out = runtime.section<DeviceLimits>().get(current_context(runtime).device(), limit);
  });
}

}  // extern "C"
