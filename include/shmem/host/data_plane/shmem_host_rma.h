/* SPDX-License-Identifier: Apache-2.0
 * Transfers to and from the heaps of other PEs. */
#ifndef SHMEM_HOST_RMA_H
#define SHMEM_HOST_RMA_H

#include "../shmem_host_def.h"
#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The address of the same place at PE pe; NULL for a wrong PE and an address outside the heap. */
ACLSHMEM_HOST_API void* aclshmem_ptr(void* ptr, int pe);

/* `dst` of a put and `src` of a get are addresses of this PE: the transfer uses the same offset of
 * PE pe. The other address may be in any device memory of this process. Errors are logged, and
 * nothing is transferred: a wrong PE, an address outside the heap, bytes beyond an end. Functions
 * with nbi in their names are complete at the next barrier or quiet; the emulator completes them at
 * once. */
ACLSHMEM_HOST_API void aclshmem_putmem(void* dst, void* src, size_t elem_size, int32_t pe);
ACLSHMEM_HOST_API void aclshmem_getmem(void* dst, void* src, size_t elem_size, int32_t pe);
ACLSHMEM_HOST_API void aclshmem_putmem_nbi(void* dst, void* src, size_t elem_size, int32_t pe);
ACLSHMEM_HOST_API void aclshmem_getmem_nbi(void* dst, void* src, size_t elem_size, int32_t pe);

/* Transfers as tasks of the stream; NULL: a stream of the library, which synchronising calls wait
 * for. */
ACLSHMEM_HOST_API void aclshmemx_putmem_on_stream(void* dst, void* src, size_t elem_size,
                                                  int32_t pe, aclrtStream stream);
ACLSHMEM_HOST_API void aclshmemx_getmem_on_stream(void* dst, void* src, size_t elem_size,
                                                  int32_t pe, aclrtStream stream);
ACLSHMEM_HOST_API void aclshmemx_quiet_on_stream(aclrtStream stream);

/* Buffers of the engines: stored, without effect. -5 before init; -2: fewer than 128 bytes for rdma
 * and udma. */
ACLSHMEM_HOST_API int aclshmemx_set_mte_config(uint64_t offset, uint32_t ub_size, uint32_t sync_id);
ACLSHMEM_HOST_API int aclshmemx_set_sdma_config(uint64_t offset, uint32_t ub_size,
                                                uint32_t sync_id);
ACLSHMEM_HOST_API int aclshmemx_set_rdma_config(uint64_t offset, uint32_t ub_size,
                                                uint32_t sync_id);
ACLSHMEM_HOST_API int aclshmemx_set_udma_config(uint64_t offset, uint32_t ub_size,
                                                uint32_t sync_id);

/* nelems elements. iput and iget: every dst-th element of the target, every sst-th of the source. p
 * and g: one element; g returns 0 after an error. */
#define ACLSHMEM_DECLARE(NAME, TYPE)                                                             \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_put(TYPE* dest, TYPE* source, size_t nelems, int pe); \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_put_nbi(TYPE* dest, TYPE* source, size_t nelems,      \
                                                   int pe);                                      \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_get(TYPE* dest, TYPE* source, size_t nelems, int pe); \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_get_nbi(TYPE* dest, TYPE* source, size_t nelems,      \
                                                   int pe);                                      \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_iput(TYPE* dest, TYPE* source, ptrdiff_t dst,         \
                                                ptrdiff_t sst, size_t nelems, int pe);           \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_iget(TYPE* dest, TYPE* source, ptrdiff_t dst,         \
                                                ptrdiff_t sst, size_t nelems, int pe);           \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_p(TYPE* dst, const TYPE value, int pe);               \
  ACLSHMEM_HOST_API TYPE aclshmem_##NAME##_g(TYPE* src, int32_t pe);
ACLSHMEM_TYPE_FUNC(ACLSHMEM_DECLARE)
#undef ACLSHMEM_DECLARE

/* nelems elements of elem_size bits. */
#define ACLSHMEM_DECLARE(BITS)                                                                     \
  ACLSHMEM_HOST_API void aclshmem_put##BITS(void* dst, void* src, uint32_t elem_size, int32_t pe); \
  ACLSHMEM_HOST_API void aclshmem_put##BITS##_nbi(void* dst, void* src, uint32_t elem_size,        \
                                                  int32_t pe);                                     \
  ACLSHMEM_HOST_API void aclshmem_get##BITS(void* dst, void* src, uint32_t elem_size, int32_t pe); \
  ACLSHMEM_HOST_API void aclshmem_get##BITS##_nbi(void* dst, void* src, uint32_t elem_size,        \
                                                  int32_t pe);                                     \
  ACLSHMEM_HOST_API void aclshmem_iput##BITS(void* dest, void* source, ptrdiff_t dst,              \
                                             ptrdiff_t sst, size_t nelems, int pe);                \
  ACLSHMEM_HOST_API void aclshmem_iget##BITS(void* dest, void* source, ptrdiff_t dst,              \
                                             ptrdiff_t sst, size_t nelems, int pe);
ACLSHMEM_SIZE_FUNC(ACLSHMEM_DECLARE)
#undef ACLSHMEM_DECLARE

#ifdef __cplusplus
}
#endif

#endif
