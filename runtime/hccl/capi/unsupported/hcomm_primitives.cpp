// SPDX-License-Identifier: Apache-2.0
#include "hcomm/hcomm_primitives.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(int32_t, HcommWriteNbiOnThread,
                 (ThreadHandle, ChannelHandle, void*, const void*, uint64_t),
                 "operations of HCOMM");
HCCL_UNSUPPORTED(int32_t, HcommWriteNbi, (ChannelHandle, void*, const void*, uint64_t),
                 "operations of HCOMM");
HCCL_UNSUPPORTED(int32_t, HcommWriteWithNotifyNbiOnThread,
                 (ThreadHandle, ChannelHandle, void*, const void*, uint64_t, uint32_t),
                 "operations of HCOMM");
HCCL_UNSUPPORTED(int32_t, HcommWriteWithNotifyNbi,
                 (ChannelHandle, void*, const void*, uint64_t, uint32_t), "operations of HCOMM");
HCCL_UNSUPPORTED(int32_t, HcommReadNbiOnThread,
                 (ThreadHandle, ChannelHandle, void*, const void*, uint64_t),
                 "operations of HCOMM");
HCCL_UNSUPPORTED(int32_t, HcommReadNbi, (ChannelHandle, void*, const void*, uint64_t),
                 "operations of HCOMM");
HCCL_UNSUPPORTED(int32_t, HcommBatchTransferOnThread,
                 (ThreadHandle, ChannelHandle, const HcommBatchTransferDesc*, uint32_t),
                 "operations of HCOMM");
HCCL_UNSUPPORTED(int32_t, HcommChannelNotifyRecord, (ChannelHandle, uint32_t),
                 "operations of HCOMM");
HCCL_UNSUPPORTED(int32_t, HcommChannelNotifyWait, (ChannelHandle, uint32_t, uint32_t),
                 "operations of HCOMM");
HCCL_UNSUPPORTED(HcommResult, HcommAicpuTsTaskCacheLookup, (const char*, bool*),
                 "operations of HCOMM");
HCCL_UNSUPPORTED(HcommResult, HcommAicpuTsTaskCacheStart,
                 (const char*, void**, uint64_t*, uint64_t), "operations of HCOMM");
HCCL_UNSUPPORTED(HcommResult, HcommAicpuTsTaskCacheEnd, (const char*), "operations of HCOMM");
HCCL_UNSUPPORTED(HcommResult, HcommAicpuTsTaskCacheExecute,
                 (const char*, void**, uint64_t*, uint64_t), "operations of HCOMM");
HCCL_UNSUPPORTED(HcommResult, HcommAicpuTsTaskCacheClear, (const char*), "operations of HCOMM");
HCCL_UNSUPPORTED(int32_t, HcommChannelFence, (ChannelHandle), "operations of HCOMM");
HCCL_UNSUPPORTED(int32_t, HcommThreadResAcquireTimeOut, (float), "operations of HCOMM");
