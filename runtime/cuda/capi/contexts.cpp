// SPDX-License-Identifier: Apache-2.0
#include "acl/acl.h"
#include "device_sim/base/mutex.h"
#include "runtime/cuda/capi/entry.h"
#include "runtime/cuda/driver/context.h"
#include "runtime/cuda/driver/stream.h"

using namespace cuda;

#undef cuCtxCreate  // the oldest function beside the newer ones

namespace {

void create(CUcontext* context, unsigned flags, CUdevice device) {
  CUcontext& out = require_out(context, "pctx");
  constexpr unsigned kKnown = 0xff;
  if ((flags & ~kKnown) != 0) refuse("flags is {:#x}; expected CU_CTX_ bits", flags);
  out = contexts::handle_of(contexts::create(device, flags));
}

void refuse_affinity(const void* params, int count) {
  if (params && count != 0) {
    fail(CUDA_ERROR_NOT_SUPPORTED, "contexts with an execution affinity are not emulated");
  }
}

}  // namespace

CUDA_ENTRY(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device), {
  CUcontext& out = require_out(context, "pctx");
  out = contexts::handle_of(contexts::retain_primary(device));
});

CUDA_ENTRY(cuDevicePrimaryCtxRelease_v2, (CUdevice device), { contexts::release_primary(device); });

CUDA_ENTRY(cuDevicePrimaryCtxReset_v2, (CUdevice device), { contexts::reset_primary(device); });

CUDA_ENTRY(cuDevicePrimaryCtxSetFlags_v2, (CUdevice device, unsigned int flags),
           { contexts::set_primary_flags(device, flags); });

CUDA_ENTRY(cuDevicePrimaryCtxGetState, (CUdevice device, unsigned int* flags, int* active), {
  unsigned& flags_out = require_out(flags, "flags");
  int& active_out = require_out(active, "active");
  unsigned found = 0;
  bool is_active = false;
  contexts::primary_state(device, found, is_active);
  flags_out = found;
  active_out = is_active ? 1 : 0;
});

CUDA_ENTRY(cuCtxCreate, (CUcontext * context, unsigned int flags, CUdevice device),
           { create(context, flags, device); });

CUDA_ENTRY(cuCtxCreate_v2, (CUcontext * context, unsigned int flags, CUdevice device),
           { create(context, flags, device); });

CUDA_ENTRY(cuCtxCreate_v3,
           (CUcontext * context, CUexecAffinityParam* affinity, int count, unsigned int flags,
            CUdevice device),
           {
             refuse_affinity(affinity, count);
             create(context, flags, device);
           });

CUDA_ENTRY(cuCtxCreate_v4,
           (CUcontext * context, CUctxCreateParams* params, unsigned int flags, CUdevice device), {
             if (params) refuse_affinity(params->execAffinityParams, params->numExecAffinityParams);
             create(context, flags, device);
           });

CUDA_ENTRY(cuCtxDestroy_v2, (CUcontext context), { contexts::destroy(context); });
CUDA_ENTRY(cuCtxPushCurrent_v2, (CUcontext context), { contexts::push(context); });

CUDA_ENTRY(cuCtxPopCurrent_v2, (CUcontext * context), {
  const CUcontext popped = contexts::pop();
  if (context) *context = popped;
});

CUDA_ENTRY(cuCtxSetCurrent, (CUcontext context), { contexts::set_current(context); });

CUDA_ENTRY(cuCtxGetCurrent, (CUcontext * context), {
  Machine::get();
  require_out(context, "pctx") = contexts::handle_of(contexts::current_or_null());
});

CUDA_ENTRY(cuCtxGetDevice, (CUdevice * device),
           { require_out(device, "device") = contexts::current()->device; });

CUDA_ENTRY(cuCtxGetDevice_v2, (CUdevice * device, CUcontext context), {
  require_out(device, "device") = (context ? contexts::find(context) : contexts::current())->device;
});

CUDA_ENTRY(cuCtxGetFlags, (unsigned int* flags),
           { require_out(flags, "flags") = contexts::current()->flags.load(); });

CUDA_ENTRY(cuCtxSynchronize, (void), { streams::synchronize_context(*contexts::current()); });

CUDA_ENTRY(cuCtxSynchronize_v2, (CUcontext context), {
  streams::synchronize_context(*(context ? contexts::find(context) : contexts::current()));
});

CUDA_ENTRY(cuCtxEnablePeerAccess, (CUcontext peer, unsigned int flags), {
  require_zero(flags, "flags");
  const ContextRef context = contexts::current();
  const ContextRef other = contexts::find(peer);
  std::int32_t can = 0;
  if (context->device == other->device) {
    fail(CUDA_ERROR_INVALID_DEVICE, "both contexts are of device {}", context->device);
  }
  require_acl(aclrtDeviceCanAccessPeer(&can, context->device, other->device), "the link");
  if (can == 0) {
    fail(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "devices {} and {} do not reach each other",
         context->device, other->device);
  }
  const sim::LockGuard guard(context->mutex);
  if (!context->peers.insert(other->device).second) {
    fail(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "access to device {} is enabled already",
         other->device);
  }
});

CUDA_ENTRY(cuCtxDisablePeerAccess, (CUcontext peer), {
  const ContextRef context = contexts::current();
  const ContextRef other = contexts::find(peer);
  const sim::LockGuard guard(context->mutex);
  if (context->peers.erase(other->device) == 0) {
    fail(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "access to device {} is not enabled", other->device);
  }
});
