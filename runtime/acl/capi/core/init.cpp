// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/capi/guard.h"
#include "runtime/trace/timeline.h"

using namespace acl;

extern "C" {

aclError aclInit(const char* configPath) {
  return guarded(__func__, [&](Runtime& runtime) { runtime.lifecycle().init(runtime, configPath); });
}

aclError aclFinalize() {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.lifecycle().finalize(runtime);
    if (runtime.timeline()) runtime.timeline()->finish();
  });
}

aclError aclFinalizeReference(uint64_t* refCount) {
  return guarded(__func__, [&](Runtime& runtime) {
    const std::uint64_t left = runtime.lifecycle().finalize_reference(runtime);
    if (refCount) *refCount = left;
  });
}

aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc,
                                 void* userData) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.lifecycle().add_init_callback(type, cbFunc, userData);
  });
}

aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.lifecycle().remove_init_callback(type, cbFunc);
  });
}

aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc,
                                     void* userData) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.lifecycle().add_finalize_callback(type, cbFunc, userData);
  });
}

aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type,
                                       aclFinalizeCallbackFunc cbFunc) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.lifecycle().remove_finalize_callback(type, cbFunc);
  });
}

}  // extern "C"
