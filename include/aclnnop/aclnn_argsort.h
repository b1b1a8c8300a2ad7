/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_ARGSORT_H_
#define ACLNNOP_INCLUDE_ACLNN_ARGSORT_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Indices that sort along dim; ties in any order (use a stable sort).
 * Types: self: f32 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64; out: i64.
 * Shapes: out i64, same shape.
 */
ACLNN_API aclnnStatus aclnnArgsortGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                   bool descending, aclTensor* out,
                                                   uint64_t* workspaceSize,
                                                   aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnArgsort(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_ARGSORT_H_ */
