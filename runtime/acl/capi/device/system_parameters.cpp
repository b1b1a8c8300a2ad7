// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/device/system_parameters.h"

#include "runtime/acl/capi/guard.h"

using namespace acl;

extern "C" {

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<SystemParameters>().set(current_context(runtime), opt, value);
  });
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return guarded(__func__, [&](Runtime& runtime) {
    int64_t& out = require_out(value, "value");
    out = runtime.section<SystemParameters>().get(current_context(runtime), opt);
  });
}

aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return guarded(__func__,
                 [&](Runtime& runtime) { runtime.section<SystemParameters>().set(opt, value); });
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return guarded(__func__, [&](Runtime& runtime) {
    int64_t& out = require_out(value, "value");
    out = runtime.section<SystemParameters>().get(opt);
  });
}

}  // extern "C"
