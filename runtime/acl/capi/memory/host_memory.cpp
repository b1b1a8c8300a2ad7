// SPDX-License-Identifier: Apache-2.0
// Host memory that devices reach: pinned, or the program's own and registered.
#include <array>

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/memory/allocation.h"
#include "runtime/acl/memory/host_registration.h"
#include "runtime/acl/memory/malloc_config.h"

using namespace acl;

namespace {

constexpr std::uint32_t kRegisterFlags =
    ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY | ACL_HOST_REG_PINNED;
constexpr unsigned kRegisterTypes = ACL_HOST_REGISTER_IOMEMORY | ACL_HOST_REGISTER_READONLY;

void allocate_host(Runtime& runtime, void** pointer, std::size_t size, const MallocConfig& config,
                   const void* caller) {
  void*& out = require_out(pointer, "hostPtr");
  out = nullptr;
  if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "size is 0");
  current_context(runtime);
  if (config.device >= 0) runtime.physical(config.device);
  AllocationRequest request;
  request.device = sim::kHostDevice;
  request.label.module = config.module;
  request.caller = caller;
  out = allocate(runtime, size, request);
}

void register_host(Runtime& runtime, void* pointer, std::uint64_t size, std::uint32_t flags) {
  runtime.section<HostRegistrations>().add(pointer, size, flags, current_context(runtime).device());
}

void check_register(const void* pointer, std::uint64_t size) {
  require_input(pointer, "ptr");
  if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "size is 0");
}

// The units that reach host memory in the emulated machine: its kernels and its copies.
constexpr std::array<aclrtHostMemMapCapability, ACL_RT_HAC_TYPE_CCU + 1> kMapCapabilities = [] {
  std::array<aclrtHostMemMapCapability, ACL_RT_HAC_TYPE_CCU + 1> table{};
  for (const int type : {ACL_RT_HAC_TYPE_STARS, ACL_RT_HAC_TYPE_AICPU, ACL_RT_HAC_TYPE_AIC,
                         ACL_RT_HAC_TYPE_AIV, ACL_RT_HAC_TYPE_PCIEDMA, ACL_RT_HAC_TYPE_SDMA}) {
    table[static_cast<std::size_t>(type)] = ACL_RT_HOST_MEM_MAP_SUPPORTED;
  }
  return table;
}();

}  // namespace

extern "C" {

aclError aclrtMallocHost(void** hostPtr, size_t size) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    allocate_host(runtime, hostPtr, size, {}, caller);
  });
}

aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size, aclrtMallocConfig* cfg) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    allocate_host(runtime, ptr, size, MallocConfig::parse(cfg), caller);
  });
}

aclError aclrtFreeHost(void* hostPtr) {
  return guarded(__func__,
                 [&](Runtime& runtime) { free_host(runtime, require_input(hostPtr, "hostPtr")); });
}

aclError aclrtFreeHostWithDevSync(void* hostPtr) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(hostPtr, "hostPtr");
    current_context(runtime).synchronize(sim::Deadline::never());
    free_host(runtime, hostPtr);
  });
}

aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_out(devPtr, "devPtr");
    out = nullptr;
    check_register(ptr, size);
    const auto bits = static_cast<unsigned>(type);
    if ((bits & ~kRegisterTypes) != 0) {
      fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "type is {:#x}; expected bits of {:#x}", bits,
           kRegisterTypes);
    }
    // The bits of both interfaces are the same.
    register_host(runtime, ptr, size, bits | ACL_HOST_REG_MAPPED);
    out = ptr;
  });
}

aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag) {
  return guarded(__func__, [&](Runtime& runtime) {
    check_register(ptr, size);
    if (flag == 0 || (flag & ~kRegisterFlags) != 0) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {:#x}; expected one or more bits of {:#x}", flag,
           kRegisterFlags);
    }
    register_host(runtime, ptr, size, flag);
  });
}

aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_out(pDevice, "pDevice");
    out = nullptr;
    require_input(pHost, "pHost");
    if (flag != 0) fail(ACL_ERROR_INVALID_PARAM, "flag is {:#x}; expected 0", flag);
    current_context(runtime);
    out = runtime.section<HostRegistrations>().device_pointer(pHost);
  });
}

aclError aclrtHostUnregister(void* ptr) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<HostRegistrations>().remove(require_input(ptr, "ptr"));
  });
}

aclError aclrtHostMemMapCapabilities(uint32_t deviceId, aclrtHacType hacType,
                                     aclrtHostMemMapCapability* capabilities) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtHostMemMapCapability& out = require_out(capabilities, "capabilities");
    const auto type = static_cast<std::size_t>(hacType);
    if (type >= kMapCapabilities.size()) {
      fail(ACL_ERROR_INVALID_PARAM, "hacType is {}; expected 0 to {}", type,
           kMapCapabilities.size() - 1);
    }
    runtime.physical(static_cast<int>(deviceId));
    out = kMapCapabilities[type];
  });
}

}  // extern "C"
