/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_RMS_NORM_H_
#define ACLNNOP_INCLUDE_ACLNN_RMS_NORM_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * y = x / sqrt(mean(x^2 over the trailing dims of gamma) + eps) * gamma; rstd = 1/sqrt(...).
 * Types: x,gamma,y: f32 f16 bf16; rstd: f32.
 * Shapes: gamma shape = the last n dims of x; rstd: x dims with the normalised ones set to 1;
 * strided ok; x f16/bf16 with gamma f32 allowed; computed in f32.
 */
ACLNN_API aclnnStatus aclnnRmsNormGetWorkspaceSize(const aclTensor* x, const aclTensor* gamma,
                                                   double epsilon, const aclTensor* yOut,
                                                   const aclTensor* rstdOut,
                                                   uint64_t* workspaceSize,
                                                   aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnRmsNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_RMS_NORM_H_ */
