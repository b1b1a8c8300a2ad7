/* SPDX-License-Identifier: Apache-2.0
 * What kernels have beside the functions of the host: order, and signals without data. */
#ifndef SHMEM_DEVICE_RMA_H
#define SHMEM_DEVICE_RMA_H

#include "../host/shmem_host_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What this PE has begun is complete when it returns: of a kernel, what the kernel did; of the
 * host, also what stands on the library's stream. fence is the same. */
ACLSHMEM_HOST_API void aclshmem_quiet(void);
ACLSHMEM_HOST_API void aclshmem_fence(void);

/* Changes a word of 32 bits at PE pe: sig_op is an aclshmem_signal_op_type_t, others leave it. */
ACLSHMEM_HOST_API void aclshmemx_signal_op(int32_t* sig_addr, int32_t signal, int sig_op, int pe);

#ifdef __cplusplus
}
#endif

#endif
