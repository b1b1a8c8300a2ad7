/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_GATHER_H_
#define ACLNNOP_INCLUDE_ACLNN_GATHER_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * out[i][j] = self[index[i][j]][j] along dim (torch.gather).
 * Types: self: f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool; index: i32 i64.
 * Shapes: index same rank; negative index counts from the end.
 */
ACLNN_API aclnnStatus aclnnGatherGetWorkspaceSize(const aclTensor* self, const int64_t dim,
                                                  const aclTensor* index, aclTensor* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnGather(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_GATHER_H_ */
