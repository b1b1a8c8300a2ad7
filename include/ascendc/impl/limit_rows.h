/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limits of the arguments of kernel functions that are not vector instructions, one row each.
 * The checks, docs/kernel_functions.md and the tests use these rows.
 */
#ifndef ASCENDC_IMPL_LIMIT_ROWS_H_
#define ASCENDC_IMPL_LIMIT_ROWS_H_

#include "ascendc/impl/vector_rows.h"

#define ACLSIM_NO_MOST 0xffffffffU
#define ACLSIM_OF_ELEMENT 0 /* a step: the bytes of an element */

/* R(name, functions, argument, least, most, step, word of the finding) */
#define ACLSIM_LIMIT_ROWS(R)                                                                       \
  R(COPY_BLOCKS, "DataCopy, DataCopyPad", "blockCount", 0, 4095, 1, "move-range")                  \
  R(COPY_LOCAL, "DataCopy, DataCopyPad", "byte address of a local tensor", 0, ACLSIM_NO_MOST, 32,  \
    "misaligned")                                                                                  \
  R(COPY_BIAS, "DataCopy", "byte address of a tensor in the bias table", 0, ACLSIM_NO_MOST, 64,    \
    "misaligned")                                                                                  \
  R(COPY_FIXPIPE, "DataCopy", "byte address of a tensor in the fixpipe buffer", 0, ACLSIM_NO_MOST, \
    128, "misaligned")                                                                             \
  R(COPY_GLOBAL, "DataCopy", "byte address of a global tensor", 0, ACLSIM_NO_MOST,                 \
    ACLSIM_OF_ELEMENT, "misaligned")                                                               \
  R(PAD_SIDE, "DataCopyPad", "bytes of padding on one side", 0, 32, 1, "argument")                 \
  R(SLICE_AXES, "DataCopy", "dimValue", 1, 4, 1, "argument")                                       \
  R(EVENT_ID, "SetFlag, WaitFlag", "eventID", 0, 7, 1, "event-range")                              \
  R(CROSS_FLAG, "CrossCoreSetFlag, CrossCoreWaitFlag", "flagId", 0, 15, 1, "flag-range")           \
  R(CROSS_PENDING, "CrossCoreSetFlag", "sets that no wait has taken", 0, 15, 1, "flag-range")      \
  R(QUEUE_BUFFERS, "InitBuffer", "num", 1, 64, 1, "local-exceeded")                                \
  R(BUFFER_LENGTH, "InitBuffer", "len", 1, ACLSIM_NO_MOST, 1, "local-exceeded")                    \
  R(TAKEN_TENSORS, "AllocTensor", "tensors of one position that are not freed", 0, 8, 1, "queue")  \
  R(BUFFER_OFFSET, "GetWithOffset", "bufOffset", 0, ACLSIM_NO_MOST, 32, "argument")                \
  R(SHAPE_AXES, "ShapeInfo", "inputShapeDim", 0, 8, 1, "argument")

enum aclsimLimit {
#define ACLSIM_LIMIT(name, functions, argument, least, most, step, word) \
  ACLSIM_LEAST_##name = (least), ACLSIM_STEP_##name = (step),
  ACLSIM_LIMIT_ROWS(ACLSIM_LIMIT)
#undef ACLSIM_LIMIT
};
enum aclsimMost {
#define ACLSIM_LIMIT(name, functions, argument, least, most, step, word) \
  ACLSIM_MOST_##name = (most),
  ACLSIM_LIMIT_ROWS(ACLSIM_LIMIT)
#undef ACLSIM_LIMIT
};

/* The types of 8 and 4 bits that narrow.h declares. */
#define ACLSIM_SET_NARROW                                           \
  ((ACLSIM_BIT(ACLSIM_INT4X2) | (ACLSIM_BIT(ACLSIM_INT4X2) - 1U)) & \
   ~(ACLSIM_BIT(ACLSIM_FP8_E4M3FN) - 1U))

/* Copies move bytes of all types, also types with which the vector unit does not compute. */
#define ACLSIM_SET_MOVED                                                    \
  (ACLSIM_SET_OF(ALL) | ACLSIM_BIT(ACLSIM_BOOL) | ACLSIM_BIT(ACLSIM_INT4) | \
   ACLSIM_BIT(ACLSIM_DOUBLE) | ACLSIM_BIT(ACLSIM_OTHER_ELEMENT) | ACLSIM_SET_NARROW)

/* The element types of functions. R(function): the compiler refuses others. */
#define ACLSIM_TYPES_SetAtomicAdd ATOMIC
#define ACLSIM_TYPES_SetAtomicMax ATOMIC
#define ACLSIM_TYPES_SetAtomicMin ATOMIC
#define ACLSIM_TYPES_SetAtomicType ATOMIC
#define ACLSIM_TYPES_GetUintDivMagicAndShift U32_U64
#define ACLSIM_TYPE_ROWS(R) \
  R(SetAtomicAdd)           \
  R(SetAtomicMax)           \
  R(SetAtomicMin)           \
  R(SetAtomicType)          \
  R(GetUintDivMagicAndShift)

#endif /* ASCENDC_IMPL_LIMIT_ROWS_H_ */
