/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_COPY_H_
#define ACLNNOP_INCLUDE_ACLNN_COPY_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * selfRef[...] = src, broadcast and converted to the type of selfRef.
 * Types: selfRef,src: f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool c64 c128.
 * Shapes: src broadcasts to selfRef; any strides on both, also scatter-like views (diagonal:
 * stride N+1).
 */
ACLNN_API aclnnStatus aclnnInplaceCopyGetWorkspaceSize(aclTensor* selfRef, const aclTensor* src,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnInplaceCopy(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_COPY_H_ */
