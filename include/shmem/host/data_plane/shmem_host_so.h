/* SPDX-License-Identifier: Apache-2.0
 * Transfers followed by a signal: a PE that sees the signal sees the data. */
#ifndef SHMEM_HOST_SO_H
#define SHMEM_HOST_SO_H

#include "../shmem_host_def.h"
#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The word has 32 bits. sig_op: an aclshmem_signal_op_type_t; other values have no effect. */
ACLSHMEM_HOST_API void aclshmemx_putmem_signal(void* dst, void* src, size_t elem_size,
                                               void* sig_addr, int32_t signal, int sig_op, int pe);
ACLSHMEM_HOST_API void aclshmemx_putmem_signal_nbi(void* dst, void* src, size_t elem_size,
                                                   void* sig_addr, int32_t signal, int sig_op,
                                                   int pe);
ACLSHMEM_HOST_API void aclshmemx_signal_op_on_stream(int32_t* sig_addr, int32_t signal, int sig_op,
                                                     int pe, aclrtStream stream);

#define ACLSHMEM_DECLARE(NAME, TYPE)                                                              \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_put_signal(TYPE* dst, TYPE* src, size_t elem_size,     \
                                                      uint8_t* sig_addr, int32_t signal,          \
                                                      int sig_op, int pe);                        \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_put_signal_nbi(TYPE* dst, TYPE* src, size_t elem_size, \
                                                          uint8_t* sig_addr, int32_t signal,      \
                                                          int sig_op, int pe);
ACLSHMEM_TYPE_FUNC(ACLSHMEM_DECLARE)
#undef ACLSHMEM_DECLARE

#define ACLSHMEM_DECLARE(BITS)                                                                     \
  ACLSHMEM_HOST_API void aclshmem_put##BITS##_signal(                                              \
      void* dst, void* src, size_t nelems, int32_t* sig_addr, int32_t signal, int sig_op, int pe); \
  ACLSHMEM_HOST_API void aclshmem_put##BITS##_signal_nbi(                                          \
      void* dst, void* src, size_t nelems, int32_t* sig_addr, int32_t signal, int sig_op, int pe);
ACLSHMEM_SIZE_FUNC(ACLSHMEM_DECLARE)
#undef ACLSHMEM_DECLARE

#ifdef __cplusplus
}
#endif

#endif
