/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the high-level library: one row each, and all that declares, checks, documents
 * or tests them reads these rows. Numbers stay: kernels that are built carry them.
 */
#ifndef ASCENDC_IMPL_LIBRARY_ROWS_H_
#define ASCENDC_IMPL_LIBRARY_ROWS_H_

#include "ascendc/impl/library_rows_activation.h"
#include "ascendc/impl/library_rows_filter.h"
#include "ascendc/impl/library_rows_normalization.h"
#include "ascendc/impl/library_rows_quantization.h"
#include "ascendc/impl/library_rows_reduction.h"
#include "ascendc/impl/library_rows_shapes.h"
#include "ascendc/impl/library_rows_sort.h"
#include "ascendc/impl/vector_rows.h"

#define ACLSIM_IN_S16_U16_ONLY(F, N) F(S16) N(U16)
#define ACLSIM_IN_F16_F32_S64(F, N) F(F16) N(F32) N(S64)
#define ACLSIM_IN_F16_F32_S32(F, N) F(F16) N(F32) N(S32)
#define ACLSIM_IN_POWERS(F, N) F(S8) N(U8) N(S16) N(U16) N(F16) N(BF) N(S32) N(U32) N(F32)

enum aclsimLibraryFlag {
  ACLSIM_IN_PLACE = 1 /* the destination may be a source */
};

/*
 * R(number, name, shape, operands, types on 2201, types on 3510, temporary, flags)
 *
 * shape      selects the overloads that library_*.h declares from the row; overloads of CUSTOM are
 *            written there.
 * operands   in the order of the call's structure. `?` marks one that a call may lack.
 * types      of the first source; NONE: the architecture does not have the function.
 * temporary  how many intermediate tensors of at least 256 bytes the function needs in `tmp`; 0: it
 *            uses no temporary memory (library_sizes.h).
 */
