/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_TRANS_MATMUL_WEIGHT_H_
#define ACLNNOP_INCLUDE_ACLNN_TRANS_MATMUL_WEIGHT_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * re-lays mmWeightRef in place into the layout the matrix unit likes (fractal NZ) and marks it so;
 * numerically nothing changes.
 * Types: f16 bf16 i8 (f32 refused by the vendor; accept as a no-op).
 * Shapes: 2-6 dims; 0-dim or empty: workspace 0, no work; dtype not in the list -> 161002.
 */
ACLNN_API aclnnStatus aclnnTransMatmulWeightGetWorkspaceSize(aclTensor* mmWeightRef,
                                                             uint64_t* workspaceSize,
                                                             aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnTransMatmulWeight(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

/*
 * *weightTensorSize = product of all dims, the last two rounded up: to 16 and 16 for f16/bf16, to
 * 16 and 32 for every other type (dtype itself is not checked); the unit is elements.
 * Types: f16 bf16 i8; others take the i8 rounding.
 * Shapes: 2-6 dims else 161002; null -> 161001.
 */
ACLNN_API aclnnStatus aclnnCalculateMatmulWeightSizeV2(const aclIntArray* tensorShape,
                                                       aclDataType dataType,
                                                       uint64_t* weightTensorSize);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_TRANS_MATMUL_WEIGHT_H_ */
