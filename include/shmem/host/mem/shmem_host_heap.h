/* SPDX-License-Identifier: Apache-2.0
 * The symmetric heap. An object has the same offset in the heap of each PE. */
#ifndef SHMEM_HOST_HEAP_H
#define SHMEM_HOST_HEAP_H

#include "../shmem_host_def.h"

#ifdef __cplusplus
#define ACLSHMEM_DEVICE_SIDE_BY_DEFAULT = DEVICE_SIDE
#else
#define ACLSHMEM_DEVICE_SIDE_BY_DEFAULT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Collective: all PEs call these functions in the same order with the same sizes; they end with a
 * barrier. Return NULL and report the reason if size is 0, there is no room, or a PE did not
 * arrive. The memory is device memory, as of aclrtMalloc. */
ACLSHMEM_HOST_API void* aclshmem_malloc(size_t size);
/* The memory is zeroed. Returns NULL without a barrier if the product is larger than the heap. */
ACLSHMEM_HOST_API void* aclshmem_calloc(size_t nmemb, size_t size);
/* `alignment`: a power of two of at most 1 GiB, and no larger than the heap. */
ACLSHMEM_HOST_API void* aclshmem_align(size_t alignment, size_t size);
/* Begins with a barrier; no effect for NULL. An address that is not an allocation is logged. */
ACLSHMEM_HOST_API void aclshmem_free(void* ptr);

/* The same with a kind of memory. Host memory (HOST_SIDE) is a second heap of the same size, which
 * the first allocation makes. Programs may access it directly. */
ACLSHMEM_HOST_API void* aclshmemx_malloc(
    size_t size, aclshmem_mem_type_t mem_type ACLSHMEM_DEVICE_SIDE_BY_DEFAULT);
ACLSHMEM_HOST_API void* aclshmemx_calloc(
    size_t nmemb, size_t size, aclshmem_mem_type_t mem_type ACLSHMEM_DEVICE_SIDE_BY_DEFAULT);
ACLSHMEM_HOST_API void* aclshmemx_align(
    size_t alignment, size_t size, aclshmem_mem_type_t mem_type ACLSHMEM_DEVICE_SIDE_BY_DEFAULT);
ACLSHMEM_HOST_API void aclshmemx_free(void* ptr,
                                      aclshmem_mem_type_t mem_type ACLSHMEM_DEVICE_SIDE_BY_DEFAULT);
/* The begin of this PE's heap; NULL before init, and as long as the heap of host memory does not
 * exist. */
ACLSHMEM_HOST_API void* aclshmemx_get_heap_base(
    aclshmem_mem_type_t mem_type ACLSHMEM_DEVICE_SIDE_BY_DEFAULT);

#ifdef __cplusplus
}
#endif

#undef ACLSHMEM_DEVICE_SIDE_BY_DEFAULT

#endif
