// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/base/settings.h"
#include "runtime/cuda/capi/entry.h"
#include "runtime/cuda/driver/address_space.h"

using namespace cuda;

namespace {

/// `device`: where the caller says that the memory is; -1: it does not say.
void bind(CUmemGenericAllocationHandle object, int device, size_t offset, const MemoryRef& memory,
          size_t memory_offset, size_t size) {
  const MulticastRef multicast = handles::find_multicast(object);
  multicast->wait_until_complete("a bind");
  multicast->bind(offset, memory, memory_offset, size, device);
}

void bind_memory(CUmemGenericAllocationHandle object, int device, size_t offset,
                 CUmemGenericAllocationHandle memory, size_t memory_offset, size_t size,
                 unsigned long long flags) {
  require_zero(flags, "flags");
  handles::find_multicast(object);
  bind(object, device, offset, handles::find_memory(memory, "memHandle"), memory_offset, size);
}

void require_same_device(const std::vector<MappedPart>& parts) {
  for (const MappedPart& part : parts) {
    const MemoryRef& memory = part.mapping->handle->memory;
    if (!memory) refuse("memptr lies in a multicast object; expected memory");
    if (memory->device() != parts.front().mapping->handle->memory->device()) {
      refuse("memptr and size cover memory of several devices");
    }
  }
}

// A range may cover several mappings: each is a binding of its own, and all of them are made, or
// none.
void bind_address(CUmemGenericAllocationHandle object, int device, size_t offset,
                  CUdeviceptr address, size_t size, unsigned long long flags) {
  require_zero(flags, "flags");
  const MulticastRef multicast = handles::find_multicast(object);
  if (size == 0) refuse("size is 0");
  const auto parts = address_space::parts(address, size, "memptr");
  if (parts.empty()) {
    refuse("memptr is {:#x}, where no memory of cuMemCreate is mapped", address);
  }
  require_same_device(parts);
  multicast->wait_until_complete("a bind");
  std::size_t done = 0;
  try {
    for (const MappedPart& part : parts) {
      multicast->bind(offset + done, part.mapping->handle->memory, part.offset, part.size, device,
                      {offset, size});
      done += part.size;
    }
  } catch (const Error&) {
    if (done != 0) {
      multicast->unbind(parts.front().mapping->handle->memory->device(), offset, size);
    }
    throw;
  }
}

}  // namespace

CUDA_ENTRY(cuMulticastCreate,
           (CUmemGenericAllocationHandle * mcHandle, const CUmulticastObjectProp* prop), {
             machine_with_multicast();
             CUmemGenericAllocationHandle& out = require_out(mcHandle, "mcHandle");
             require_input(prop, "prop");
             out = handles::add(MulticastObject::create(*prop));
           });

CUDA_ENTRY(cuMulticastAddDevice, (CUmemGenericAllocationHandle mcHandle, CUdevice device), {
  machine_with_multicast();
  handles::find_multicast(mcHandle)->add(device);
});

CUDA_ENTRY(cuMulticastBindMem,
           (CUmemGenericAllocationHandle mcHandle, size_t mcOffset,
            CUmemGenericAllocationHandle memHandle, size_t memOffset, size_t size,
            unsigned long long flags),
           {
             machine_with_multicast();
             bind_memory(mcHandle, -1, mcOffset, memHandle, memOffset, size, flags);
           });

CUDA_ENTRY(cuMulticastBindMem_v2,
           (CUmemGenericAllocationHandle mcHandle, CUdevice device, size_t mcOffset,
            CUmemGenericAllocationHandle memHandle, size_t memOffset, size_t size,
            unsigned long long flags),
           {
             machine_with_multicast().require_device(device);
             bind_memory(mcHandle, device, mcOffset, memHandle, memOffset, size, flags);
           });

CUDA_ENTRY(cuMulticastBindAddr,
           (CUmemGenericAllocationHandle mcHandle, size_t mcOffset, CUdeviceptr address,
            size_t size, unsigned long long flags),
           {
             machine_with_multicast();
             bind_address(mcHandle, -1, mcOffset, address, size, flags);
           });

CUDA_ENTRY(cuMulticastBindAddr_v2,
           (CUmemGenericAllocationHandle mcHandle, CUdevice device, size_t mcOffset,
            CUdeviceptr address, size_t size, unsigned long long flags),
           {
             machine_with_multicast().require_device(device);
             bind_address(mcHandle, device, mcOffset, address, size, flags);
           });

CUDA_ENTRY(cuMulticastUnbind,
           (CUmemGenericAllocationHandle mcHandle, CUdevice device, size_t mcOffset, size_t size), {
             machine_with_multicast();
             handles::find_multicast(mcHandle)->unbind(device, mcOffset, size);
           });

CUDA_ENTRY(cuMulticastGetGranularity,
           (size_t * granularity, const CUmulticastObjectProp* prop,
            CUmulticastGranularity_flags option),
           {
             // The size may be any: programs round it up to the granularity afterwards.
             machine_with_multicast();
             size_t& out = require_out(granularity, "granularity");
             require_input(prop, "prop");
             require_multicast(*prop);
             if (option != CU_MULTICAST_GRANULARITY_MINIMUM &&
                 option != CU_MULTICAST_GRANULARITY_RECOMMENDED) {
               refuse("option is {}; expected minimum (0) or recommended (1)",
                      static_cast<int>(option));
             }
             const bool fabric = (prop->handleTypes & CU_MEM_HANDLE_TYPE_FABRIC) != 0;
             out = fabric && option == CU_MULTICAST_GRANULARITY_RECOMMENDED
                       ? settings().recommended_fabric
                       : multicast::kGranularity;
           });
