/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_LAYER_NORM_H_
#define ACLNNOP_INCLUDE_ACLNN_LAYER_NORM_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * (x-mean)/sqrt(var+eps)*w+b over the trailing normalizedShape dims; var is biased (divide by n).
 * Types: input,weightOptional,biasOptional,out,meanOutOptional,rstdOutOptional: f32 f16 bf16.
 * Shapes: weight, bias, mean and rstd outputs may be null; mean/rstd shape: leading dims then
 * ones.
 */
ACLNN_API aclnnStatus aclnnLayerNormGetWorkspaceSize(
    const aclTensor* input, const aclIntArray* normalizedShape, const aclTensor* weightOptional,
    const aclTensor* biasOptional, double eps, aclTensor* out, aclTensor* meanOutOptional,
    aclTensor* rstdOutOptional, uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnLayerNorm(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_LAYER_NORM_H_ */
