/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_FLOOR_DIVIDE_H_
#define ACLNNOP_INCLUDE_ACLNN_FLOOR_DIVIDE_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * floor(self/other).
 * Types: self,other: f32 f16 f64 i8 u8 i16 i32 i64 bool; out: f32 f16 f64 i8 u8 i16 i32 i64 c64
 * c128.
 * Shapes: types promote; elementwise; any strides; out has the broadcast shape.
 */
ACLNN_API aclnnStatus aclnnFloorDivideGetWorkspaceSize(const aclTensor* self,
                                                       const aclTensor* other, aclTensor* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnFloorDivide(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

/* The same with a number as divisor. */
ACLNN_API aclnnStatus aclnnFloorDividesGetWorkspaceSize(const aclTensor* self,
                                                        const aclScalar* other, aclTensor* out,
                                                        uint64_t* workspaceSize,
                                                        aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnFloorDivides(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

/* FloorDivide in place. */
ACLNN_API aclnnStatus aclnnInplaceFloorDivideGetWorkspaceSize(aclTensor* selfRef,
                                                              const aclTensor* other,
                                                              uint64_t* workspaceSize,
                                                              aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplaceFloorDivide(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

/* FloorDivides in place. */
ACLNN_API aclnnStatus aclnnInplaceFloorDividesGetWorkspaceSize(aclTensor* selfRef,
                                                               const aclScalar* other,
                                                               uint64_t* workspaceSize,
                                                               aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplaceFloorDivides(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_FLOOR_DIVIDE_H_ */
