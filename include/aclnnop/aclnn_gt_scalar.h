/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_GT_SCALAR_H_
#define ACLNNOP_INCLUDE_ACLNN_GT_SCALAR_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * out = (self > other) as 0/1 of out type.
 * Types: self,other: f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool; out: f32 f16 bf16 f64 i8
 * u8 i16 u16 i32 u32 i64 u64 bool c64 c128.
 * Shapes: out any castable from bool.
 */
ACLNN_API aclnnStatus aclnnGtScalarGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                                    aclTensor* out, uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnGtScalar(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

/* The same in place, in the type of selfRef. */
ACLNN_API aclnnStatus aclnnInplaceGtScalarGetWorkspaceSize(const aclTensor* selfRef,
                                                           const aclScalar* other,
                                                           uint64_t* workspaceSize,
                                                           aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplaceGtScalar(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_GT_SCALAR_H_ */
