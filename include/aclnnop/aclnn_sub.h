/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_SUB_H_
#define ACLNNOP_INCLUDE_ACLNN_SUB_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * out = self - alpha*other.
 * Types: self,other,alpha,out: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool c64 c128.
 * Shapes: as Add.
 */
ACLNN_API aclnnStatus aclnnSubGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                               const aclScalar* alpha, aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnSub(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream);

/*
 * selfRef -= alpha*other.
 * Types: self,other,alpha,out: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool c64 c128.
 * Shapes: as InplaceAdd.
 */
ACLNN_API aclnnStatus aclnnInplaceSubGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                                      const aclScalar* alpha,
                                                      uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplaceSub(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

/*
 * selfRef -= alpha*other (scalars).
 * Types: self,other,alpha,out: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool c64 c128.
 * Shapes: as InplaceAdds.
 */
ACLNN_API aclnnStatus aclnnInplaceSubsGetWorkspaceSize(aclTensor* selfRef, const aclScalar* other,
                                                       const aclScalar* alpha,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplaceSubs(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

/*
 * self - alpha*other(scalar).
 * Types: self,other,alpha,out: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool c64 c128.
 * Shapes: tensor-scalar promotion.
 */
ACLNN_API aclnnStatus aclnnSubsGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                                const aclScalar* alpha, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnSubs(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_SUB_H_ */
