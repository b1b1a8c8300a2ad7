// SPDX-License-Identifier: Apache-2.0
#include "acl/acl.h"
#include "runtime/cuda/capi/entry.h"
#include "runtime/cuda/driver/address_space.h"
#include "runtime/cuda/driver/allocations.h"
#include "runtime/cuda/driver/pools.h"

using namespace cuda;

CUDA_ENTRY(cuMemGetInfo_v2, (size_t * free, size_t* total), {
  size_t& free_out = require_out(free, "free");
  size_t& total_out = require_out(total, "total");
  const ContextRef context = contexts::current();
  pools::trim();
  reclaim_memory();
  const InContext inside(*context);
  require_acl(aclrtGetMemInfo(ACL_HBM_MEM, &free_out, &total_out), "the memory");
});

CUDA_ENTRY(cuMemAlloc_v2, (CUdeviceptr * address, size_t size), {
  CUdeviceptr& out = require_out(address, "dptr");
  out = allocations::allocate(contexts::current(), size);
});

CUDA_ENTRY(cuMemFree_v2, (CUdeviceptr address), {
  Machine::get();
  if (!pools::free_now(address)) allocations::release(address);
});

CUDA_ENTRY(cuMemGetAddressRange_v2, (CUdeviceptr * base, size_t* size, CUdeviceptr address), {
  Machine::get();
  CUdeviceptr begin = 0;
  size_t bytes = 0;
  if (const auto block = pools::find(address)) {
    begin = block->begin;
    bytes = block->size;
  } else if (const auto mapping = address_space::find(address)) {
    begin = mapping->begin;
    bytes = mapping->size;
  } else if (const auto allocation = allocations::find(address)) {
    begin = allocation->begin;
    bytes = allocation->size;
  } else {
    fail(CUDA_ERROR_NOT_FOUND, "dptr is {:#x}, where nothing is allocated or mapped", address);
  }
  if (base) *base = begin;
  if (size) *size = bytes;
});

CUDA_ENTRY(cuMemAllocHost_v2, (void** address, size_t size), {
  void*& out = require_out(address, "pp");
  out = allocations::allocate_host(contexts::current(), size);
});

CUDA_ENTRY(cuMemHostAlloc, (void** address, size_t size, unsigned int flags), {
  void*& out = require_out(address, "pp");
  if (flags > 7) refuse("Flags is {:#x}; expected bits of 7", flags);
  out = allocations::allocate_host(contexts::current(), size);
});

CUDA_ENTRY(cuMemFreeHost, (void* address), {
  Machine::get();
  allocations::release_host(address);
});

CUDA_ENTRY(cuMemHostGetDevicePointer_v2, (CUdeviceptr * device, void* host, unsigned int flags), {
  CUdeviceptr& out = require_out(device, "pdptr");
  require_input(host, "p");
  require_zero(flags, "Flags");
  const ContextRef context = contexts::current();
  const InContext inside(*context);
  aclrtPtrAttributes found{};
  require_acl(aclrtPointerGetAttributes(host, &found), "the memory");
  if (found.location.type != ACL_MEM_LOCATION_TYPE_HOST) {
    refuse("p is {}, which was neither allocated nor registered as memory of the host", host);
  }
  out = reinterpret_cast<CUdeviceptr>(host);
});

CUDA_ENTRY(cuMemHostRegister_v2, (void* address, size_t size, unsigned int), {
  require_input(address, "p");
  const ContextRef context = contexts::current();
  const InContext inside(*context);
  void* device = nullptr;
  require_acl(aclrtHostRegister(address, size, ACL_HOST_REGISTER_MAPPED, &device), "the memory");
});

CUDA_ENTRY(cuMemHostUnregister, (void* address), {
  require_input(address, "p");
  const ContextRef context = contexts::current();
  const InContext inside(*context);
  require_acl(aclrtHostUnregister(address), "the memory");
});

// ---- pools ----

CUDA_STREAM_ENTRY(cuMemAllocAsync, cuMemAllocAsync_ptsz,
                  (CUdeviceptr * address, size_t size, CUstream stream), {
                    CUdeviceptr& out = require_out(address, "dptr");
                    out = pools::allocate(caller, nullptr, size, streams::find(stream, kOwn));
                  });

CUDA_STREAM_ENTRY(cuMemFreeAsync, cuMemFreeAsync_ptsz, (CUdeviceptr address, CUstream stream),
                  { pools::free_in_order(address, streams::find(stream, kOwn)); });

CUDA_STREAM_ENTRY(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync_ptsz,
                  (CUdeviceptr * address, size_t size, CUmemoryPool pool, CUstream stream), {
                    CUdeviceptr& out = require_out(address, "dptr");
                    require_input(pool, "pool");
                    out = pools::allocate(caller, pool, size, streams::find(stream, kOwn));
                  });

CUDA_ENTRY(cuMemPoolCreate, (CUmemoryPool * pool, const CUmemPoolProps* props), {
  CUmemoryPool& out = require_out(pool, "pool");
  out = pools::create(*require_input(props, "poolProps"));
});

CUDA_ENTRY(cuMemPoolDestroy, (CUmemoryPool pool), { pools::destroy(pool); });

CUDA_ENTRY(cuDeviceGetDefaultMemPool, (CUmemoryPool * pool, CUdevice device), {
  CUmemoryPool& out = require_out(pool, "pool_out");
  out = pools::default_of(device);
});
