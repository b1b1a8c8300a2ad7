/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_MASKED_FILL_TENSOR_H_
#define ACLNNOP_INCLUDE_ACLNN_MASKED_FILL_TENSOR_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * selfRef[mask] = value (0-dim tensor).
 * Types: selfRef: f32 f16 bf16 i8 i32 i64 bool; mask: bool; value: f32 f16 bf16 i8 i32 i64 bool.
 * Shapes: mask bool broadcasts.
 */
ACLNN_API aclnnStatus aclnnInplaceMaskedFillTensorGetWorkspaceSize(aclTensor* selfRef,
                                                                   const aclTensor* mask,
                                                                   const aclTensor* value,
                                                                   uint64_t* workspaceSize,
                                                                   aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplaceMaskedFillTensor(void* workspace, uint64_t workspaceSize,
                                                   aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_MASKED_FILL_TENSOR_H_ */
