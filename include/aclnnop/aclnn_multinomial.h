/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_MULTINOMIAL_H_
#define ACLNNOP_INCLUDE_ACLNN_MULTINOMIAL_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Class samples.
 * Types: self: f32 f16 bf16 f64; numsamples: i64; replacement: bool; seed,offset,out: i64.
 * Shapes: out i64.
 */
ACLNN_API aclnnStatus aclnnMultinomialGetWorkspaceSize(const aclTensor* self, int64_t numsamples,
                                                       bool replacement, int64_t seed,
                                                       int64_t offset, aclTensor* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnMultinomial(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_MULTINOMIAL_H_ */
