/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_LOGSUMEXP_H_
#define ACLNNOP_INCLUDE_ACLNN_LOGSUMEXP_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Max + log sum exp(x-max) over dims.
 * Types: self: f32 f16 bf16 i8 u8 i16 i32 i64 bool; out: f32 f16 bf16.
 * Shapes: keepDim.
 */
ACLNN_API aclnnStatus aclnnLogSumExpGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim,
                                                     bool keepDim, aclTensor* out,
                                                     uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnLogSumExp(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_LOGSUMEXP_H_ */
