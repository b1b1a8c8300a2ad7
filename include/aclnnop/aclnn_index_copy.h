/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_INDEX_COPY_H_
#define ACLNNOP_INCLUDE_ACLNN_INDEX_COPY_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * selfRef[.., index[i], ..] = source[.., i, ..] along dim; order undefined for repeated indices.
 * Types: selfRef,source: all; index: i32 i64.
 * Shapes: index <= 1-D; source dim size = index count; strided both.
 */
ACLNN_API aclnnStatus aclnnInplaceIndexCopyGetWorkspaceSize(aclTensor* selfRef, int64_t dim,
                                                            const aclTensor* index,
                                                            const aclTensor* source,
                                                            uint64_t* workspaceSize,
                                                            aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplaceIndexCopy(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_INDEX_COPY_H_ */
