// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl_team.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclWorldTeamCreate,
                 (HcclComm comm, const HcclTeamCreateDesc* desc, HcommTeamHandle* worldTeam),
                 "teams", comm, desc, worldTeam);
HCCL_UNSUPPORTED(HcclResult, HcclSubTeamCreate,
                 (HcommTeamHandle worldTeam, const HcclTeamCreateDesc* desc, HcommTeamHandle* team),
                 "teams", worldTeam, desc, team);
HCCL_UNSUPPORTED(HcclResult, HcclTeamDestroy, (HcommTeamHandle team), "teams", team);
HCCL_UNSUPPORTED(HcclResult, HcclTeamWindowRegister,
                 (HcclComm comm, HcommTeamHandle worldTeam, const CommMem* localMem,
                  HcommWindowHandle* window, uint32_t),
                 "teams", comm, worldTeam, localMem, window);
HCCL_UNSUPPORTED(HcclResult, HcclTeamWindowDeregister,
                 (HcommTeamHandle worldTeam, HcommWindowHandle window), "teams", worldTeam, window);
HCCL_UNSUPPORTED(HcclResult, HcclTeamChannelsCreate,
                 (HcclComm comm, HcommTeamHandle team, const HcclTeamCreateChannelsDesc* desc),
                 "teams", comm, team, desc);
