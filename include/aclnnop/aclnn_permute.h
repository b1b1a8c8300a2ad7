/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_PERMUTE_H_
#define ACLNNOP_INCLUDE_ACLNN_PERMUTE_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * out = self.permute(dims).
 * Types: self,out: f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool c64 c128.
 * Shapes: dims negative allowed; out contiguous or strided.
 */
ACLNN_API aclnnStatus aclnnPermuteGetWorkspaceSize(const aclTensor* self, const aclIntArray* dims,
                                                   aclTensor* out, uint64_t* workspaceSize,
                                                   aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnPermute(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_PERMUTE_H_ */
