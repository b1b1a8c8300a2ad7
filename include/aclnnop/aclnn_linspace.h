/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_LINSPACE_H_
#define ACLNNOP_INCLUDE_ACLNN_LINSPACE_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Steps points from start to end inclusive.
 * Types: start,end: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool; out: f32 f16 bf16 f64 i8 u8 i16 i32.
 * Shapes: 1-D.
 */
ACLNN_API aclnnStatus aclnnLinspaceGetWorkspaceSize(const aclScalar* start, const aclScalar* end,
                                                    int64_t steps, aclTensor* out,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnLinspace(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_LINSPACE_H_ */
