/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_MM_H_
#define ACLNNOP_INCLUDE_ACLNN_MM_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * out = self[m,k] @ mat2[k,n].
 * Types: self,mat2,out: f32 f16 bf16.
 * Shapes: both 2-D, no broadcast; transposed (any-stride) views of either; cubeMathType 0 keep, 1
 * allow lower precision for f32, 2 use f16, 3 HF32, 4 grouped f32 accumulation; types promote (f32
 * with f16 -> f32); f16/bf16 inputs accumulate in f32; out type = promoted type or castable.
 */
ACLNN_API aclnnStatus aclnnMmGetWorkspaceSize(const aclTensor* self, const aclTensor* mat2,
                                              aclTensor* out, int8_t cubeMathType,
                                              uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnMm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_MM_H_ */
