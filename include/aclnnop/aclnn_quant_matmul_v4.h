/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_QUANT_MATMUL_V4_H_
#define ACLNNOP_INCLUDE_ACLNN_QUANT_MATMUL_V4_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * i8@i8 -> i32 * scale (per channel, per token) -> f16/bf16/i8.
 * Types: x1,x2: i8 i32 i4; scale: f32 bf16 i64 u64; offset,pertokenScaleOptional: f32; bias: f32
 * f16 bf16 i32; transposeX1,transposeX2: bool.
 * Shapes: 2-6 dims.
 */
ACLNN_API aclnnStatus aclnnQuantMatmulV4GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* scale, const aclTensor* offset,
    const aclTensor* pertokenScaleOptional, const aclTensor* bias, bool transposeX1,
    bool transposeX2, const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnQuantMatmulV4(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_QUANT_MATMUL_V4_H_ */
