/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_V2_H_
#define ACLNNOP_INCLUDE_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_V2_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * y = x[m,k] @ ((weight[k,n] + antiquantOffset) * antiquantScale) + bias; group form: scale row g
 * covers k in [g*group, (g+1)*group); with quantScale also y = y*quantScale + quantOffset to i8.
 * Types: x: f16 bf16; weight: i8 i4 (i32 holding eight i4); scale/offset: as x; bias: as x or f32;
 * y: as x (i8 with quantScale).
 * Shapes: 2-D; x, weight, scale, offset contiguous or plain transpose; scale shapes: (1,) or (1,1)
 * per tensor, (n,) or (1,n) per channel, (ceil(k/group), n) per group; antiquantGroupSize 0 = not
 * grouped, else multiple of 32 in [32,k-1]; y has the type of x.
 */
ACLNN_API aclnnStatus aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* antiquantScale,
    const aclTensor* antiquantOffsetOptional, const aclTensor* quantScaleOptional,
    const aclTensor* quantOffsetOptional, const aclTensor* biasOptional, int antiquantGroupSize,
    const aclTensor* y, uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnWeightQuantBatchMatmulV2(void* workspace, uint64_t workspaceSize,
                                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_V2_H_ */
