/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_ADDMM_H_
#define ACLNNOP_INCLUDE_ACLNN_ADDMM_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * beta*self + alpha*(mat1@mat2).
 * Types: self,mat1,mat2: f32 f16 bf16; beta,alpha: f32 f16 f64 i8 u8 i16 i32 i64; out: f32 f16
 * bf16.
 * Shapes: self broadcasts to [m,n].
 */
ACLNN_API aclnnStatus aclnnAddmmGetWorkspaceSize(const aclTensor* self, const aclTensor* mat1,
                                                 const aclTensor* mat2, const aclScalar* beta,
                                                 const aclScalar* alpha, aclTensor* out,
                                                 int8_t cubeMathType, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnAddmm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_ADDMM_H_ */