#define ACLSIM_LIBRARY_MATH_ROWS(R)                                           \
  R(1, Acos, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 6, 0)                   \
  R(2, Acosh, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 3, 0)                  \
  R(3, Asin, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 6, 0)                   \
  R(4, Asinh, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 3, 0)                  \
  R(5, Atan, UNARY_ATAN, "dst,src,tmp?", F16_F32, F16_F32, 5, 0)              \
  R(6, Atanh, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 2, 0)                  \
  R(7, Ceil, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 1, 0)                   \
  R(8, Cos, UNARY_COS, "dst,src,tmp?", F16_F32, F16_F32, 4, 0)                \
  R(9, Cosh, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 2, 0)                   \
  R(10, Digamma, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 7, 0)               \
  R(11, Erf, UNARY_ERF, "dst,src,tmp?", F16_F32, F16_F32, 3, 0)               \
  R(12, Erfc, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 7, 0)                  \
  R(13, Floor, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 1, 0)                 \
  R(14, Frac, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 1, 0)                  \
  R(15, Lgamma, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 8, 0)                \
  R(16, Log, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 0, 0)                   \
  R(17, Log2, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 1, 0)                  \
  R(18, Log10, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 0, 0)                 \
  R(19, Round, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 1, ACLSIM_IN_PLACE)   \
  R(20, Sign, UNARY, "dst,src,tmp?", F16_F32, F16_F32_S64, 3, 0)              \
  R(21, Sin, UNARY_SIN, "dst,src,tmp?", F16_F32, F16_F32, 4, 0)               \
  R(22, Sinh, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 4, 0)                  \
  R(23, Tan, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 4, 0)                   \
  R(24, Tanh, UNARY_TANH, "dst,src,tmp?", F16_F32, F16_F32, 1, 0)             \
  R(25, Trunc, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 1, ACLSIM_IN_PLACE)   \
  R(26, Rint, UNARY_FIRST_CONFIG, "dst,src,tmp?", NONE, F16_F32, 0, 0)        \
  R(27, Exp, CUSTOM, "dst,src,tmp?", F16_F32, F16_F32, 4, 0)                  \
  R(28, Fmod, BINARY_FMOD, "dst,src0,src1,tmp?", F16_F32, F16_F32, 1, 0)      \
  R(29, Hypot, BINARY, "dst,src0,src1,tmp?", NONE, F16_BF_F32, 0, 0)          \
  R(30, Xor, BINARY, "dst,src0,src1,tmp?", S16_U16_ONLY, S16_U16_ONLY, 1, 0)  \
  R(31, Power, CUSTOM, "dst,src0,src1,tmp?", F16_F32_S32, POWERS, 4, 0)       \
  R(32, Axpy, CUSTOM, "dst,src,tmp?", F16_F32, F16_F32, 1, 0)                 \
  R(33, ClampMax, CLAMP, "dst,src,tmp?", F16_F32, F16_F32, 1, 0)              \
  R(34, ClampMin, CLAMP, "dst,src,tmp?", F16_F32, F16_F32, 1, 0)              \
  R(35, Clamp, CUSTOM, "dst,src,min?,max?", NONE, ALL, 1, 0)                  \
  R(36, Fma, CUSTOM, "dst,src0,src1,src2,tmp?", NONE, F16_F32, 0, 0)          \
  R(37, SinCos, CUSTOM, "dst0,dst1,src,tmp?", NONE, F16_F32, 4, 0)            \
  R(38, IsFinite, CUSTOM, "dst,src", NONE, F16_BF_F32, 0, 0)                  \
  R(39, IsInf, IS_CONFIG, "dst,src,tmp?", NONE, F16_F32, 0, 0)                \
  R(40, IsNan, IS_CONFIG, "dst,src,tmp?", NONE, F16_F32, 0, 0)                \
  R(41, LogicalAnd, LOGICAL_TWO, "dst,src0,src1", NONE, ALL_BOOL, 0, 0)       \
  R(42, LogicalOr, LOGICAL_TWO, "dst,src0,src1", NONE, ALL_BOOL, 0, 0)        \
  R(43, LogicalXor, LOGICAL_TWO, "dst,src0,src1", NONE, ALL_BOOL, 0, 0)       \
  R(44, LogicalNot, CUSTOM, "dst,src", NONE, ALL_BOOL, 0, 0)                  \
  R(45, LogicalAnds, LOGICAL_SCALAR, "dst,src0?,src1?", NONE, ALL_BOOL, 0, 0) \
  R(46, LogicalOrs, LOGICAL_SCALAR, "dst,src0?,src1?", NONE, ALL_BOOL, 0, 0)  \
  R(47, BitwiseAnd, BITWISE, "dst,src0,src1", NONE, INTS, 0, 0)               \
  R(48, BitwiseOr, BITWISE, "dst,src0,src1", NONE, INTS, 0, 0)                \
  R(49, BitwiseXor, BITWISE, "dst,src0,src1", NONE, INTS, 0, 0)               \
  R(50, BitwiseNot, CUSTOM, "dst,src", NONE, INTS, 0, 0)                      \
  R(51, Where, CUSTOM, "dst,src0?,src1?,condition", NONE, ALL_BOOL, 0, 0)     \
  R(52, CumSum, CUSTOM, "dst,lastRow?,src,tmp?", F16_F32, F16_F32, 1, 0)

/* All functions, the families in order. A family has a hundred numbers of its own. */
#define ACLSIM_LIBRARY_ROWS(R)         \
  ACLSIM_LIBRARY_MATH_ROWS(R)          \
  ACLSIM_LIBRARY_REDUCTION_ROWS(R)     \
  ACLSIM_LIBRARY_SORT_ROWS(R)          \
  ACLSIM_LIBRARY_SHAPES_ROWS(R)        \
  ACLSIM_LIBRARY_FILTER_ROWS(R)        \
  ACLSIM_LIBRARY_ACTIVATION_ROWS(R)    \
  ACLSIM_LIBRARY_NORMALIZATION_ROWS(R) \
  ACLSIM_LIBRARY_QUANTIZATION_ROWS(R)

enum aclsimLibraryFunction {
#define ACLSIM_LIBRARY_NUMBER(number, name, ...) ACLSIM_LIB_##name = (number),
  ACLSIM_LIBRARY_ROWS(ACLSIM_LIBRARY_NUMBER)
#undef ACLSIM_LIBRARY_NUMBER
};

#endif /* ASCENDC_IMPL_LIBRARY_ROWS_H_ */
