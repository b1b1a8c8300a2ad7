// SPDX-License-Identifier: Apache-2.0
// The attributes of addresses (cuPointerGetAttribute).
#include <cstring>

#include "acl/acl.h"
#include "runtime/cuda/capi/entry.h"
#include "runtime/cuda/driver/address_space.h"
#include "runtime/cuda/driver/allocations.h"

using namespace cuda;

namespace {

/// The attributes of an address; empty for ordinary host memory.
struct Known {
  bool found = false;
  bool host = false;
  bool multicast = false;
  int device = 0;  // 0 for a multicast object of any team
  CUdeviceptr begin = 0;
  size_t size = 0;
  unsigned handle_types = 0;
  bool mapping = false;
  CUcontext context = nullptr;
};

void know_mapping(Known& known, const Mapping& mapping) {
  known.found = known.mapping = true;
  known.begin = mapping.begin;
  known.size = mapping.size;
  if (const MemoryRef& memory = mapping.handle->memory) {
    known.host = !memory->on_device();
    known.device = memory->on_device() ? memory->device() : 0;
    known.handle_types = static_cast<unsigned>(memory->properties().requestedHandleTypes);
  } else {
    known.multicast = true;
    known.handle_types = static_cast<unsigned>(mapping.handle->multicast->handle_types());
  }
}

Known know(CUdeviceptr address) {
  Machine::get();
  Known known;
  if (const auto mapping = address_space::find(address)) {
    know_mapping(known, *mapping);
  } else if (const auto allocation = allocations::find(address)) {
    const ContextRef context = allocation->context.lock();
    known.found = true;
    known.host = allocation->host;
    known.device = context ? context->device : 0;
    known.begin = allocation->begin;
    known.size = allocation->size;
    known.context = contexts::handle_of(context);
  }
  return known;
}

template <class T>
void put(void* out, T value) {
  std::memcpy(out, &value, sizeof value);
}

void answer(void* out, CUpointer_attribute attribute, CUdeviceptr address, const Known& known) {
  switch (static_cast<int>(attribute)) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return put(out, known.context);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return put(out,
                 static_cast<unsigned>(known.host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return put(out, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!known.host) refuse("ptr is {:#x}, memory of a device", address);
      return put(out, reinterpret_cast<void*>(address));
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      return put(out, static_cast<unsigned long long>(known.begin));
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return put(out, known.device);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
      return put(out, known.begin);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
      return put(out, known.size);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return put(out, static_cast<unsigned long long>(known.handle_types));
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return put(out, true);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      return put(out, false);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return put(out, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return put<CUmemoryPool>(out, nullptr);
    default:
      refuse("attribute is {}; expected 1 to 20", static_cast<int>(attribute));
  }
}

}  // namespace

CUDA_ENTRY(cuPointerGetAttribute, (void* data, CUpointer_attribute attribute, CUdeviceptr address),
           {
             require_input(data, "data");
             const Known known = know(address);
             if (!known.found) refuse("ptr is {:#x}, which this driver did not give out", address);
             answer(data, attribute, address, known);
           });

CUDA_ENTRY(cuPointerGetAttributes,
           (unsigned int count, CUpointer_attribute* attributes, void** data, CUdeviceptr address),
           {
             require_input(attributes, "attributes");
             require_input(data, "data");
             const Known known = know(address);
             for (unsigned i = 0; i < count; ++i) {
               require_input(data[i], "data[i]");
               if (known.found) answer(data[i], attributes[i], address, known);
             }
           });

CUDA_ENTRY(cuPointerSetAttribute,
           (const void* value, CUpointer_attribute attribute, CUdeviceptr address), {
             require_input(value, "value");
             if (attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || !know(address).found) {
               refuse(
                   "attribute is {}; expected CU_POINTER_ATTRIBUTE_SYNC_MEMOPS (6) of memory of "
                   "this driver",
                   static_cast<int>(attribute));
             }
           });
