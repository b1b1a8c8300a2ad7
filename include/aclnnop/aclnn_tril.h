/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_TRIL_H_
#define ACLNNOP_INCLUDE_ACLNN_TRIL_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Keep elements with col <= row + diagonal, else 0 (last two dims).
 * Types: self,out: f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool c32 c64.
 * Shapes: 2-8 dims.
 */
ACLNN_API aclnnStatus aclnnTrilGetWorkspaceSize(const aclTensor* self, int64_t diagonal,
                                                aclTensor* out, uint64_t* workspaceSize,
                                                aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnTril(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

/*
 * As Tril in place.
 * Types: self,out: f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool c32 c64.
 * Shapes: 2-8 dims.
 */
ACLNN_API aclnnStatus aclnnInplaceTrilGetWorkspaceSize(const aclTensor* selfRef, int64_t diagonal,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplaceTril(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_TRIL_H_ */
