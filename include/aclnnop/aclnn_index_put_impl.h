/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_INDEX_PUT_IMPL_H_
#define ACLNNOP_INCLUDE_ACLNN_INDEX_PUT_IMPL_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * selfRef[indices] = values, or += when accumulate.
 * Types: selfRef: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool; indices: i32 i64 bool.
 * Shapes: as Index; values broadcast.
 */
ACLNN_API aclnnStatus aclnnIndexPutImplGetWorkspaceSize(
    aclTensor* selfRef, const aclTensorList* indices, const aclTensor* values,
    const bool accumulate, const bool unsafe, uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnIndexPutImpl(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_INDEX_PUT_IMPL_H_ */
