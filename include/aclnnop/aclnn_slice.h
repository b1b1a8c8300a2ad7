/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_SLICE_H_
#define ACLNNOP_INCLUDE_ACLNN_SLICE_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * out = self[..., start:end:step, ...] along dim; negative start/end count from the end and are
 * clamped.
 * Types: self: f32 f16 bf16 i8 u8 i32 i64 bool; start,end,step: i64.
 * Shapes: step > 0; out dims must match.
 */
ACLNN_API aclnnStatus aclnnSliceGetWorkspaceSize(const aclTensor* self, int64_t dim, int64_t start,
                                                 int64_t end, int64_t step, aclTensor* out,
                                                 uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnSlice(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_SLICE_H_ */
