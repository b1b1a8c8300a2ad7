/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_GROUPED_MATMUL_V3_H_
#define ACLNNOP_INCLUDE_ACLNN_GROUPED_MATMUL_V3_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * For each group i: y[i] = x[i] @ weight[i] (+bias); groupList (device i64) gives the running row
 * ends when groupType 0 splits m; splitItem 0/1 separate outputs, 2/3 one output.
 * Types: x,weight,bias,y: f32 f16 bf16 (quantised forms: i8, i4).
 * Shapes: lists; groupType -1 none, 0 split m, 2 split k.
 */
ACLNN_API aclnnStatus aclnnGroupedMatmulV3GetWorkspaceSize(
    const aclTensorList* x, const aclTensorList* weight, const aclTensorList* biasOptional,
    const aclTensorList* scaleOptional, const aclTensorList* offsetOptional,
    const aclTensorList* antiquantScaleOptional, const aclTensorList* antiquantOffsetOptional,
    const aclTensor* groupListOptional, int64_t splitItem, int64_t groupType,
    const aclTensorList* y, uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnGroupedMatmulV3(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_GROUPED_MATMUL_V3_H_ */
