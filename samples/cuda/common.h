// SPDX-License-Identifier: Apache-2.0
// The common parts of the samples: stop at the first failed call; map memory at an address.
#pragma once

#include <cuda/cuda_multicast.h>  // with a CUDA toolkit: <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

inline void check(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  const char* text = nullptr;
  cuGetErrorString(result, &text);
  std::fprintf(stderr, "%s: %d %s\n", call, static_cast<int>(result), text ? text : "");
  std::exit(1);
}
#define CHECK(call) check(call, #call)

inline CUmemGenericAllocationHandle create_memory(int device, size_t size, int handle_types = 0) {
  CUmemAllocationProp prop{};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.requestedHandleTypes = static_cast<CUmemAllocationHandleType>(handle_types);
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  prop.location.id = device;
  CUmemGenericAllocationHandle memory;
  CHECK(cuMemCreate(&memory, size, &prop, 0));
  return memory;
}

// Maps memory, or a multicast object, with read and write access for these devices.
inline CUdeviceptr map(CUmemGenericAllocationHandle handle, size_t size,
                       const std::vector<int>& devices) {
  CUdeviceptr address = 0;
  CHECK(cuMemAddressReserve(&address, size, 0, 0, 0));
  CHECK(cuMemMap(address, size, 0, handle, 0));
  std::vector<CUmemAccessDesc> access;
  for (const int device : devices) {
    CUmemAccessDesc desc{};
    desc.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    desc.location.id = device;
    desc.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    access.push_back(desc);
  }
  CHECK(cuMemSetAccess(address, size, access.data(), access.size()));
  return address;
}

inline void unmap(CUdeviceptr address, size_t size) {
  CHECK(cuMemUnmap(address, size));
  CHECK(cuMemAddressFree(address, size));
}
