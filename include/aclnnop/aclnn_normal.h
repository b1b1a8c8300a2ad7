/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_NORMAL_H_
#define ACLNNOP_INCLUDE_ACLNN_NORMAL_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * normal(mean,std).
 * Types: selfRef: f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool; mean,std: f32; seed,offset: i64.
 * Shapes: as InplaceUniform.
 */
ACLNN_API aclnnStatus aclnnInplaceNormalGetWorkspaceSize(const aclTensor* selfRef, float mean,
                                                         float std, int64_t seed, int64_t offset,
                                                         uint64_t* workspaceSize,
                                                         aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplaceNormal(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_NORMAL_H_ */
