/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_ROTARY_POSITION_EMBEDDING_H_
#define ACLNNOP_INCLUDE_ACLNN_ROTARY_POSITION_EMBEDDING_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Mode 0 half: y = x*cos + cat(-x2,x1)*sin with x split in halves; mode 1 interleave: pairs
 * (x[2i],x[2i+1]) -> (-x[2i+1],x[2i]); mode 2 quarter, 3 interleave-half.
 * Types: x,cos,sin,out: f32 f16 bf16 (all equal).
 * Shapes: x 4-D; cos and sin equal shape, broadcast over up to three leading dims (1 or equal); D
 * even, < 896 (<= 1024 newer); out contiguous; x strided.
 */
ACLNN_API aclnnStatus aclnnRotaryPositionEmbeddingGetWorkspaceSize(
    const aclTensor* x, const aclTensor* cos, const aclTensor* sin, int64_t mode, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnRotaryPositionEmbedding(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_ROTARY_POSITION_EMBEDDING_H_ */
