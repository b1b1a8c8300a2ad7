// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl_channel.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclChannelConfigCreate, (HcclChannelConfig * config), "channels",
                 config);
HCCL_UNSUPPORTED(HcclResult, HcclChannelConfigDestroy, (HcclChannelConfig config), "channels",
                 config);
HCCL_UNSUPPORTED(HcclResult, HcclChannelConfigSetInt,
                 (HcclChannelConfig config, HcclChannelConfigType, uint32_t), "channels", config);
HCCL_UNSUPPORTED(HcclResult, HcclChannelConfigSetStr,
                 (HcclChannelConfig config, HcclChannelConfigType, const char* value), "channels",
                 config, value);
HCCL_UNSUPPORTED(HcclResult, HcclChannelAcquireWithConfig,
                 (HcclComm comm, CommEngine, const HcclChannelDesc* channelDescs, uint32_t,
                  HcclChannelConfig config, ChannelHandle* channels),
                 "channels", comm, channelDescs, config, channels);
HCCL_UNSUPPORTED(HcclResult, HcclChannelQuery,
                 (HcclComm comm, CommEngine, const HcclChannelDesc* channelDescs, uint32_t,
                  ChannelHandle* channels),
                 "channels", comm, channelDescs, channels);
HCCL_UNSUPPORTED(HcclResult, HcclChannelDestroy,
                 (HcclComm comm, const ChannelHandle* channels, uint32_t), "channels", comm,
                 channels);
