/* SPDX-License-Identifier: Apache-2.0
 * Teams of PEs. None of these functions communicates. */
#ifndef SHMEM_HOST_TEAM_H
#define SHMEM_HOST_TEAM_H

#include "../shmem_host_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -1 before init. */
ACLSHMEM_HOST_API int aclshmem_my_pe(void);
ACLSHMEM_HOST_API int aclshmem_n_pes(void);
/* -1 if the team does not exist, and before init. */
ACLSHMEM_HOST_API int aclshmem_team_my_pe(aclshmem_team_t team);
ACLSHMEM_HOST_API int aclshmem_team_n_pes(aclshmem_team_t team);

/* PEs pe_start + i * pe_stride of the parent, by their numbers there. A PE that is not a member
 * gets ACLSHMEM_TEAM_INVALID. -1: arguments. -4: there are 64 teams already. -5: before init. */
ACLSHMEM_HOST_API int aclshmem_team_split_strided(aclshmem_team_t parent_team, int pe_start,
                                                  int pe_stride, int pe_size,
                                                  aclshmem_team_t* new_team);
/* Rows of x_range PEs, and columns. Each PE gets its row and its column. -1: arguments. -4: there
 * are 64 teams already. */
ACLSHMEM_HOST_API int aclshmem_team_split_2d(aclshmem_team_t parent_team, int x_range,
                                             aclshmem_team_t* x_team, aclshmem_team_t* y_team);
/* The number in dest_team of PE src_pe of src_team; -1 if it is not a member. */
ACLSHMEM_HOST_API int aclshmem_team_translate_pe(aclshmem_team_t src_team, int src_pe,
                                                 aclshmem_team_t dest_team);
ACLSHMEM_HOST_API void aclshmem_team_destroy(aclshmem_team_t team);
/* -1: NULL, or the team does not exist. */
ACLSHMEM_HOST_API int aclshmem_team_get_config(aclshmem_team_t team,
                                               aclshmem_team_config_t* config);

#ifdef __cplusplus
}
#endif

#endif
