/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_ADD_RMS_NORM_H_
#define ACLNNOP_INCLUDE_ACLNN_ADD_RMS_NORM_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * x = x1 + x2; y = RmsNorm(x, gamma, eps); xOut = x; rstdOut as RmsNorm.
 * Types: x1,x2,gamma,yOut: f32 f16 bf16; rstdOut: f32; xOut: f32 f16 bf16.
 * Shapes: x1, x2 same shape and type; xOut may be null.
 */
ACLNN_API aclnnStatus aclnnAddRmsNormGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                                      const aclTensor* gamma, double epsilon,
                                                      aclTensor* yOut, aclTensor* rstdOut,
                                                      aclTensor* xOut, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnAddRmsNorm(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_ADD_RMS_NORM_H_ */
