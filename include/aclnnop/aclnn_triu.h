/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_TRIU_H_
#define ACLNNOP_INCLUDE_ACLNN_TRIU_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Keep elements with col >= row + diagonal, else 0.
 * Types: self,out: f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool c32 c64.
 * Shapes: 2-8 dims.
 */
ACLNN_API aclnnStatus aclnnTriuGetWorkspaceSize(const aclTensor* self, int64_t diagonal,
                                                aclTensor* out, uint64_t* workspaceSize,
                                                aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnTriu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

/*
 * As Triu on selfRef.
 * Types: self,out: f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool c32 c64.
 */
ACLNN_API aclnnStatus aclnnInplaceTriuGetWorkspaceSize(aclTensor* selfRef, int64_t diagonal,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplaceTriu(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_TRIU_H_ */
