/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_ADDMV_H_
#define ACLNNOP_INCLUDE_ACLNN_ADDMV_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * beta*self + alpha*(mat@vec).
 * Types: self,mat,vec: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool; alpha,beta: f32 f16 f64 i8 u8 i16
 * i32 i64; out: f32 f16 bf16 f64 i8 u8 i16 i32 i64.
 * Shapes: note: alpha comes before beta in the argument list.
 */
ACLNN_API aclnnStatus aclnnAddmvGetWorkspaceSize(const aclTensor* self, const aclTensor* mat,
                                                 const aclTensor* vec, const aclScalar* alpha,
                                                 const aclScalar* beta, aclTensor* out,
                                                 int8_t cubeMathType, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnAddmv(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_ADDMV_H_ */
