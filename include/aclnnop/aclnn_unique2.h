/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_UNIQUE2_H_
#define ACLNNOP_INCLUDE_ACLNN_UNIQUE2_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Sorted unique values with inverse and counts.
 * Types: self,valueOut: f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool; inverseOut: i64.
 * Shapes: counts known after running.
 */
ACLNN_API aclnnStatus aclnnUnique2GetWorkspaceSize(const aclTensor* self, bool sorted,
                                                   bool returnInverse, bool returnCounts,
                                                   aclTensor* valueOut, aclTensor* inverseOut,
                                                   aclTensor* countsOut, uint64_t* workspaceSize,
                                                   aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnUnique2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_UNIQUE2_H_ */
