// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/device/float_overflow.h"

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/memory/transfer.h"

using namespace acl;

namespace {

constexpr std::size_t kStatusSize = FloatOverflow::kStatusSize;

void get_status(Runtime& runtime, void* output, std::size_t size, aclrtStream handle) {
  require_input(output, "outputAddr");
  if (size != kStatusSize) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "outputSize is {}; expected {}", size, kStatusSize);
  }
  Stream* const stream = own_stream(runtime, handle);
  const MemoryLocation place = locate(runtime, output, size, "outputAddr");
  if (!place.on_device()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "outputAddr is {}; expected device memory", output);
  }
  void* const status = runtime.section<FloatOverflow>().status(stream->context());
  stream->submit(sim::make_copy(output, place.device(), status, stream->device(), kStatusSize));
}

void reset_status(Runtime& runtime, aclrtStream handle) {
  Stream* const stream = own_stream(runtime, handle);
  void* const status = runtime.section<FloatOverflow>().status(stream->context());
  stream->submit(sim::make_fill(status, stream->device(), 0, kStatusSize));
}

void require_mode_0(std::uint32_t mode) {
  if (mode != 0) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "checkMode is {}; it is reserved and must be 0", mode);
  }
}

}  // namespace

extern "C" {

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<FloatOverflow>().set_mode(current_context(runtime).device(), mode);
  });
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtFloatOverflowMode& out = require_out(mode, "mode");
    out = runtime.section<FloatOverflow>().mode(current_context(runtime).device());
  });
}

aclError aclrtGetOverflowStatus(void* outputAddr, size_t outputSize, aclrtStream stream) {
  return guarded(__func__,
                 [&](Runtime& runtime) { get_status(runtime, outputAddr, outputSize, stream); });
}

aclError aclrtResetOverflowStatus(aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) { reset_status(runtime, stream); });
}

aclError aclrtCtxGetFloatOverflowAddr(void** overflowAddr) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_out(overflowAddr, "overflowAddr");
    out = runtime.section<FloatOverflow>().status(current_context(runtime));
  });
}

aclError aclrtGetFloatOverflowStatus(void* outputAddr, uint64_t outputSize, aclrtStream stream) {
  return guarded(__func__,
                 [&](Runtime& runtime) { get_status(runtime, outputAddr, outputSize, stream); });
}

aclError aclrtResetFloatOverflowStatus(aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) { reset_status(runtime, stream); });
}

aclError aclrtNpuGetFloatOverFlowStatus(void* outputAddr, uint64_t outputSize, uint32_t checkMode,
                                        aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_mode_0(checkMode);
    get_status(runtime, outputAddr, outputSize, stream);
  });
}

aclError aclrtNpuClearFloatOverFlowStatus(uint32_t checkMode, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_mode_0(checkMode);
    reset_status(runtime, stream);
  });
}

}  // extern "C"
