// SPDX-License-Identifier: Apache-2.0
#include "hcomm/hcomm_channel.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcommResult, HcommChannelCreate,
                 (EndpointHandle, CommEngine, HcommChannelDesc*, uint32_t, ChannelHandle*),
                 "channels between endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommChannelConfigCreate, (HcommChannelConfig*),
                 "channels between endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommChannelConfigDestroy, (HcommChannelConfig),
                 "channels between endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommChannelConfigSetInt,
                 (HcommChannelConfig, HcommChannelConfigType, uint32_t),
                 "channels between endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommChannelCreateWithConfig,
                 (EndpointHandle, CommEngine, HcommChannelDesc*, uint32_t, HcommChannelConfig,
                  ChannelHandle*),
                 "channels between endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommChannelGetStatus, (const ChannelHandle*, uint32_t, int32_t*),
                 "channels between endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommChannelDestroy, (const ChannelHandle*, uint32_t),
                 "channels between endpoints");
