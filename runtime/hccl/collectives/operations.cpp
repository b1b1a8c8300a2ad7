// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclAllReduce,
                 (void*, void*, uint64_t, HcclDataType, HcclReduceOp, HcclComm, aclrtStream),
                 "collectives and point-to-point operations");
HCCL_UNSUPPORTED(HcclResult, HcclBroadcast,
                 (void*, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream),
                 "collectives and point-to-point operations");
HCCL_UNSUPPORTED(HcclResult, HcclReduceScatter,
                 (void*, void*, uint64_t, HcclDataType, HcclReduceOp, HcclComm, aclrtStream),
                 "collectives and point-to-point operations");
HCCL_UNSUPPORTED(HcclResult, HcclReduceScatterV,
                 (void*, const void*, const void*, void*, uint64_t, HcclDataType, HcclReduceOp,
                  HcclComm, aclrtStream),
                 "collectives and point-to-point operations");
HCCL_UNSUPPORTED(HcclResult, HcclScatter,
                 (void*, void*, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream),
                 "collectives and point-to-point operations");
HCCL_UNSUPPORTED(HcclResult, HcclAllGather,
                 (void*, void*, uint64_t, HcclDataType, HcclComm, aclrtStream),
                 "collectives and point-to-point operations");
HCCL_UNSUPPORTED(HcclResult, HcclAllGatherV,
                 (void*, uint64_t, void*, const void*, const void*, HcclDataType, HcclComm,
                  aclrtStream),
                 "collectives and point-to-point operations");
HCCL_UNSUPPORTED(HcclResult, HcclSend,
                 (void*, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream),
                 "collectives and point-to-point operations");
HCCL_UNSUPPORTED(HcclResult, HcclRecv,
                 (void*, uint64_t, HcclDataType, uint32_t, HcclComm, aclrtStream),
                 "collectives and point-to-point operations");
HCCL_UNSUPPORTED(HcclResult, HcclAlltoAllVC,
                 (const void*, const void*, HcclDataType, const void*, HcclDataType, HcclComm,
                  aclrtStream),
                 "collectives and point-to-point operations");
HCCL_UNSUPPORTED(HcclResult, HcclAlltoAllV,
                 (const void*, const void*, const void*, HcclDataType, const void*, const void*,
                  const void*, HcclDataType, HcclComm, aclrtStream),
                 "collectives and point-to-point operations");
HCCL_UNSUPPORTED(HcclResult, HcclAlltoAll,
                 (const void*, uint64_t, HcclDataType, const void*, uint64_t, HcclDataType,
                  HcclComm, aclrtStream),
                 "collectives and point-to-point operations");
HCCL_UNSUPPORTED(HcclResult, HcclReduce,
                 (void*, void*, uint64_t, HcclDataType, HcclReduceOp, uint32_t, HcclComm,
                  aclrtStream),
                 "collectives and point-to-point operations");
HCCL_UNSUPPORTED(HcclResult, HcclBatchSendRecv,
                 (HcclSendRecvItem*, uint32_t, HcclComm, aclrtStream),
                 "collectives and point-to-point operations");
