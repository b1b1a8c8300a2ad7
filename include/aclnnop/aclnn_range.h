/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_RANGE_H_
#define ACLNNOP_INCLUDE_ACLNN_RANGE_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Arange with inclusive end.
 * Types: start,end,step: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool; out: f32 f16 bf16 f64 i32 i64.
 * Shapes: 1-D.
 */
ACLNN_API aclnnStatus aclnnRangeGetWorkspaceSize(const aclScalar* start, const aclScalar* end,
                                                 const aclScalar* step, aclTensor* out,
                                                 uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnRange(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_RANGE_H_ */
