/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_SORT_H_
#define ACLNNOP_INCLUDE_ACLNN_SORT_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Sorted values and i64 indices along dim.
 * Types: self: f32 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 bool; stable: bool; valuesOut: f32 f16
 * bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool; indicesOut: i64.
 * Shapes: stable flag; NaN sorts last ascending.
 */
ACLNN_API aclnnStatus aclnnSortGetWorkspaceSize(const aclTensor* self, bool stable, int64_t dim,
                                                bool descending, aclTensor* valuesOut,
                                                aclTensor* indicesOut, uint64_t* workspaceSize,
                                                aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnSort(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_SORT_H_ */
