/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_MUL_H_
#define ACLNNOP_INCLUDE_ACLNN_MUL_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * out = self*other.
 * Types: self,other,out: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool c64 c128.
 * Shapes: types promote; elementwise; any strides; out has the broadcast shape.
 */
ACLNN_API aclnnStatus aclnnMulGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                               aclTensor* out, uint64_t* workspaceSize,
                                               aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnMul(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream);

/*
 * selfRef *= other.
 * Types: self,other,out: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool c64 c128.
 * Shapes: other broadcasts; result in selfRef type.
 */
ACLNN_API aclnnStatus aclnnInplaceMulGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                                      uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplaceMul(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

/*
 * out = self*scalar.
 * Types: self,other,out: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool c64 c128.
 * Shapes: as InplaceAdds.
 */
ACLNN_API aclnnStatus aclnnMulsGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                                aclTensor* out, uint64_t* workspaceSize,
                                                aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnMuls(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

/*
 * selfRef *= scalar.
 * Types: self,other,out: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool c64 c128.
 * Shapes: as InplaceAdds.
 */
ACLNN_API aclnnStatus aclnnInplaceMulsGetWorkspaceSize(aclTensor* selfRef, const aclScalar* other,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplaceMuls(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_MUL_H_ */
