/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_GEGLU_H_
#define ACLNNOP_INCLUDE_ACLNN_GEGLU_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Split in halves A,B along dim: activateLeft ? gelu(A)*B : A*gelu(B); outGelu = the gelu part;
 * approximate 0 = erf, 1 = tanh.
 * Types: self,out,outGelu: f32 f16 bf16.
 * Shapes: size(dim) even.
 */
ACLNN_API aclnnStatus aclnnGeGluV3GetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                   int64_t approximate, bool activateLeft,
                                                   aclTensor* out, aclTensor* outGelu,
                                                   uint64_t* workspaceSize,
                                                   aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnGeGluV3(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_GEGLU_H_ */
