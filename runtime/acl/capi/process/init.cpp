// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/capi/guard.h"
#include "runtime/acl/process/lifecycle.h"
#include "runtime/acl/process/surroundings.h"

using namespace acl;

extern "C" {

aclError aclInit(const char* configPath) {
  return guarded(__func__,
                 [&](Runtime& runtime) { runtime.section<Lifecycle>().init(runtime, configPath); });
}

aclError aclFinalize() {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<Lifecycle>().finalize(runtime);
    flush_timeline();
  });
}

aclError aclFinalizeReference(uint64_t* refCount) {
  return guarded(__func__, [&](Runtime& runtime) {
    const std::uint64_t left = runtime.section<Lifecycle>().finalize_reference(runtime);
    if (refCount) *refCount = left;
  });
}

aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc,
                                 void* userData) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<Lifecycle>().add_init_callback(type, cbFunc, userData);
  });
}

aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<Lifecycle>().remove_init_callback(type, cbFunc);
  });
}

aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc,
                                     void* userData) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<Lifecycle>().add_finalize_callback(type, cbFunc, userData);
  });
}

aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type,
                                       aclFinalizeCallbackFunc cbFunc) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<Lifecycle>().remove_finalize_callback(type, cbFunc);
  });
}

}  // extern "C"
