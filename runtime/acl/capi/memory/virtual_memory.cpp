// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/memory/virtual_memory.h"

#include "runtime/acl/capi/core/lookup.h"

using namespace acl;

namespace {

void require_zero(std::uint64_t value, const char* argument) {
  if (value != 0) {
    fail(ACL_ERROR_INVALID_PARAM, "{} is {:#x}; it is reserved and must be 0", argument, value);
  }
}

void require_size(std::size_t size) {
  if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "size is 0");
}

void reserve(Runtime& runtime, void** pointer, std::size_t size, std::size_t alignment,
             void* expected, std::uint64_t flags) {
  void*& out = require_out(pointer, "virPtr");
  out = nullptr;
  require_size(size);
  require_zero(alignment, "alignment");
  if (flags > 1) fail(ACL_ERROR_INVALID_PARAM, "flags is {:#x}; expected 0 or 1", flags);
  runtime.section<VirtualMemory>();
  out = runtime.memory().mappings().reserve(size, expected);
}

void map(Runtime& runtime, void* at, std::size_t size, std::size_t offset, void* handle,
         std::uint64_t flags, const sim::Mappings::Rights& rights, const void* caller) {
  require_input(at, "virPtr");
  require_input(handle, "handle");
  require_size(size);
  require_zero(offset, "offset");
  require_zero(flags, "flags");
  runtime.section<VirtualMemory>().map(at, size, handle, rights, caller);
}

sim::Access access_of(aclrtMemAccessFlags flags) {
  switch (flags) {
    case ACL_RT_MEM_ACCESS_FLAGS_NONE:
      return sim::Access::none;
    case ACL_RT_MEM_ACCESS_FLAGS_READ:
      return sim::Access::read;
    case ACL_RT_MEM_ACCESS_FLAGS_READWRITE:
      return sim::Access::read_write;
  }
  fail(ACL_ERROR_INVALID_PARAM, "flags is {}; expected none (0), read (1) or read and write (3)",
       static_cast<int>(flags));
}

/// The access of a device for which the program has set none: it reaches the memory like any other.
sim::Access usual_access(Runtime& runtime, int owner, int device) {
  if (owner == device || owner == sim::kHostDevice) return sim::Access::read_write;
  return device != sim::kHostDevice && runtime.links().open_ways(owner, device) != 0
             ? sim::Access::read_write
             : sim::Access::none;
}

sim::Allocation require_mapping(Runtime& runtime, const void* address) {
  const auto allocation = runtime.memory().mappings().find(address);
  if (!allocation) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "virPtr is {}, where nothing is mapped", address);
  }
  return *allocation;
}

}  // namespace

extern "C" {

aclError aclrtReserveMemAddress(void** virPtr, size_t size, size_t alignment, void* expectPtr,
                                uint64_t flags) {
  return guarded(__func__, [&](Runtime& runtime) {
    reserve(runtime, virPtr, size, alignment, expectPtr, flags);
  });
}

aclError aclrtReserveMemAddressNoUCMemory(void** virPtr, size_t size, size_t alignment,
                                          void* expectPtr, uint64_t flags) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (virPtr && size % kGigabyte != 0) {
      *virPtr = nullptr;
      fail(ACL_ERROR_RT_PARAM_INVALID, "size is {}; expected a multiple of 1 GiB", size);
    }
    reserve(runtime, virPtr, size, alignment, expectPtr, flags);
  });
}

aclError aclrtReleaseMemAddress(void* virPtr) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.memory().mappings().release(require_input(virPtr, "virPtr"));
  });
}

aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size,
                             const aclrtPhysicalMemProp* prop, uint64_t flags) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtDrvMemHandle& out = require_out(handle, "handle");
    out = nullptr;
    require_input(prop, "prop");
    require_size(size);
    require_zero(flags, "flags");
    out = runtime.section<VirtualMemory>().allocate(size, *prop);
  });
}

aclError aclrtFreePhysical(aclrtDrvMemHandle handle) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<VirtualMemory>().free(require_input(handle, "handle"));
  });
}

aclError aclrtMapMem(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                     uint64_t flags) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    map(runtime, virPtr, size, offset, handle, flags, {}, caller);
  });
}

