/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_INDEX_H_
#define ACLNNOP_INCLUDE_ACLNN_INDEX_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Advanced indexing: list of index tensors (null = full slice), bool masks count as nonzero.
 * Types: self,out: all; indices: i32 i64 bool u8.
 * Shapes: index tensors broadcast together.
 */
ACLNN_API aclnnStatus aclnnIndexGetWorkspaceSize(const aclTensor* self,
                                                 const aclTensorList* indices, aclTensor* out,
                                                 uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnIndex(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_INDEX_H_ */
