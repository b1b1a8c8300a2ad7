// SPDX-License-Identifier: Apache-2.0
#include "hcomm/hcomm_channel.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcommResult, HcommChannelCreate,
                 (EndpointHandle endpointHandle, CommEngine, HcommChannelDesc* channelDescs,
                  uint32_t, ChannelHandle* channels),
                 "channels between endpoints", endpointHandle, channelDescs, channels);
HCCL_UNSUPPORTED(HcommResult, HcommChannelConfigCreate, (HcommChannelConfig * config),
                 "channels between endpoints", config);
HCCL_UNSUPPORTED(HcommResult, HcommChannelConfigDestroy, (HcommChannelConfig config),
                 "channels between endpoints", config);
HCCL_UNSUPPORTED(HcommResult, HcommChannelConfigSetInt,
                 (HcommChannelConfig config, HcommChannelConfigType, uint32_t),
                 "channels between endpoints", config);
HCCL_UNSUPPORTED(HcommResult, HcommChannelCreateWithConfig,
                 (EndpointHandle endpointHandle, CommEngine, HcommChannelDesc* channelDescs,
                  uint32_t, HcommChannelConfig config, ChannelHandle* channels),
                 "channels between endpoints", endpointHandle, channelDescs, config, channels);
HCCL_UNSUPPORTED(HcommResult, HcommChannelGetStatus,
                 (const ChannelHandle* channelList, uint32_t, int32_t* statusList),
                 "channels between endpoints", channelList, statusList);
HCCL_UNSUPPORTED(HcommResult, HcommChannelDestroy, (const ChannelHandle* channels, uint32_t),
                 "channels between endpoints", channels);
