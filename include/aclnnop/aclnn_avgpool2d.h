/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_AVGPOOL2D_H_
#define ACLNNOP_INCLUDE_ACLNN_AVGPOOL2D_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Mean over windows; countIncludePad; divisorOverride 0 = off.
 * Types: self,out: f32 f16 bf16.
 * Shapes: NCHW 3-4-D; strides empty = kernel.
 */
ACLNN_API aclnnStatus aclnnAvgPool2dGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* kernelSize, const aclIntArray* strides,
    const aclIntArray* paddings, const bool ceilMode, const bool countIncludePad,
    const int64_t divisorOverride, const int8_t cubeMathType, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnAvgPool2d(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_AVGPOOL2D_H_ */
