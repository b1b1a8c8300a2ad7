/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_APPLY_ADAM_W_V2_H_
#define ACLNNOP_INCLUDE_ACLNN_APPLY_ADAM_W_V2_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * AdamW step on varRef, mRef, vRef.
 * Types: varRef: f32 f16 bf16; step: f32 i64; lr,beta1,beta2,weightDecay,eps: f32;
 * amsgrad,maximize: bool.
 * Shapes: step is a 0/1-dim tensor.
 */
ACLNN_API aclnnStatus aclnnApplyAdamWV2GetWorkspaceSize(
    aclTensor* varRef, aclTensor* mRef, aclTensor* vRef, aclTensor* maxGradNormOptionalRef,
    const aclTensor* grad, const aclTensor* step, float lr, float beta1, float beta2,
    float weightDecay, float eps, bool amsgrad, bool maximize, uint64_t* workspaceSize,
    aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnApplyAdamWV2(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_APPLY_ADAM_W_V2_H_ */
