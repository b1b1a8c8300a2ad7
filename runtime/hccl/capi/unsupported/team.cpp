// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl_team.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclWorldTeamCreate,
                 (HcclComm, const HcclTeamCreateDesc*, HcommTeamHandle*), "teams");
HCCL_UNSUPPORTED(HcclResult, HcclSubTeamCreate,
                 (HcommTeamHandle, const HcclTeamCreateDesc*, HcommTeamHandle*), "teams");
HCCL_UNSUPPORTED(HcclResult, HcclTeamDestroy, (HcommTeamHandle), "teams");
HCCL_UNSUPPORTED(HcclResult, HcclTeamWindowRegister,
                 (HcclComm, HcommTeamHandle, const CommMem*, HcommWindowHandle*, uint32_t),
                 "teams");
HCCL_UNSUPPORTED(HcclResult, HcclTeamWindowDeregister, (HcommTeamHandle, HcommWindowHandle),
                 "teams");
HCCL_UNSUPPORTED(HcclResult, HcclTeamChannelsCreate,
                 (HcclComm, HcommTeamHandle, const HcclTeamCreateChannelsDesc*), "teams");
