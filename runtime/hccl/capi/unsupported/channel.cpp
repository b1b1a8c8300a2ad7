// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl_channel.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclChannelConfigCreate, (HcclChannelConfig*), "channels");
HCCL_UNSUPPORTED(HcclResult, HcclChannelConfigDestroy, (HcclChannelConfig), "channels");
HCCL_UNSUPPORTED(HcclResult, HcclChannelConfigSetInt,
                 (HcclChannelConfig, HcclChannelConfigType, uint32_t), "channels");
HCCL_UNSUPPORTED(HcclResult, HcclChannelConfigSetStr,
                 (HcclChannelConfig, HcclChannelConfigType, const char*), "channels");
HCCL_UNSUPPORTED(HcclResult, HcclChannelAcquireWithConfig,
                 (HcclComm, CommEngine, const HcclChannelDesc*, uint32_t, HcclChannelConfig,
                  ChannelHandle*),
                 "channels");
HCCL_UNSUPPORTED(HcclResult, HcclChannelQuery,
                 (HcclComm, CommEngine, const HcclChannelDesc*, uint32_t, ChannelHandle*),
                 "channels");
HCCL_UNSUPPORTED(HcclResult, HcclChannelDestroy, (HcclComm, const ChannelHandle*, uint32_t),
                 "channels");
