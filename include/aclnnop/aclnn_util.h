/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operators run in two phases. aclnnXGetWorkspaceSize checks its arguments, touches no device
 * memory and gives an executor and the bytes of workspace that aclnnX wants (0 here: NULL is a
 * workspace). aclnnX enqueues the work on a stream (NULL: the default one) and takes the executor,
 * also when it fails. Tensors, scalars and arrays may be destroyed as soon as it returns. Codes:
 * aclnn/acl_meta.h.
 *
 * In the comments of operators: types f32 f16 bf16 f64, i8 i16 i32 i64, u8 u16 u32 u64, bool, c32
 * c64 c128 (complex), i4 (two in a byte). "Promote": two types that differ are computed in the
 * wider kind, as in PyTorch; a tensor keeps its type beside a scalar of the same or a lower kind.
 * Shapes broadcast as in numpy. All tensors may be views with any strides, 8 dims at most, unless a
 * comment says otherwise.
 */
#ifndef ACLNNOP_INCLUDE_ACLNN_UTIL_H_
#define ACLNNOP_INCLUDE_ACLNN_UTIL_H_

#define ACLNN_API __attribute__((visibility("default")))

#endif /* ACLNNOP_INCLUDE_ACLNN_UTIL_H_ */
