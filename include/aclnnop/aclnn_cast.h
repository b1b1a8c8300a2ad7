/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_CAST_H_
#define ACLNNOP_INCLUDE_ACLNN_CAST_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Convert element type; out dtype must equal dtype argument.
 * Types: self,out: f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool c32 c64 c128.
 * Shapes: same shape; strided both sides; float->int: NaN -> 0, truncates.
 */
ACLNN_API aclnnStatus aclnnCastGetWorkspaceSize(const aclTensor* self, const aclDataType dtype,
                                                aclTensor* out, uint64_t* workspaceSize,
                                                aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnCast(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_CAST_H_ */
