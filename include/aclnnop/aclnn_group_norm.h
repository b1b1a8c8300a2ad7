/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_GROUP_NORM_H_
#define ACLNNOP_INCLUDE_ACLNN_GROUP_NORM_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Per (sample, group): (x-mean)/sqrt(var+eps)*gamma[c]+beta[c]; N, C, HxW, group given as
 * integers.
 * Types: self,gamma,beta,out,meanOut,rstdOut: f32 f16 bf16.
 * Shapes: x has N*C*HxW elements; gamma/beta null or C elements; mean/rstd (N,group).
 */
ACLNN_API aclnnStatus aclnnGroupNormGetWorkspaceSize(const aclTensor* self, const aclTensor* gamma,
                                                     const aclTensor* beta, int64_t N, int64_t C,
                                                     int64_t HxW, int64_t group, double eps,
                                                     aclTensor* out, aclTensor* meanOut,
                                                     aclTensor* rstdOut, uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnGroupNorm(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_GROUP_NORM_H_ */
