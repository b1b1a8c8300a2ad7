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

/*
 * dst: an address of this PE, a multiple of the word's size; the word is the one with the same
 * offset of PE pe. They are atomic with each other, with signals and with put and get of one
 * element, and who sees the new value sees what was written before. Those that fetch return the
 * value before; 0 where they fail. Errors are logged, and nothing is changed: a wrong PE, what is
 * not in the heap, an address that is no multiple. The emulator lets the host call them too.
 */
#define ACLSHMEM_DECLARE(NAME, TYPE)                                                  \
  ACLSHMEM_HOST_API TYPE aclshmem_##NAME##_atomic_fetch(TYPE* dst, int pe);           \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_atomic_set(TYPE* dst, TYPE value, int pe); \
  ACLSHMEM_HOST_API TYPE aclshmem_##NAME##_atomic_swap(TYPE* dst, TYPE value, int pe);
ACLSHMEM_AMO_SET_TYPE_FUNC(ACLSHMEM_DECLARE)
#undef ACLSHMEM_DECLARE

/* Sums pass the ends of their type as in two's complement. compare_swap: the word becomes `value`
 * if it is `cond`. */
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
