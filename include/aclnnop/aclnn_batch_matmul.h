/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_BATCH_MATMUL_H_
#define ACLNNOP_INCLUDE_ACLNN_BATCH_MATMUL_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * out[b] = self[b,m,k] @ mat2[b,k,n].
 * Types: self,mat2,out: f32 f16 bf16.
 * Shapes: all 3-D; a batch dim of 1 broadcasts; strided and transposed views.
 */
ACLNN_API aclnnStatus aclnnBatchMatMulGetWorkspaceSize(const aclTensor* self, const aclTensor* mat2,
                                                       aclTensor* out, int8_t cubeMathType,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnBatchMatMul(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_BATCH_MATMUL_H_ */
