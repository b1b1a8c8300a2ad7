/* SPDX-License-Identifier: Apache-2.0
 * Atomic operations on words of any PE's heap. */
#ifndef SHMEM_DEVICE_AMO_H
#define SHMEM_DEVICE_AMO_H

#include "../host/shmem_host_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The functions that exist once for each type: FUNC(name, type). */
#define ACLSHMEM_AMO_TYPE_FUNC(FUNC) \
  FUNC(int32, int32_t)               \
  FUNC(int64, int64_t)               \
  FUNC(uint32, uint32_t)             \
  FUNC(uint64, uint64_t)
#define ACLSHMEM_AMO_SET_TYPE_FUNC(FUNC) \
  ACLSHMEM_AMO_TYPE_FUNC(FUNC)           \
  FUNC(float, float)                     \
  FUNC(double, double)

/* dst: an address of this PE, a multiple of the word's size; the word is at the same offset of PE
 * pe. The functions are atomic with each other, with signals, and with put and get of one element.
 * A thread that sees the new value sees everything that was written before it. Fetching functions
 * return the old value, or 0 after an error. Errors are logged, and the word is unchanged: a wrong
 * PE, an address outside the heap, an unaligned address. In the emulator the host may call them
 * too. */
#define ACLSHMEM_DECLARE(NAME, TYPE)                                                  \
  ACLSHMEM_HOST_API TYPE aclshmem_##NAME##_atomic_fetch(TYPE* dst, int pe);           \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_atomic_set(TYPE* dst, TYPE value, int pe); \
  ACLSHMEM_HOST_API TYPE aclshmem_##NAME##_atomic_swap(TYPE* dst, TYPE value, int pe);
ACLSHMEM_AMO_SET_TYPE_FUNC(ACLSHMEM_DECLARE)
#undef ACLSHMEM_DECLARE

/* Sums wrap as in two's complement. compare_swap: the word becomes `value` if it is `cond`. */
#define ACLSHMEM_DECLARE(NAME, TYPE)                                                             \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_atomic_add(TYPE* dst, TYPE value, int pe);            \
  ACLSHMEM_HOST_API TYPE aclshmem_##NAME##_atomic_fetch_add(TYPE* dst, TYPE value, int pe);      \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_atomic_inc(TYPE* dst, int pe);                        \
  ACLSHMEM_HOST_API TYPE aclshmem_##NAME##_atomic_fetch_inc(TYPE* dst, int pe);                  \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_atomic_and(TYPE* dst, TYPE value, int pe);            \
  ACLSHMEM_HOST_API TYPE aclshmem_##NAME##_atomic_fetch_and(TYPE* dst, TYPE value, int pe);      \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_atomic_or(TYPE* dst, TYPE value, int pe);             \
  ACLSHMEM_HOST_API TYPE aclshmem_##NAME##_atomic_fetch_or(TYPE* dst, TYPE value, int pe);       \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_atomic_xor(TYPE* dst, TYPE value, int pe);            \
  ACLSHMEM_HOST_API TYPE aclshmem_##NAME##_atomic_fetch_xor(TYPE* dst, TYPE value, int pe);      \
  ACLSHMEM_HOST_API TYPE aclshmem_##NAME##_atomic_compare_swap(TYPE* dst, TYPE cond, TYPE value, \
                                                               int pe);
ACLSHMEM_AMO_TYPE_FUNC(ACLSHMEM_DECLARE)
#undef ACLSHMEM_DECLARE

#ifdef __cplusplus
}
#endif

#endif
