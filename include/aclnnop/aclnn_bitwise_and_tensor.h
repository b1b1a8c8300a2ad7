/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_BITWISE_AND_TENSOR_H_
#define ACLNNOP_INCLUDE_ACLNN_BITWISE_AND_TENSOR_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Bit and; logical for bool.
 * Types: self,other: i8 u8 i16 u16 i32 i64 bool; out: i8 u8 i16 u16 i32 u32 i64 u64 bool.
 * Shapes: broadcast; integers and bool.
 */
ACLNN_API aclnnStatus aclnnBitwiseAndTensorGetWorkspaceSize(const aclTensor* self,
                                                            const aclTensor* other, aclTensor* out,
                                                            uint64_t* workspaceSize,
                                                            aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnBitwiseAndTensor(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_BITWISE_AND_TENSOR_H_ */
