/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_FOREACH_ADD_LIST_H_
#define ACLNNOP_INCLUDE_ACLNN_FOREACH_ADD_LIST_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * x1[i] + alpha*x2[i].
 * Types: x1,x2: f32 f16 bf16 i8 u8 i16 i32; alpha: f32 f16 i32; out: f32 f16 bf16 i8 u8 i16 i32.
 * Shapes: lists of equal length.
 */
ACLNN_API aclnnStatus aclnnForeachAddListGetWorkspaceSize(
    const aclTensorList* x1, const aclTensorList* x2, const aclTensor* alpha, aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnForeachAddList(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_FOREACH_ADD_LIST_H_ */
