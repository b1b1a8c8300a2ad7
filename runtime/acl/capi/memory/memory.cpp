// SPDX-License-Identifier: Apache-2.0
// Device memory: allocating and freeing.
#include "acl/ops/acl_dvpp.h"
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/memory/allocation.h"
#include "runtime/acl/memory/malloc_config.h"

using namespace acl;

namespace {

constexpr std::size_t kTail = 32;  // follows most allocations

void allocate_device(Runtime& runtime, void** pointer, std::size_t size,
                     aclrtMemMallocPolicy policy, std::size_t tail, const MallocConfig& config,
                     const void* caller) {
  void*& out = require_out(pointer, "devPtr");
  out = nullptr;
  if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "size is 0");
  const int current = current_context(runtime).device();
  AllocationRequest request;
  request.device = config.device < 0 ? current : runtime.physical(config.device);
  request.tail = tail;
  request.label = {config.module, MemoryLabel::Use::plain, MemoryLabel::page_of(policy, size)};
  request.caller = caller;
  out = allocate(runtime, size, request);
}

}  // namespace

extern "C" {

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    allocate_device(runtime, devPtr, size, policy, kTail, {}, caller);
  });
}

aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    allocate_device(runtime, devPtr, size, policy, 0, {}, caller);
  });
}

// Host and device see the same bytes: what is cached is never stale.
aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    allocate_device(runtime, devPtr, size, policy, kTail, {}, caller);
  });
}

aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                            aclrtMallocConfig* cfg) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    allocate_device(runtime, devPtr, size, policy, kTail, MallocConfig::parse(cfg), caller);
  });
}

aclError aclrtMallocForTaskScheduler(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                                     aclrtMallocConfig* cfg) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    allocate_device(runtime, devPtr, size, policy, kTail, MallocConfig::parse(cfg), caller);
  });
}

aclError acldvppMalloc(void** devPtr, size_t size) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    allocate_device(runtime, devPtr, size, ACL_MEM_MALLOC_HUGE_FIRST, kTail, {}, caller);
  });
}

aclError aclrtFree(void* devPtr) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    free_device(runtime, require_input(devPtr, "devPtr"), caller);
  });
}

aclError acldvppFree(void* devPtr) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    free_device(runtime, require_input(devPtr, "devPtr"), caller);
  });
}

aclError aclrtFreeWithDevSync(void* devPtr) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    require_input(devPtr, "devPtr");
    current_context(runtime).synchronize(sim::Deadline::never());
    free_device(runtime, devPtr, caller);
  });
}

}  // extern "C"
