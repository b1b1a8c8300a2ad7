/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_INDEX_SELECT_H_
#define ACLNNOP_INCLUDE_ACLNN_INDEX_SELECT_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * torch.index_select (index 0-D or 1-D).
 * Types: self,out: f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool c64 c128; index: i32 i64.
 * Shapes: 0 <= index < size(dim); strided self.
 */
ACLNN_API aclnnStatus aclnnIndexSelectGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                       const aclTensor* index, aclTensor* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnIndexSelect(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_INDEX_SELECT_H_ */
