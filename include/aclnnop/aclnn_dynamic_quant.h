/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_DYNAMIC_QUANT_H_
#define ACLNNOP_INCLUDE_ACLNN_DYNAMIC_QUANT_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * per-row symmetric i8: scale = max|x|/127.
 * Types: x,smoothScalesOptional: f16 bf16; yOut: i8 i32 i4; scaleOut: f32.
 * Shapes: yOut i8, scaleOut f32 row shape.
 */
ACLNN_API aclnnStatus aclnnDynamicQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* smoothScalesOptional, const aclTensor* yOut,
    const aclTensor* scaleOut, uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnDynamicQuant(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_DYNAMIC_QUANT_H_ */
