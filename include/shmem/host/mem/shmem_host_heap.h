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

/*
 * All PEs call these in the same order with the same sizes; they end with a barrier. NULL, with a
 * text that says why: size is 0, there is no room, a PE did not come. The memory is device memory,
 * as of aclrtMalloc.
 */
ACLSHMEM_HOST_API void* aclshmem_malloc(size_t size);
/* Zeros. NULL without a barrier when the product is larger than the heap. */
ACLSHMEM_HOST_API void* aclshmem_calloc(size_t nmemb, size_t size);
/* `alignment`: a power of two of at most 1 GiB, and no more than the heap has. */
ACLSHMEM_HOST_API void* aclshmem_align(size_t alignment, size_t size);
/* A barrier first; nothing for NULL. Other addresses than those of allocations are logged. */
ACLSHMEM_HOST_API void aclshmem_free(void* ptr);

/* The same with a place. Memory of the host (HOST_SIDE) is a heap of its own, as large as that of
 * the device, which the first allocation makes. Programs may read and write it themselves. */
ACLSHMEM_HOST_API void* aclshmemx_malloc(
    size_t size, aclshmem_mem_type_t mem_type ACLSHMEM_DEVICE_SIDE_BY_DEFAULT);
ACLSHMEM_HOST_API void* aclshmemx_calloc(
    size_t nmemb, size_t size, aclshmem_mem_type_t mem_type ACLSHMEM_DEVICE_SIDE_BY_DEFAULT);
ACLSHMEM_HOST_API void* aclshmemx_align(
    size_t alignment, size_t size, aclshmem_mem_type_t mem_type ACLSHMEM_DEVICE_SIDE_BY_DEFAULT);
ACLSHMEM_HOST_API void aclshmemx_free(void* ptr,
                                      aclshmem_mem_type_t mem_type ACLSHMEM_DEVICE_SIDE_BY_DEFAULT);
/* Where this PE's heap begins; NULL before init, and while there is none of the host. */
ACLSHMEM_HOST_API void* aclshmemx_get_heap_base(
    aclshmem_mem_type_t mem_type ACLSHMEM_DEVICE_SIDE_BY_DEFAULT);

#ifdef __cplusplus
}
#endif

#undef ACLSHMEM_DEVICE_SIDE_BY_DEFAULT

#endif
