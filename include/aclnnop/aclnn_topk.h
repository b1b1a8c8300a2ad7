/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_TOPK_H_
#define ACLNNOP_INCLUDE_ACLNN_TOPK_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * K largest or smallest along dim, sorted.
 * Types: self,valuesOut: f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64; indicesOut: i64.
 * Shapes: k <= size(dim); indices i64.
 */
ACLNN_API aclnnStatus aclnnTopkGetWorkspaceSize(const aclTensor* self, int64_t k, int64_t dim,
                                                bool largest, bool sorted, aclTensor* valuesOut,
                                                aclTensor* indicesOut, uint64_t* workspaceSize,
                                                aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnTopk(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_TOPK_H_ */
