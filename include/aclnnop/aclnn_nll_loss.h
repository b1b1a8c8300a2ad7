/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_NLL_LOSS_H_
#define ACLNNOP_INCLUDE_ACLNN_NLL_LOSS_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * -w[t]*x[t]; reduction 0 none, 1 mean, 2 sum; ignoreIndex.
 * Types: self: f32 f16 bf16; target: u8 i32 i64; weight: f32 f16 bf16; reduction,ignoreIndex: i64;
 * out,totalWeightOut: f32 f16 bf16.
 * Shapes: x [N,C] or [C]; target i64 i32.
 */
ACLNN_API aclnnStatus aclnnNLLLossGetWorkspaceSize(const aclTensor* self, const aclTensor* target,
                                                   const aclTensor* weight, int64_t reduction,
                                                   int64_t ignoreIndex, aclTensor* out,
                                                   aclTensor* totalWeightOut,
                                                   uint64_t* workspaceSize,
                                                   aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnNLLLoss(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_NLL_LOSS_H_ */
