/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_EMBEDDING_H_
#define ACLNNOP_INCLUDE_ACLNN_EMBEDDING_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Rows of weight by indices of any rank.
 * Types: weight: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool c64 c128; indices: i32 i64; out: f32 f16
 * bf16 f64 i8 u8 i16 i32 i64 bool c64 c128.
 * Shapes: weight 2-D.
 */
ACLNN_API aclnnStatus aclnnEmbeddingGetWorkspaceSize(const aclTensor* weight,
                                                     const aclTensor* indices, const aclTensor* out,
                                                     uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnEmbedding(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_EMBEDDING_H_ */
