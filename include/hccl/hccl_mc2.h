/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of kernels that are fused with an operation of a communicator. */
#ifndef HCCL_INCLUDE_HCCL_MC2_H_
#define HCCL_INCLUDE_HCCL_MC2_H_

#include "hccl/hccl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

ACL_FUNC_VISIBILITY HcclResult HcclKfcAllocOpArgs(void** opArgs);
ACL_FUNC_VISIBILITY HcclResult HcclKfcFreeOpArgs(void* opArgs);
ACL_FUNC_VISIBILITY HcclResult HcclKfcOpArgsSetSrcDataType(void* opArgs, uint8_t srcDataType);
ACL_FUNC_VISIBILITY HcclResult HcclKfcOpArgsSetDstDataType(void* opArgs, uint8_t dstDataType);
ACL_FUNC_VISIBILITY HcclResult HcclKfcOpArgsSetReduceType(void* opArgs, uint32_t reduceType);
ACL_FUNC_VISIBILITY HcclResult HcclKfcOpArgsSetCount(void* opArgs, uint64_t count);
ACL_FUNC_VISIBILITY HcclResult HcclKfcOpArgsSetAlgConfig(void* opArgs, char* algConfig);
ACL_FUNC_VISIBILITY HcclResult HcclKfcOpArgsSetCommEngine(void* opArgs, uint8_t commEngine);
ACL_FUNC_VISIBILITY HcclResult HcclCreateOpResCtx(HcclComm comm, uint8_t opType, void* opArgs,
                                                  void** opResCtx);
/* The context that kernels pass to Hccl::InitV2. mc2Tiling: an Mc2InitTiling. */
ACL_FUNC_VISIBILITY HcclResult HcclAllocComResourceByTiling(HcclComm comm, void* stream,
                                                            void* mc2Tiling, void** opResCtx);

#ifdef __cplusplus
}
#endif

#endif /* HCCL_INCLUDE_HCCL_MC2_H_ */
