/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_INDEX_ADD_H_
#define ACLNNOP_INCLUDE_ACLNN_INDEX_ADD_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * self with alpha*source added along dim at index.
 * Types: self: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool; index: i32 i64.
 * Shapes: index 1-D.
 */
ACLNN_API aclnnStatus aclnnIndexAddGetWorkspaceSize(const aclTensor* self, const int64_t dim,
                                                    const aclTensor* index, const aclTensor* source,
                                                    const aclScalar* alpha, aclTensor* out,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnIndexAdd(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_INDEX_ADD_H_ */
