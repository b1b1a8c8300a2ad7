/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_SCATTER_ADD_H_
#define ACLNNOP_INCLUDE_ACLNN_SCATTER_ADD_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * self with src added at index along dim.
 * Types: self: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool c64 c128; index: i32 i64; src,out: f32 f16
 * bf16 f64 i8 u8 i16 i32 i64 bool c64 c128.
 * Shapes: same rank; repeats accumulate.
 */
ACLNN_API aclnnStatus aclnnScatterAddGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                      const aclTensor* index, const aclTensor* src,
                                                      aclTensor* out, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnScatterAdd(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_SCATTER_ADD_H_ */
