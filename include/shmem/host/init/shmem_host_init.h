/* SPDX-License-Identifier: Apache-2.0
 * How PEs find each other, and how they part. */
#ifndef SHMEM_HOST_INIT_H
#define SHMEM_HOST_INIT_H

#ifndef __cplusplus
#include <stdbool.h>
#endif
#include "../shmem_host_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An aclshmemx_init_status_t: 1 while another thread is in init and this PE's heap is made, 2 from
 * init to finalize, else 0. Any thread. */
ACLSHMEM_HOST_API int aclshmemx_init_status(void);

/*
 * All PEs call it, each in a process with a device of its choice; returns when all have come.
 * -1: attr is NULL, my_pe >= n_pes, a bad address (unless comm_args is a unique id, which is used
 * instead), TLS settings that cannot be used. -2: a value out of its range. -4: initialised before,
 * or nobody listens at the address. -6: the port is taken, or the PE is there already; by MPI: PE 0
 * has failed. -7: a PE did not come within shm_init_timeout. -9: ACLSHMEMX_INIT_WITH_MPI in a
 * program without MPI, or of a kind that there is no plug-in for. -100: instance_id not 0.
 */
ACLSHMEM_HOST_API int aclshmemx_init_attr(aclshmemx_bootstrap_t bootstrap_flags,
                                          aclshmemx_init_attr_t* attributes);

/* Draws an identity, and opens the place where PEs meet: this process must become PE 0. -1: NULL.
 */
ACLSHMEM_HOST_API int aclshmemx_get_uniqueid(aclshmemx_uniqueid_t* uid);

/* Fills *attributes; `uid` is kept as a pointer until init. -1: NULL. -2: out of range. */
ACLSHMEM_HOST_API int aclshmemx_set_attr_uniqueid_args(int my_pe, int n_pes, int64_t local_mem_size,
                                                       aclshmemx_uniqueid_t* uid,
                                                       aclshmemx_init_attr_t* aclshmem_attr);

/* All PEs call it. 0 where nothing is initialised. -7: a PE did not come; all is released still. */
ACLSHMEM_HOST_API int aclshmem_finalize(void);
/* As aclshmem_finalize, of instance 0; -4 for another. */
ACLSHMEM_HOST_API int aclshmemx_finalize(uint64_t instance_id);
/* Not emulated: NULL, and -100. */
ACLSHMEM_HOST_API aclshmem_instance_ctx* aclshmemx_instance_ctx_get(void);
ACLSHMEM_HOST_API int aclshmemx_instance_ctx_set(uint64_t instance_id);

/* 1 and 1. NULL is left out. */
ACLSHMEM_HOST_API void aclshmem_info_get_version(int* major, int* minor);
/* `name` has room for ACLSHMEM_MAX_NAME_LEN bytes, or is NULL. */
ACLSHMEM_HOST_API void aclshmem_info_get_name(char* name);

/* Ends all PEs with this status, as exit does. Nothing happens before init. */
ACLSHMEM_HOST_API void aclshmem_global_exit(int status);

/* Whether PEs meet over TLS: off unless set, before init. tls_info: "tlsCert: FILE; tlsCaFile:
   FILE", and more (docs/shmem.md). -1 without a certificate or an authority; what cannot be used
   makes init answer -1. */
ACLSHMEM_HOST_API int32_t aclshmemx_set_conf_store_tls(bool enable, const char* tls_info,
                                                       const uint32_t tls_info_len);
/* The private key for it, and the handler that decrypts its password; before init. */
ACLSHMEM_HOST_API int32_t aclshmemx_set_config_store_tls_key(
    const char* tls_pk, const uint32_t tls_pk_len, const char* tls_pk_pw,
    const uint32_t tls_pk_pw_len, const aclshmem_decrypt_handler decrypt_handler);

#ifdef __cplusplus
}
#endif

#endif
