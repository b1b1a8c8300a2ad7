/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_UNIFORM_H_
#define ACLNNOP_INCLUDE_ACLNN_UNIFORM_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Uniform in [from,to).
 * Types: selfRef: f32 f16 bf16 f64 i8 u8 i16 i32 i64; from,to: f64; seed,offset: u64.
 * Shapes: Philox with seed and offset on device: values need not match.
 */
ACLNN_API aclnnStatus aclnnInplaceUniformGetWorkspaceSize(const aclTensor* selfRef, double from,
                                                          double to, uint64_t seed, uint64_t offset,
                                                          uint64_t* workspaceSize,
                                                          aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplaceUniform(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_UNIFORM_H_ */
