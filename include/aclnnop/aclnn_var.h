/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_VAR_H_
#define ACLNNOP_INCLUDE_ACLNN_VAR_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Sum (x-mean)^2/(n-correction) over dims.
 * Types: self,out: f32 f16 bf16.
 * Shapes: dim null = all.
 */
ACLNN_API aclnnStatus aclnnVarCorrectionGetWorkspaceSize(const aclTensor* self,
                                                         const aclIntArray* dim, int64_t correction,
                                                         bool keepdim, aclTensor* out,
                                                         uint64_t* workspaceSize,
                                                         aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnVarCorrection(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_VAR_H_ */
