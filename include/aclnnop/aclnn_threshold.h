/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_THRESHOLD_H_
#define ACLNNOP_INCLUDE_ACLNN_THRESHOLD_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * x > threshold ? x : value.
 * Types: self,threshold,value,out: f32 f16 bf16 i8 u8 i16 i32 i64.
 * Shapes: out same shape as self; any strides; 0-8 dims.
 */
ACLNN_API aclnnStatus aclnnInplaceThresholdGetWorkspaceSize(aclTensor* selfRef,
                                                            const aclScalar* threshold,
                                                            const aclScalar* value,
                                                            uint64_t* workspaceSize,
                                                            aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplaceThreshold(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

/*
 * x > threshold ? x : value.
 * Types: self,threshold,value,out: f32 f16 bf16 i8 u8 i16 i32 i64.
 * Shapes: out same shape as self; any strides; 0-8 dims.
 */
ACLNN_API aclnnStatus aclnnThresholdGetWorkspaceSize(const aclTensor* self,
                                                     const aclScalar* threshold,
                                                     const aclScalar* value, aclTensor* out,
                                                     uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnThreshold(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_THRESHOLD_H_ */
