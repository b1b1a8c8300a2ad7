/* SPDX-License-Identifier: Apache-2.0
 * SHMEM for kernels that are compiled for the host and launched by aclsimLaunchKernel or by name.
 * A kernel calls the functions of shmem.h for transfers, signals, waits, barriers and queries of
 * teams, and the functions of this header. In C++ there are also variants that return their result
 * instead of storing it through a pointer.
 *
 * The blocks of a kernel run one after the other, so a kernel that waits for other PEs, or that
 * other PEs wait for, is launched with one block. A kernel is ordered by its stream, but not after
 * transfers that the host has begun without a stream.
 */
#ifndef SHMEM_DEVICE_H
#define SHMEM_DEVICE_H

#include "device/shmem_device_amo.h"
#include "device/shmem_device_rma.h"
#include "shmem.h"

#ifdef __cplusplus

inline void aclshmem_putmem_signal(void* dst, void* src, size_t elem_size, void* sig_addr,
                                   int32_t signal, int sig_op, int pe) {
  aclshmemx_putmem_signal(dst, src, elem_size, sig_addr, signal, sig_op, pe);
}
inline void aclshmem_putmem_signal_nbi(void* dst, void* src, size_t elem_size, void* sig_addr,
                                       int32_t signal, int sig_op, int pe) {
  aclshmemx_putmem_signal_nbi(dst, src, elem_size, sig_addr, signal, sig_op, pe);
}

/* Older names of barriers, and functions for the number of util_get_ffts_config, which have no
 * effect. */
inline void aclshmemx_barrier_vec(aclshmem_team_t team) { aclshmem_barrier(team); }
inline void aclshmemx_barrier_all_vec(void) { aclshmem_barrier_all(); }
inline void util_set_ffts_config(uint64_t) {}

/* any: an index, SIZE_MAX for none. some: a number of elements. test: 0 or 1. */
#define ACLSHMEM_DECLARE(NAME, TYPE)                                                               \
  inline size_t aclshmem_##NAME##_wait_until_any(TYPE* ivars, size_t nelems, const int* status,    \
                                                 int cmp, TYPE cmp_value) {                        \
    size_t found = SIZE_MAX;                                                                       \
    aclshmem_##NAME##_wait_until_any(ivars, nelems, status, cmp, cmp_value, &found);               \
    return found;                                                                                  \
  }                                                                                                \
  inline size_t aclshmem_##NAME##_wait_until_some(TYPE* ivars, size_t nelems, size_t* indices,     \
                                                  const int* status, int cmp, TYPE cmp_value) {    \
    size_t count = 0;                                                                              \
    aclshmem_##NAME##_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value, &count);     \
    return count;                                                                                  \
  }                                                                                                \
  inline int aclshmem_##NAME##_test(TYPE* ivar, int cmp, TYPE cmp_value) {                         \
    int holds = 0;                                                                                 \
    aclshmem_##NAME##_test(ivar, cmp, cmp_value, &holds);                                          \
    return holds;                                                                                  \
  }                                                                                                \
  inline size_t aclshmem_##NAME##_test_any(TYPE* ivars, size_t nelems, const int* status, int cmp, \
                                           TYPE cmp_value) {                                       \
    size_t found = SIZE_MAX;                                                                       \
    aclshmem_##NAME##_test_any(ivars, nelems, status, cmp, cmp_value, &found);                     \
    return found;                                                                                  \
  }                                                                                                \
  inline size_t aclshmem_##NAME##_test_some(TYPE* ivars, size_t nelems, size_t* indices,           \
                                            const int* status, int cmp, TYPE cmp_value) {          \
    size_t count = 0;                                                                              \
    aclshmem_##NAME##_test_some(ivars, nelems, indices, status, cmp, cmp_value, &count);           \
    return count;                                                                                  \
  }
ACLSHMEM_P2P_SYNC_TYPE_FUNC(ACLSHMEM_DECLARE)
#undef ACLSHMEM_DECLARE

#endif

#endif
