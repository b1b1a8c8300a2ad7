// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl_mc2.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclKfcAllocOpArgs, (void** opArgs),
                 "kernels that are fused with collectives", opArgs);
HCCL_UNSUPPORTED(HcclResult, HcclKfcFreeOpArgs, (void* opArgs),
                 "kernels that are fused with collectives", opArgs);
HCCL_UNSUPPORTED(HcclResult, HcclKfcOpArgsSetSrcDataType, (void* opArgs, uint8_t),
                 "kernels that are fused with collectives", opArgs);
HCCL_UNSUPPORTED(HcclResult, HcclKfcOpArgsSetDstDataType, (void* opArgs, uint8_t),
                 "kernels that are fused with collectives", opArgs);
HCCL_UNSUPPORTED(HcclResult, HcclKfcOpArgsSetReduceType, (void* opArgs, uint32_t),
                 "kernels that are fused with collectives", opArgs);
HCCL_UNSUPPORTED(HcclResult, HcclKfcOpArgsSetCount, (void* opArgs, uint64_t),
                 "kernels that are fused with collectives", opArgs);
HCCL_UNSUPPORTED(HcclResult, HcclKfcOpArgsSetAlgConfig, (void* opArgs, char* algConfig),
                 "kernels that are fused with collectives", opArgs, algConfig);
HCCL_UNSUPPORTED(HcclResult, HcclKfcOpArgsSetCommEngine, (void* opArgs, uint8_t),
                 "kernels that are fused with collectives", opArgs);
HCCL_UNSUPPORTED(HcclResult, HcclCreateOpResCtx,
                 (HcclComm comm, uint8_t, void* opArgs, void** opResCtx),
                 "kernels that are fused with collectives", comm, opArgs, opResCtx);
