/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_POW_TENSOR_TENSOR_H_
#define ACLNNOP_INCLUDE_ACLNN_POW_TENSOR_TENSOR_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * self = self ^ exponent.
 * Types: self,exponent: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool c64 c128; out: f32 f16 bf16 f64 i8
 * u8 i16 u16 i32 u32 i64 u64 bool c64 c128.
 * Shapes: broadcast.
 */
ACLNN_API aclnnStatus aclnnInplacePowTensorTensorGetWorkspaceSize(const aclTensor* self,
                                                                  const aclTensor* exponent,
                                                                  uint64_t* workspaceSize,
                                                                  aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplacePowTensorTensor(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

/*
 * self ^ exponent.
 * Types: self,exponent: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool c64 c128; out: f32 f16 bf16 f64 i8
 * u8 i16 u16 i32 u32 i64 u64 bool c64 c128.
 * Shapes: types promote; elementwise; any strides; out has the broadcast shape.
 */
ACLNN_API aclnnStatus aclnnPowTensorTensorGetWorkspaceSize(const aclTensor* self,
                                                           const aclTensor* exponent,
                                                           aclTensor* out, uint64_t* workspaceSize,
                                                           aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnPowTensorTensor(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_POW_TENSOR_TENSOR_H_ */
