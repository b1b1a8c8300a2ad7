/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCOMM_INCLUDE_HCOMM_TEAM_DEFS_H_
#define HCOMM_INCLUDE_HCOMM_TEAM_DEFS_H_

#include "hcomm/hcomm_res_defs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The memory with which the ranks of a team synchronise. */
typedef struct HcommTeamSyncMemRequirement {
  uint32_t signalCount;
  uint32_t counterCount;
  uint32_t barrierCount;
  uint32_t reserved[5];
} HcommTeamSyncMemRequirement;

#ifdef __cplusplus
}
#endif

#endif /* HCOMM_INCLUDE_HCOMM_TEAM_DEFS_H_ */
