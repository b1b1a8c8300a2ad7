// SPDX-License-Identifier: Apache-2.0
// host/mem/shmem_host_heap.h
#include "shmem/host/mem/shmem_host_heap.h"

#include "runtime/shmem/base/guard.h"
#include "runtime/shmem/pe/pe.h"

using namespace shmem;

namespace {

Side side_of(aclshmem_mem_type_t type) {
  switch (type) {
    case HOST_SIDE:
      return Side::host;
    case DEVICE_SIDE:
      return Side::device;
  }
  fail(ACLSHMEM_INVALID_PARAM, "mem_type is {}; expected HOST_SIDE (0) or DEVICE_SIDE (1)",
       static_cast<int>(type));
}

void* allocate(const char* function, std::size_t bytes, std::size_t alignment, bool zero,
               aclshmem_mem_type_t type) {
  return guarded_value(function, static_cast<void*>(nullptr), [&] {
    const auto me = Pe::get();
    return me->allocate(side_of(type), bytes, alignment, zero);
  });
}

void* allocate_zeros(const char* function, std::size_t count, std::size_t size,
                     aclshmem_mem_type_t type) {
  return guarded_value(function, static_cast<void*>(nullptr), [&]() -> void* {
    const auto me = Pe::get();
    const Side side = side_of(type);
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > me->heap_bytes()) {
      fail(ACLSHMEM_INVALID_VALUE, "{} times {} bytes are more than the heap, which has {}", count,
           size, me->heap_bytes());
    }
    return me->allocate(side, bytes, Heap::kRounding, true);
  });
}

void release(const char* function, void* address, aclshmem_mem_type_t type) {
  if (!address) return;
  guarded(function, [&] {
    const auto me = Pe::get();
    me->release(side_of(type), address);
  });
}

}  // namespace

extern "C" {

void* aclshmem_malloc(size_t size) {
  return allocate(__func__, size, Heap::kRounding, false, DEVICE_SIDE);
}
void* aclshmem_calloc(size_t nmemb, size_t size) {
  return allocate_zeros(__func__, nmemb, size, DEVICE_SIDE);
}
void* aclshmem_align(size_t alignment, size_t size) {
  return allocate(__func__, size, alignment, false, DEVICE_SIDE);
}
void aclshmem_free(void* ptr) { release(__func__, ptr, DEVICE_SIDE); }

void* aclshmemx_malloc(size_t size, aclshmem_mem_type_t mem_type) {
  return allocate(__func__, size, Heap::kRounding, false, mem_type);
}
void* aclshmemx_calloc(size_t nmemb, size_t size, aclshmem_mem_type_t mem_type) {
  return allocate_zeros(__func__, nmemb, size, mem_type);
}
void* aclshmemx_align(size_t alignment, size_t size, aclshmem_mem_type_t mem_type) {
  return allocate(__func__, size, alignment, false, mem_type);
}
void aclshmemx_free(void* ptr, aclshmem_mem_type_t mem_type) { release(__func__, ptr, mem_type); }

void* aclshmemx_get_heap_base(aclshmem_mem_type_t mem_type) {
  const auto me = Pe::find();
  if (!me || (mem_type != HOST_SIDE && mem_type != DEVICE_SIDE)) return nullptr;
  return me->heap_begin(side_of(mem_type));
}

}  // extern "C"
