// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/stream_config.h"

#include "runtime/acl/capi/guard.h"

using namespace acl;

extern "C" {

aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle() {
  aclrtStreamConfigHandle* handle = nullptr;
  guarded(__func__, [&](Runtime& runtime) { handle = runtime.section<StreamConfigs>().create(); });
  return handle;
}

aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(handle, "handle");
    runtime.section<StreamConfigs>().destroy(handle);
  });
}

aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attr,
                                 const void* attrValue, size_t valueSize) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(handle, "handle");
    require_input(attrValue, "attrValue");
    runtime.section<StreamConfigs>().set(handle, attr, attrValue, valueSize);
  });
}

}  // extern "C"
