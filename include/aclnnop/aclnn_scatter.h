/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_SCATTER_H_
#define ACLNNOP_INCLUDE_ACLNN_SCATTER_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * self with src scattered at index along dim; reduce 0 replace, 1 add, 2 multiply.
 * Types: self: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool c64 c128; index: i32 i64; src,out: f32 f16
 * bf16 f64 i8 u8 i16 i32 i64 bool c64 c128.
 * Shapes: same rank; torch.scatter.
 */
ACLNN_API aclnnStatus aclnnScatterGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                   const aclTensor* index, const aclTensor* src,
                                                   int64_t reduce, aclTensor* out,
                                                   uint64_t* workspaceSize,
                                                   aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnScatter(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

/*
 * Scatter a scalar; reduce 0/1/2.
 * Types: self: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool c64 c128; index: i32 i64; out: f32 f16 bf16
 * f64 i8 u8 i16 i32 i64 bool c64 c128.
 * Shapes: same rank.
 */
ACLNN_API aclnnStatus aclnnScatterValueGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                        const aclTensor* index,
                                                        const aclScalar* value, int64_t reduce,
                                                        aclTensor* out, uint64_t* workspaceSize,
                                                        aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnScatterValue(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_SCATTER_H_ */
