// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/device/task_abort.h"

#include "runtime/acl/capi/guard.h"

using namespace acl;

extern "C" {

aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout) {
  return guarded(__func__,
                 [&](Runtime& runtime) { runtime.section<TaskAbort>().abort(deviceId, timeout); });
}

aclError aclrtSetDeviceTaskAbortCallback(const char* regName, aclrtDeviceTaskAbortCallback callback,
                                         void* args) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(regName, "regName");
    runtime.section<TaskAbort>().callbacks.set(regName, callback, args);
  });
}

}  // extern "C"
