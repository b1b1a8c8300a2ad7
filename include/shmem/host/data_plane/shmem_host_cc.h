/* SPDX-License-Identifier: Apache-2.0
 * Barriers. They complete what the members issued before. */
#ifndef SHMEM_HOST_CC_H
#define SHMEM_HOST_CC_H

#include "../shmem_host_def.h"
#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called by all members. An error is logged if one of them dies, or does not arrive within
 * control_operation_timeout. No effect for ACLSHMEM_TEAM_INVALID. */
ACLSHMEM_HOST_API void aclshmem_barrier(aclshmem_team_t team);
ACLSHMEM_HOST_API void aclshmem_barrier_all(void);
ACLSHMEM_HOST_API void aclshmem_sync(aclshmem_team_t team);
ACLSHMEM_HOST_API void aclshmem_sync_all(void);
/* A barrier as a task of the stream; NULL: the library's stream. */
ACLSHMEM_HOST_API void aclshmemx_barrier_on_stream(aclshmem_team_t team, aclrtStream stream);
ACLSHMEM_HOST_API void aclshmemx_barrier_all_on_stream(aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
