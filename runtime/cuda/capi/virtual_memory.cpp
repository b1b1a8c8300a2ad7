// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/base/settings.h"
#include "runtime/cuda/capi/entry.h"
#include "runtime/cuda/driver/address_space.h"
#include "runtime/cuda/driver/sharing.h"
#include "runtime/cuda/multicast/table.h"

using namespace cuda;

namespace {

unsigned handle_types_of(const Handle& handle) {
  return handle.memory ? static_cast<unsigned>(handle.memory->properties().requestedHandleTypes)
                       : static_cast<unsigned>(handle.multicast->handle_types());
}

void require_exportable(const Handle& handle, CUmemAllocationHandleType type) {
  const auto bit = static_cast<unsigned>(type);
  if (bit != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR && bit != CU_MEM_HANDLE_TYPE_FABRIC) {
    refuse("handleType is {}; expected a file descriptor (1) or a fabric handle (8)", bit);
  }
  if ((handle_types_of(handle) & bit) == 0) {
    refuse("handleType is {}, which was not asked for when the handle was made ({:#x})", bit,
           handle_types_of(handle));
  }
}

}  // namespace

CUDA_ENTRY(cuMemAddressReserve,
           (CUdeviceptr * address, size_t size, size_t alignment, CUdeviceptr wanted,
            unsigned long long flags),
           {
             Machine::get();
             CUdeviceptr& out = require_out(address, "ptr");
             require_zero(flags, "flags");
             out = address_space::reserve(size, alignment, wanted);
           });

CUDA_ENTRY(cuMemAddressFree, (CUdeviceptr address, size_t size),
           { address_space::release(address, size); });

CUDA_ENTRY(cuMemCreate,
           (CUmemGenericAllocationHandle * handle, size_t size, const CUmemAllocationProp* prop,
            unsigned long long flags),
           {
             Machine::get();
             CUmemGenericAllocationHandle& out = require_out(handle, "handle");
             require_input(prop, "prop");
             require_zero(flags, "flags");
             out = handles::add(PhysicalMemory::create(size, *prop));
           });

CUDA_ENTRY(cuMemRelease, (CUmemGenericAllocationHandle handle), {
  Machine::get();
  handles::release(handle);
});

CUDA_ENTRY(cuMemMap,
           (CUdeviceptr address, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
            unsigned long long flags),
           {
             Machine::get();
             require_zero(flags, "flags");
             address_space::map(caller, address, size, offset, handle);
           });

CUDA_ENTRY(cuMemUnmap, (CUdeviceptr address, size_t size),
           { address_space::unmap(address, size); });

CUDA_ENTRY(cuMemSetAccess,
           (CUdeviceptr address, size_t size, const CUmemAccessDesc* desc, size_t count), {
             Machine::get();
             require_input(desc, "desc");
             address_space::set_access(address, size, desc, count);
           });

CUDA_ENTRY(cuMemGetAccess,
           (unsigned long long* flags, const CUmemLocation* location, CUdeviceptr address), {
             Machine::get();
             unsigned long long& out = require_out(flags, "flags");
             require_input(location, "location");
             out = address_space::access(address, *location);
           });

CUDA_ENTRY(cuMemExportToShareableHandle,
           (void* shareable, CUmemGenericAllocationHandle value, CUmemAllocationHandleType type,
            unsigned long long flags),
           {
             Machine::get();
             require_input(shareable, "shareableHandle");
             require_zero(flags, "flags");
             const HandleRef handle = handles::find(value);
             require_exportable(*handle, type);
             if (type == CU_MEM_HANDLE_TYPE_FABRIC) {
               *static_cast<CUmemFabricHandle*>(shareable) = sharing::export_fabric(*handle);
             } else {
               *static_cast<int*>(shareable) = sharing::export_file(*handle);
             }
           });

CUDA_ENTRY(cuMemImportFromShareableHandle,
           (CUmemGenericAllocationHandle * handle, void* shareable, CUmemAllocationHandleType type),
           {
             Machine::get();
             CUmemGenericAllocationHandle& out = require_out(handle, "handle");
             switch (static_cast<int>(type)) {
               case CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR:
                 out = sharing::import_file(
                     static_cast<int>(reinterpret_cast<std::intptr_t>(shareable)));
                 return;
               case CU_MEM_HANDLE_TYPE_FABRIC:
                 require_input(shareable, "osHandle");
                 out = sharing::import_fabric(*static_cast<const CUmemFabricHandle*>(shareable));
                 return;
               default:
                 refuse("shHandleType is {}; expected a file descriptor (1) or a fabric handle (8)",
                        static_cast<int>(type));
             }
           });

CUDA_ENTRY(cuMemGetAllocationGranularity,
           (size_t * granularity, const CUmemAllocationProp* prop,
            CUmemAllocationGranularity_flags option),
           {
             Machine::get();
             size_t& out = require_out(granularity, "granularity");
             require_input(prop, "prop");
             if (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM &&
                 option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) {
               refuse("option is {}; expected minimum (0) or recommended (1)",
                      static_cast<int>(option));
             }
             out = require_properties(*prop);
           });

CUDA_ENTRY(cuMemGetAllocationPropertiesFromHandle,
           (CUmemAllocationProp * prop, CUmemGenericAllocationHandle handle), {
             Machine::get();
             CUmemAllocationProp& out = require_out(prop, "prop");
             out = handles::find_memory(handle)->properties();
           });

CUDA_ENTRY(cuMemRetainAllocationHandle, (CUmemGenericAllocationHandle * handle, void* address), {
  Machine::get();
  CUmemGenericAllocationHandle& out = require_out(handle, "handle");
  const auto mapping = address_space::find(reinterpret_cast<CUdeviceptr>(address));
  if (!mapping) refuse("addr is {}, where nothing is mapped", address);
  handles::retain(mapping->handle);
  out = mapping->handle->value;
});
