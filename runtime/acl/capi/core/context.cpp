// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/capi/guard.h"

using namespace acl;

extern "C" {

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtContext& out = require_out(context, "context");
    out = nullptr;
    out = runtime.create_context(deviceId);
  });
}

aclError aclrtDestroyContext(aclrtContext context) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(context, "context");
    const auto found = runtime.contexts().find(context);
    if (!found) {
      fail_for_handle(context, ACL_ERROR_RT_CONTEXT_NULL,
                      "context is {}, which is not a live context", context);
    }
    if (found->primary()) {
      fail(ACL_ERROR_RT_CONTEXT_NULL,
           "context is the primary one of a device; aclrtResetDevice ends it");
    }
    runtime.end_context(found);
  });
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(context, "context");
    const auto found = runtime.contexts().find(context);
    if (!found || !found->alive()) {
      fail_for_handle(context, ACL_ERROR_RT_PARAM_INVALID,
                      "context is {}, which is not a live context", context);
    }
    thread_state().context = sim::Ref<Context>::share(found.get());
  });
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtContext& out = require_out(context, "context");
    out = nullptr;
    out = current_context(runtime).handle();
  });
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtStream& out = require_out(stream, "stream");
    out = nullptr;
    out = current_context(runtime).default_stream_handle();
  });
}

aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags, int32_t* active) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (flags) fail(ACL_ERROR_INVALID_PARAM, "flags is not null; it is reserved");
    int32_t& out = require_out(active, "active");
    out = runtime.primary_active(deviceId) ? 1 : 0;
  });
}

}  // extern "C"
