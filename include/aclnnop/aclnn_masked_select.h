/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_MASKED_SELECT_H_
#define ACLNNOP_INCLUDE_ACLNN_MASKED_SELECT_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * 1-D of self where mask (broadcast); count known only after running: out buffer sized for all,
 * its view shape is set to the real count.
 * Types: self: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool; mask: u8 bool; out: f32 f16 bf16 f64 i8 u8
 * i16 i32 i64 bool.
 * Shapes: mask bool.
 */
ACLNN_API aclnnStatus aclnnMaskedSelectGetWorkspaceSize(const aclTensor* self,
                                                        const aclTensor* mask, aclTensor* out,
                                                        uint64_t* workspaceSize,
                                                        aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnMaskedSelect(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_MASKED_SELECT_H_ */
