/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_CLAMP_H_
#define ACLNNOP_INCLUDE_ACLNN_CLAMP_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * max(min(x, hi), lo); either bound may be null.
 * Types: self,clipValueMin,clipValueMax,out: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool.
 * Shapes: scalars.
 */
ACLNN_API aclnnStatus aclnnClampGetWorkspaceSize(const aclTensor* self,
                                                 const aclScalar* clipValueMin,
                                                 const aclScalar* clipValueMax, aclTensor* out,
                                                 uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnClamp(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

/*
 * max(x, lo).
 * Types: self: f32 f16 bf16 f64 i8 u8 i16 i32 i64; clipValueMin: f32 f16 bf16 f64 i8 u8 i16 i32
 * i64 bool; out: f32 f16 bf16 f64 i8 u8 i16 i32 i64.
 * Shapes: scalar.
 */
ACLNN_API aclnnStatus aclnnClampMinGetWorkspaceSize(const aclTensor* self,
                                                    const aclScalar* clipValueMin, aclTensor* out,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnClampMin(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

/*
 * min(x, hi) in place.
 * Types: self: f32 f16 bf16 f64 i8 u8 i16 i32 i64; clipValueMax: f32 f16 bf16 f64 i8 u8 i16 i32
 * i64 bool; out: f32 f16 bf16 f64 i8 u8 i16 i32 i64.
 * Shapes: scalar.
 */
ACLNN_API aclnnStatus aclnnInplaceClampMaxGetWorkspaceSize(const aclTensor* selfRef,
                                                           const aclScalar* clipValueMax,
                                                           uint64_t* workspaceSize,
                                                           aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplaceClampMax(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_CLAMP_H_ */
