/* SPDX-License-Identifier: Apache-2.0
 * Functions of kernels in addition to the host functions: ordering, and signals without data. */
#ifndef SHMEM_DEVICE_RMA_H
#define SHMEM_DEVICE_RMA_H

#include "../host/shmem_host_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns when the operations of this PE are complete. In a kernel: the operations of the kernel.
 * On the host: all operations, including tasks of the library's stream. fence is the same. */
ACLSHMEM_HOST_API void aclshmem_quiet(void);
ACLSHMEM_HOST_API void aclshmem_fence(void);

/* Changes a word of 32 bits at PE pe. sig_op: an aclshmem_signal_op_type_t; other values have no
 * effect. */
ACLSHMEM_HOST_API void aclshmemx_signal_op(int32_t* sig_addr, int32_t signal, int sig_op, int pe);

#ifdef __cplusplus
}
#endif

#endif
