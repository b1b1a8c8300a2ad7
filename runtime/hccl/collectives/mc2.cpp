// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl_mc2.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclKfcAllocOpArgs, (void**),
                 "kernels that are fused with collectives");
HCCL_UNSUPPORTED(HcclResult, HcclKfcFreeOpArgs, (void*), "kernels that are fused with collectives");
HCCL_UNSUPPORTED(HcclResult, HcclKfcOpArgsSetSrcDataType, (void*, uint8_t),
                 "kernels that are fused with collectives");
HCCL_UNSUPPORTED(HcclResult, HcclKfcOpArgsSetDstDataType, (void*, uint8_t),
                 "kernels that are fused with collectives");
HCCL_UNSUPPORTED(HcclResult, HcclKfcOpArgsSetReduceType, (void*, uint32_t),
                 "kernels that are fused with collectives");
HCCL_UNSUPPORTED(HcclResult, HcclKfcOpArgsSetCount, (void*, uint64_t),
                 "kernels that are fused with collectives");
HCCL_UNSUPPORTED(HcclResult, HcclKfcOpArgsSetAlgConfig, (void*, char*),
                 "kernels that are fused with collectives");
HCCL_UNSUPPORTED(HcclResult, HcclKfcOpArgsSetCommEngine, (void*, uint8_t),
                 "kernels that are fused with collectives");
HCCL_UNSUPPORTED(HcclResult, HcclCreateOpResCtx, (HcclComm, uint8_t, void*, void**),
                 "kernels that are fused with collectives");
