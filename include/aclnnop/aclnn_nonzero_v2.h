/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_NONZERO_V2_H_
#define ACLNNOP_INCLUDE_ACLNN_NONZERO_V2_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Indices of nonzero, [rank, count].
 * Types: self: f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool; out: i64.
 * Shapes: count known after running.
 */
ACLNN_API aclnnStatus aclnnNonzeroV2GetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                                     uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnNonzeroV2(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_NONZERO_V2_H_ */
