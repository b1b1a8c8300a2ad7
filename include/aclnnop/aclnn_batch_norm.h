/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_BATCH_NORM_H_
#define ACLNNOP_INCLUDE_ACLNN_BATCH_NORM_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * (x-mean)/sqrt(var+eps)*w+b; training: batch stats, running stats updated with momentum,
 * saveMean/saveInvstd written.
 * Types: input,weight,bias,runningMean,runningVar,output,saveMean,saveInvstd: f32 f16 bf16.
 * Shapes: x [N,C,...]; any of weight, bias, running* may be null.
 */
ACLNN_API aclnnStatus aclnnBatchNormGetWorkspaceSize(
    const aclTensor* input, const aclTensor* weight, const aclTensor* bias, aclTensor* runningMean,
    aclTensor* runningVar, bool training, double momentum, double eps, aclTensor* output,
    aclTensor* saveMean, aclTensor* saveInvstd, uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnBatchNorm(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_BATCH_NORM_H_ */
