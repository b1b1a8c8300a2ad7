// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/state_callbacks.h"

#include "runtime/acl/capi/guard.h"

using namespace acl;

extern "C" {

aclError aclrtRegStreamStateCallback(const char* regName, aclrtStreamStateCallback callback,
                                     void* args) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(regName, "regName");
    runtime.section<StateCallbacks>().streams.set(regName, callback, args);
  });
}

aclError aclrtRegDeviceStateCallback(const char* regName, aclrtDeviceStateCallback callback,
                                     void* args) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(regName, "regName");
    runtime.section<StateCallbacks>().devices.set(regName, callback, args);
  });
}

}  // extern "C"