aclError aclrtMemMapNoAccess(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                             uint64_t flags) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    map(runtime, virPtr, size, offset, handle, flags, {sim::Access::none, {}}, caller);
  });
}

aclError aclrtUnmapMem(void* virPtr) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<VirtualMemory>().unmap(require_input(virPtr, "virPtr"));
  });
}

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop,
                                          aclrtMemGranularityOptions option, size_t* granularity) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& out = require_out(granularity, "granularity");
    require_input(prop, "prop");
    if (option != ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM &&
        option != ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED) {
      fail(ACL_ERROR_INVALID_PARAM, "option is {}; expected minimum (0) or recommended (1)",
           static_cast<int>(option));
    }
    out = kind_of(runtime, *prop).granularity;
  });
}

aclError aclrtMemSetAccess(void* virPtr, size_t size, aclrtMemAccessDesc* desc, size_t count) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(virPtr, "virPtr");
    require_input(desc, "desc");
    require_size(size);
    if (count == 0) fail(ACL_ERROR_INVALID_PARAM, "count is 0");
    std::vector<std::pair<int, sim::Access>> named;
    for (size_t i = 0; i < count; ++i) {
      named.emplace_back(device_of(runtime, desc[i].location), access_of(desc[i].flags));
    }
    runtime.memory().mappings().set_access(virPtr, size, named);
  });
}

aclError aclrtMemGetAccess(void* virPtr, aclrtMemLocation* location, uint64_t* flag) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint64_t& out = require_out(flag, "flag");
    require_input(virPtr, "virPtr");
    require_input(location, "location");
    const int device = device_of(runtime, *location);
    const int owner = require_mapping(runtime, virPtr).device;
    const auto named = runtime.memory().mappings().rights(virPtr).of(device);
    out = static_cast<uint64_t>(named ? *named : usual_access(runtime, owner, device));
  });
}

aclError aclrtMemRetainAllocationHandle(void* virPtr, aclrtDrvMemHandle* handle) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtDrvMemHandle& out = require_out(handle, "handle");
    out = nullptr;
    out = runtime.section<VirtualMemory>().retain(require_input(virPtr, "virPtr"));
  });
}

aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle,
                                                   aclrtPhysicalMemProp* prop) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtPhysicalMemProp& out = require_out(prop, "prop");
    require_input(handle, "handle");
    out = runtime.section<VirtualMemory>().find(handle)->properties;
  });
}

aclError aclrtMemGetAddressRange(void* ptr, void** pbase, size_t* psize) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& base = require_out(pbase, "pbase");
    size_t& size = require_out(psize, "psize");
    base = nullptr;
    require_input(ptr, "ptr");
    const auto allocation = runtime.memory().find(ptr);
    if (!allocation) {
      fail(
          ACL_ERROR_RT_PARAM_INVALID,
          "ptr is {}, which lies in no allocation of aclrtMalloc or aclrtMallocHost and no mapping",
          ptr);
    }
    base = reinterpret_cast<void*>(allocation->begin);
    size = allocation->size;
  });
}

aclError aclrtMemMapSelectedLink(void* virPtrDst, size_t size, void* virPtrSrc, uint32_t) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    require_input(virPtrDst, "virPtrDst");
    require_input(virPtrSrc, "virPtrSrc");
    require_size(size);
    runtime.section<VirtualMemory>().map_again(virPtrDst, size, virPtrSrc, caller);
  });
}

aclError aclrtMemMapSetLink(aclrtDrvMemHandle handle, aclrtMemLinkType adviceLink) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(handle, "handle");
    if (adviceLink < ACL_RT_MEM_ACCESS_LINK_SIO ||
        adviceLink > ACL_RT_MEM_ACCESS_UB_MULTI_PORT_PATH) {
      fail(ACL_ERROR_INVALID_PARAM, "adviceLink is {}; expected 0 to 3",
           static_cast<int>(adviceLink));
    }
    runtime.section<VirtualMemory>().find(handle);
    if (adviceLink >= ACL_RT_MEM_ACCESS_UB_ONE_PORT_PATH) {
      fail(ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED, "adviceLink is {}; this machine has no UB links",
           static_cast<int>(adviceLink));
    }
  });
}

}  // extern "C"
