/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_CONVOLUTION_H_
#define ACLNNOP_INCLUDE_ACLNN_CONVOLUTION_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * 1-3-D convolution or transposed convolution; weight [Cout, Cin/groups, k..] (transposed: [Cin,
 * Cout/groups, k..]).
 * Types: input,weight,bias,output: f32 f16 bf16.
 * Shapes: formats NCL, NCHW, NCDHW by rank; bias null or [Cout]; padding per dim (or lo/hi pairs
 * for 1-D and 2-D); outputPadding only when transposed; strided inputs.
 */
ACLNN_API aclnnStatus aclnnConvolutionGetWorkspaceSize(
    const aclTensor* input, const aclTensor* weight, const aclTensor* bias,
    const aclIntArray* stride, const aclIntArray* padding, const aclIntArray* dilation,
    bool transposed, const aclIntArray* outputPadding, const int64_t groups, aclTensor* output,
    int8_t cubeMathType, uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnConvolution(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_CONVOLUTION_H_ */
