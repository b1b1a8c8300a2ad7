/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_DROPOUT_GEN_MASK_H_
#define ACLNNOP_INCLUDE_ACLNN_DROPOUT_GEN_MASK_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Bit mask, one bit an element, padded to 128 bits; probability of 1 is 1-prob.
 * Types: prob: f64; seed,offset: i64; probDataType: f32 f16 bf16; out: u8.
 * Shapes: out u8.
 */
ACLNN_API aclnnStatus aclnnDropoutGenMaskV2GetWorkspaceSize(const aclIntArray* shape, double prob,
                                                            int64_t seed, int64_t offset,
                                                            aclDataType probDataType,
                                                            aclTensor* out, uint64_t* workspaceSize,
                                                            aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnDropoutGenMaskV2(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_DROPOUT_GEN_MASK_H_ */
