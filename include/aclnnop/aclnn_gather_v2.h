/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_GATHER_V2_H_
#define ACLNNOP_INCLUDE_ACLNN_GATHER_V2_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * index_select with an index of any rank: out dims = self dims with dim replaced by the dims of
 * index.
 * Types: self,out: any of f32 f16 bf16 f64 i8 u8 i16 i32 i64 bool c64 c128; index: i32 i64.
 * Shapes: 0 <= index < size(dim); index i32 or i64.
 */
ACLNN_API aclnnStatus aclnnGatherV2GetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                    const aclTensor* index, aclTensor* out,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnGatherV2(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_GATHER_V2_H_ */
