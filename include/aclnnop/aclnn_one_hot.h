/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_ONE_HOT_H_
#define ACLNNOP_INCLUDE_ACLNN_ONE_HOT_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * one-hot along axis with onValue/offValue 0-dim tensors.
 * Types: self: u8 i32 i64; numClasses: i64; onValue,offValue: f32 f16 i8 u8 i32 i64; axis: i64;
 * out: f32 f16 i8 u8 i32 i64.
 * Shapes: axis -1 = last.
 */
ACLNN_API aclnnStatus aclnnOneHotGetWorkspaceSize(const aclTensor* self, int numClasses,
                                                  const aclTensor* onValue,
                                                  const aclTensor* offValue, int64_t axis,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnOneHot(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_ONE_HOT_H_ */
