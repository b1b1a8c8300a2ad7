/* SPDX-License-Identifier: Apache-2.0 */
/* Teams: ranks of a communicator that share windows of memory. */
#ifndef HCCL_INCLUDE_HCCL_TEAM_H_
#define HCCL_INCLUDE_HCCL_TEAM_H_

#include "hccl/hccl_types.h"
#include "hcomm/hcomm_res_defs.h"
#include "hcomm/hcomm_team_defs.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HCCL_TEAM_CREATE_MAGIC_WORD 0x0fcf0f14U
#define HCCL_TEAM_CREATE_VERSION 1U
#define HCCL_TEAM_CREATE_CHANNELS_MAGIC_WORD 0x0fcf0f15U
#define HCCL_TEAM_CREATE_CHANNELS_VERSION 1U

typedef struct HcclTeamCreateDesc {
  CommAbiHeader header;
  const uint32_t* rankIds;
  uint32_t rankNum;
  uint32_t selfRankId;
  uint32_t netLayer;
  CommProtocol protocol;
  HcommTeamSyncMemRequirement requirement;
  uint32_t reserved[4];
} HcclTeamCreateDesc;

typedef struct HcclTeamCreateChannelsDesc {
  CommAbiHeader header;
  CommEngine engine;
  uint32_t notifyNum;
  CommProtocol protocol;
  uint32_t channelCnt;
  uint32_t reserved[4];
} HcclTeamCreateChannelsDesc;

static inline HcclResult HcclTeamCreateDescInit(HcclTeamCreateDesc* desc) {
  if (desc == NULL) return HCCL_E_PTR;
  memset((void*)desc, 0, sizeof *desc);
  desc->header.version = HCCL_TEAM_CREATE_VERSION;
  desc->header.magicWord = HCCL_TEAM_CREATE_MAGIC_WORD;
  desc->header.size = (uint32_t)sizeof *desc;
  desc->protocol = COMM_PROTOCOL_RESERVED;
  return HCCL_SUCCESS;
}

static inline HcclResult HcclTeamCreateChannelsDescInit(HcclTeamCreateChannelsDesc* desc) {
  if (desc == NULL) return HCCL_E_PTR;
  memset((void*)desc, 0, sizeof *desc);
  desc->header.version = HCCL_TEAM_CREATE_CHANNELS_VERSION;
  desc->header.magicWord = HCCL_TEAM_CREATE_CHANNELS_MAGIC_WORD;
  desc->header.size = (uint32_t)sizeof *desc;
  desc->engine = COMM_ENGINE_RESERVED;
  desc->protocol = COMM_PROTOCOL_RESERVED;
  return HCCL_SUCCESS;
}

ACL_FUNC_VISIBILITY HcclResult HcclWorldTeamCreate(HcclComm comm, const HcclTeamCreateDesc* desc,
                                                   HcommTeamHandle* worldTeam);
ACL_FUNC_VISIBILITY HcclResult HcclSubTeamCreate(HcommTeamHandle worldTeam,
                                                 const HcclTeamCreateDesc* desc,
                                                 HcommTeamHandle* team);
ACL_FUNC_VISIBILITY HcclResult HcclTeamDestroy(HcommTeamHandle team);
ACL_FUNC_VISIBILITY HcclResult HcclTeamWindowRegister(HcclComm comm, HcommTeamHandle worldTeam,
                                                      const CommMem* localMem,
                                                      HcommWindowHandle* window, uint32_t flag);
ACL_FUNC_VISIBILITY HcclResult HcclTeamWindowDeregister(HcommTeamHandle worldTeam,
                                                        HcommWindowHandle window);
ACL_FUNC_VISIBILITY HcclResult HcclTeamChannelsCreate(HcclComm comm, HcommTeamHandle team,
                                                      const HcclTeamCreateChannelsDesc* desc);

#ifdef __cplusplus
}
#endif

#endif /* HCCL_INCLUDE_HCCL_TEAM_H_ */
