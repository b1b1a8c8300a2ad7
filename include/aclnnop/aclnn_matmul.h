/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_MATMUL_H_
#define ACLNNOP_INCLUDE_ACLNN_MATMUL_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * torch.matmul: batch dims broadcast over 1..6 dims; 1-D operands get a unit dim that is dropped
 * again; 1-D x 1-D gives a scalar.
 * Types: self,mat2,out: f32 f16 bf16.
 * Shapes: 1-6 dims each; strided.
 */
ACLNN_API aclnnStatus aclnnMatmulGetWorkspaceSize(const aclTensor* self, const aclTensor* mat2,
                                                  aclTensor* out, int8_t cubeMathType,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnMatmul(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_MATMUL_H_ */
