/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_REPEAT_H_
#define ACLNNOP_INCLUDE_ACLNN_REPEAT_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * torch.repeat (tiling): repeats has >= self rank entries; at most 4 of them different from 1 on
 * device.
 * Types: self: f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool c64 c128.
 * Shapes: out dims = repeats * dims.
 */
ACLNN_API aclnnStatus aclnnRepeatGetWorkspaceSize(const aclTensor* self, const aclIntArray* repeats,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnRepeat(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_REPEAT_H_ */
