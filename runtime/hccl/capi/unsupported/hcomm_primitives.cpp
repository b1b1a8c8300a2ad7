// SPDX-License-Identifier: Apache-2.0
#include "hcomm/hcomm_primitives.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(int32_t, HcommWriteNbiOnThread,
                 (ThreadHandle, ChannelHandle channel, void* dst, const void* src, uint64_t),
                 "operations of HCOMM", channel, dst, src);
HCCL_UNSUPPORTED(int32_t, HcommWriteNbi,
                 (ChannelHandle channel, void* dst, const void* src, uint64_t),
                 "operations of HCOMM", channel, dst, src);
HCCL_UNSUPPORTED(int32_t, HcommWriteWithNotifyNbiOnThread,
                 (ThreadHandle, ChannelHandle channel, void* dst, const void* src, uint64_t,
                  uint32_t),
                 "operations of HCOMM", channel, dst, src);
HCCL_UNSUPPORTED(int32_t, HcommWriteWithNotifyNbi,
                 (ChannelHandle channel, void* dst, const void* src, uint64_t, uint32_t),
                 "operations of HCOMM", channel, dst, src);
HCCL_UNSUPPORTED(int32_t, HcommReadNbiOnThread,
                 (ThreadHandle, ChannelHandle channel, void* dst, const void* src, uint64_t),
                 "operations of HCOMM", channel, dst, src);
HCCL_UNSUPPORTED(int32_t, HcommReadNbi,
                 (ChannelHandle channel, void* dst, const void* src, uint64_t),
                 "operations of HCOMM", channel, dst, src);
HCCL_UNSUPPORTED(int32_t, HcommChannelNotifyRecord, (ChannelHandle channel, uint32_t),
                 "operations of HCOMM", channel);
HCCL_UNSUPPORTED(int32_t, HcommChannelNotifyWait, (ChannelHandle channel, uint32_t, uint32_t),
                 "operations of HCOMM", channel);
HCCL_UNSUPPORTED(HcommResult, HcommAicpuTsTaskCacheLookup, (const char* tag, bool* isHit),
                 "operations of HCOMM", tag, isHit);
HCCL_UNSUPPORTED(HcommResult, HcommAicpuTsTaskCacheStart,
                 (const char* tag, void** addrs, uint64_t* sizes, uint64_t), "operations of HCOMM",
                 tag, addrs, sizes);
HCCL_UNSUPPORTED(HcommResult, HcommAicpuTsTaskCacheEnd, (const char* tag), "operations of HCOMM",
                 tag);
HCCL_UNSUPPORTED(HcommResult, HcommAicpuTsTaskCacheExecute,
                 (const char* tag, void** addrs, uint64_t* sizes, uint64_t), "operations of HCOMM",
                 tag, addrs, sizes);
HCCL_UNSUPPORTED(HcommResult, HcommAicpuTsTaskCacheClear, (const char* tag), "operations of HCOMM",
                 tag);
HCCL_UNSUPPORTED(int32_t, HcommChannelFence, (ChannelHandle channel), "operations of HCOMM",
                 channel);
HCCL_UNSUPPORTED(int32_t, HcommThreadResAcquireTimeOut, (float), "operations of HCOMM");

HCCL_UNSUPPORTED_AFTER(int32_t, HcommBatchTransferOnThread,
                       (ThreadHandle thread, ChannelHandle channel,
                        const HcommBatchTransferDesc* transferDescs, uint32_t transferDescNum),
                       "operations of HCOMM", {
                         require_input(thread, "thread");
                         require_input(channel, "channel");
                         require_input(transferDescs, "transferDescs");
                         if (transferDescNum == 0) {
                           fail(HCCL_E_PARA, "transferDescNum is 0; expected 1 or more");
                         }
                       });
