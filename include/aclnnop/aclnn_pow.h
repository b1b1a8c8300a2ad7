/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_POW_H_
#define ACLNNOP_INCLUDE_ACLNN_POW_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * out = self_scalar ^ exponent.
 * Types: self,exponent: f32 f16 bf16 f64 i8 u8 i16 i32 i64 c64 c128; out: f32 f16 bf16 f64 i8 u8
 * i16 u16 i32 u32 i64 u64 c64 c128.
 * Shapes: tensor-scalar promotion.
 */
ACLNN_API aclnnStatus aclnnPowScalarTensorGetWorkspaceSize(const aclScalar* self,
                                                           const aclTensor* exponent,
                                                           const aclTensor* out,
                                                           uint64_t* workspaceSize,
                                                           aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnPowScalarTensor(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

/*
 * self ^ exponent(scalar).
 * Types: self,exponent: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool c64 c128; out: f32 f16 bf16 f64 i8
 * u8 i16 u16 i32 u32 i64 u64 bool c64 c128.
 * Shapes: tensor-scalar promotion.
 */
ACLNN_API aclnnStatus aclnnPowTensorScalarGetWorkspaceSize(const aclTensor* self,
                                                           const aclScalar* exponent,
                                                           const aclTensor* out,
                                                           uint64_t* workspaceSize,
                                                           aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnPowTensorScalar(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

/* The same in place. */
ACLNN_API aclnnStatus aclnnInplacePowTensorScalarGetWorkspaceSize(const aclTensor* selfRef,
                                                                  const aclScalar* exponent,
                                                                  uint64_t* workspaceSize,
                                                                  aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplacePowTensorScalar(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_POW_H_ */
