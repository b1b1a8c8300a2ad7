/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_NORM_H_
#define ACLNNOP_INCLUDE_ACLNN_NORM_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * p-norm over dims: (sum |x|^p)^(1/p); p=inf max, -inf min, 0 count.
 * Types: self: f32 f16 bf16; pScalar: f32; out: f32 f16 bf16.
 * Shapes: dim negative allowed; keepdim as torch.
 */
ACLNN_API aclnnStatus aclnnNormGetWorkspaceSize(const aclTensor* self, const aclScalar* pScalar,
                                                const aclIntArray* dim, bool keepdim,
                                                aclTensor* out, uint64_t* workspaceSize,
                                                aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_NORM_H_ */
