/* SPDX-License-Identifier: Apache-2.0
 * Initialisation and finalisation. */
#ifndef SHMEM_HOST_INIT_H
#define SHMEM_HOST_INIT_H

#ifndef __cplusplus
#include <stdbool.h>
#endif
#include "../shmem_host_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An aclshmemx_init_status_t: 1 while another thread is in init and has made this PE's heap, 2 from
 * init to finalize, otherwise 0. Any thread. */
ACLSHMEM_HOST_API int aclshmemx_init_status(void);

/* Collective: each PE calls it in a process with a device of its choice. Returns when all PEs have
 * arrived. -1: attr is NULL, my_pe >= n_pes, an invalid address (unless comm_args is a unique id,
 * which is then used), TLS settings that cannot be used. -2: a value out of its range. -4: already
 * initialised, or no process listens at the address. -6: the port is taken, or the PE has joined
 * already; with MPI: PE 0 has failed. -7: a PE did not arrive within shm_init_timeout. -9:
 * ACLSHMEMX_INIT_WITH_MPI in a program without MPI, or with a kind of MPI for which there is no
 * plug-in. -100: instance_id is not 0. */
ACLSHMEM_HOST_API int aclshmemx_init_attr(aclshmemx_bootstrap_t bootstrap_flags,
                                          aclshmemx_init_attr_t* attributes);

/* Draws an identity and opens the store where PEs meet: this process must become PE 0. -1: NULL. */
ACLSHMEM_HOST_API int aclshmemx_get_uniqueid(aclshmemx_uniqueid_t* uid);

/* Fills *attributes; `uid` is kept as a pointer until init. -1: NULL. -2: out of range. */
ACLSHMEM_HOST_API int aclshmemx_set_attr_uniqueid_args(int my_pe, int n_pes, int64_t local_mem_size,
                                                       aclshmemx_uniqueid_t* uid,
                                                       aclshmemx_init_attr_t* aclshmem_attr);

/* Collective. 0 before init. -7: a PE did not arrive; all resources are released nevertheless. */
ACLSHMEM_HOST_API int aclshmem_finalize(void);
/* As aclshmem_finalize, for instance 0; -4 for another instance. */
ACLSHMEM_HOST_API int aclshmemx_finalize(uint64_t instance_id);
/* Not emulated: returns NULL and reports -100. */
ACLSHMEM_HOST_API aclshmem_instance_ctx* aclshmemx_instance_ctx_get(void);
ACLSHMEM_HOST_API int aclshmemx_instance_ctx_set(uint64_t instance_id);

/* 1 and 1. NULL is ignored. */
ACLSHMEM_HOST_API void aclshmem_info_get_version(int* major, int* minor);
/* `name` has room for ACLSHMEM_MAX_NAME_LEN bytes, or is NULL. */
ACLSHMEM_HOST_API void aclshmem_info_get_name(char* name);

/* Ends all PEs with this status, as exit does. No effect before init. */
ACLSHMEM_HOST_API void aclshmem_global_exit(int status);

/* Whether PEs join over TLS: off unless set; called before init. tls_info: "tlsCert: FILE;
 * tlsCaFile: FILE", and more (docs/shmem.md). -1 without a certificate or an authority. Unusable
 * settings make init return -1. */
ACLSHMEM_HOST_API int32_t aclshmemx_set_conf_store_tls(bool enable, const char* tls_info,
                                                       const uint32_t tls_info_len);
/* The private key for TLS, and the handler that decrypts its password; called before init. */
ACLSHMEM_HOST_API int32_t aclshmemx_set_config_store_tls_key(
    const char* tls_pk, const uint32_t tls_pk_len, const char* tls_pk_pw,
    const uint32_t tls_pk_pw_len, const aclshmem_decrypt_handler decrypt_handler);

#ifdef __cplusplus
}
#endif

#endif
