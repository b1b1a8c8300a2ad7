/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_HARDTANH_H_
#define ACLNNOP_INCLUDE_ACLNN_HARDTANH_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * clip(x, lo, hi).
 * Types: self: f32 f16 bf16 f64 i8 u8 i16 i32 i64; clipValueMin,clipValueMax: f32 f16 bf16 f64 i8
 * u8 i16 i32 i64 bool; out: f32 f16 bf16 f64 i8 u8 i16 i32 i64.
 * Shapes: out same shape as self; any strides; 0-8 dims.
 */
ACLNN_API aclnnStatus aclnnHardtanhGetWorkspaceSize(const aclTensor* self,
                                                    const aclScalar* clipValueMin,
                                                    const aclScalar* clipValueMax, aclTensor* out,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnHardtanh(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_HARDTANH_H_ */
