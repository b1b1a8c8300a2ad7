/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instructions of the vector unit: one row each, and all that declares, checks, documents or
 * tests them reads these rows. Numbers stay: kernels that are built carry them.
 */
#ifndef ASCENDC_IMPL_VECTOR_ROWS_H_
#define ASCENDC_IMPL_VECTOR_ROWS_H_

#include "ascendc/impl/instruction.h"

#define ACLSIM_BIT(element) (1U << (element))

#define ACLSIM_S8 ACLSIM_INT8
#define ACLSIM_U8 ACLSIM_UINT8
#define ACLSIM_S16 ACLSIM_INT16
#define ACLSIM_U16 ACLSIM_UINT16
#define ACLSIM_F16 ACLSIM_HALF
#define ACLSIM_BF ACLSIM_BFLOAT16
#define ACLSIM_S32 ACLSIM_INT32
#define ACLSIM_U32 ACLSIM_UINT32
#define ACLSIM_F32 ACLSIM_FLOAT
#define ACLSIM_S64 ACLSIM_INT64
#define ACLSIM_U64 ACLSIM_UINT64
#define ACLSIM_S4 ACLSIM_INT4
#define ACLSIM_E4M3 ACLSIM_FP8_E4M3FN
#define ACLSIM_E5M2 ACLSIM_FP8_E5M2
#define ACLSIM_HIF8 ACLSIM_HIFLOAT8
#define ACLSIM_E1M2 ACLSIM_FP4_E1M2
#define ACLSIM_E2M1 ACLSIM_FP4_E2M1

/*
 * The element types of the rows: ACLSIM_ELEMENT_x(TAKE) passes the bit and the name of x to TAKE.
 * NONE is the only member of the empty set.
 */
#define ACLSIM_ELEMENT_NONE(TAKE) TAKE(0U, "no type")
#define ACLSIM_ELEMENT_BOOL(TAKE) TAKE(ACLSIM_BIT(ACLSIM_BOOL), "bool")
#define ACLSIM_ELEMENT_S8(TAKE) TAKE(ACLSIM_BIT(ACLSIM_S8), "int8_t")
#define ACLSIM_ELEMENT_U8(TAKE) TAKE(ACLSIM_BIT(ACLSIM_U8), "uint8_t")
#define ACLSIM_ELEMENT_S16(TAKE) TAKE(ACLSIM_BIT(ACLSIM_S16), "int16_t")
#define ACLSIM_ELEMENT_U16(TAKE) TAKE(ACLSIM_BIT(ACLSIM_U16), "uint16_t")
#define ACLSIM_ELEMENT_F16(TAKE) TAKE(ACLSIM_BIT(ACLSIM_F16), "half")
#define ACLSIM_ELEMENT_BF(TAKE) TAKE(ACLSIM_BIT(ACLSIM_BF), "bfloat16_t")
#define ACLSIM_ELEMENT_S32(TAKE) TAKE(ACLSIM_BIT(ACLSIM_S32), "int32_t")
#define ACLSIM_ELEMENT_U32(TAKE) TAKE(ACLSIM_BIT(ACLSIM_U32), "uint32_t")
#define ACLSIM_ELEMENT_F32(TAKE) TAKE(ACLSIM_BIT(ACLSIM_F32), "float")
#define ACLSIM_ELEMENT_S64(TAKE) TAKE(ACLSIM_BIT(ACLSIM_S64), "int64_t")
#define ACLSIM_ELEMENT_U64(TAKE) TAKE(ACLSIM_BIT(ACLSIM_U64), "uint64_t")
#define ACLSIM_ELEMENT_E4M3(TAKE) TAKE(ACLSIM_BIT(ACLSIM_E4M3), "fp8_e4m3fn_t")
#define ACLSIM_ELEMENT_E5M2(TAKE) TAKE(ACLSIM_BIT(ACLSIM_E5M2), "fp8_e5m2_t")
#define ACLSIM_ELEMENT_E8M0(TAKE) TAKE(ACLSIM_BIT(ACLSIM_FP8_E8M0), "fp8_e8m0_t")
#define ACLSIM_ELEMENT_HIF8(TAKE) TAKE(ACLSIM_BIT(ACLSIM_HIF8), "hifloat8_t")
#define ACLSIM_ELEMENT_E1M2(TAKE) TAKE(ACLSIM_BIT(ACLSIM_E1M2), "fp4x2_e1m2_t")
#define ACLSIM_ELEMENT_E2M1(TAKE) TAKE(ACLSIM_BIT(ACLSIM_E2M1), "fp4x2_e2m1_t")

/*
 * Sets of element types: ACLSIM_IN_x(F, N) applies F to the first type of the set x and N to each
 * next one. ACLSIM_SET_OF(x) is the set as bits for checks, ACLSIM_TEXT_OF(x) the list of names for
 * messages.
 */
#define ACLSIM_IN_NONE(F, N) F(NONE)
#define ACLSIM_IN_F16_F32(F, N) F(F16) N(F32)
#define ACLSIM_IN_S16_U16(F, N) F(S16) N(U16)
#define ACLSIM_IN_S16_U16_F16(F, N) F(S16) N(U16) N(F16)
#define ACLSIM_IN_U16_U32(F, N) F(U16) N(U32)
#define ACLSIM_IN_S32_U32(F, N) F(S32) N(U32)
#define ACLSIM_IN_S16_F16_F32(F, N) F(S16) N(F16) N(F32)
#define ACLSIM_IN_F16_S32_F32(F, N) F(F16) N(S32) N(F32)
#define ACLSIM_IN_F16_BF_F32(F, N) F(F16) N(BF) N(F32)
#define ACLSIM_IN_S16_F16_S32_F32(F, N) F(S16) N(F16) N(S32) N(F32)
#define ACLSIM_IN_S16_U16_S32_U32(F, N) F(S16) N(U16) N(S32) N(U32)
#define ACLSIM_IN_F16_S32_F32_S64(F, N) F(F16) N(S32) N(F32) N(S64)
#define ACLSIM_IN_F16_F32_64(F, N) F(F16) N(F32) N(S64) N(U64)
#define ACLSIM_IN_F16_BF_F32_64(F, N) F(F16) N(BF) N(F32) N(S64) N(U64)
#define ACLSIM_IN_S16_F16_F32_64(F, N) F(S16) N(F16) N(F32) N(S64) N(U64)
#define ACLSIM_IN_SIGNED(F, N) F(S8) N(S16) N(F16) N(BF) N(S32) N(F32) N(S64)
#define ACLSIM_IN_INDEX(F, N) F(S8) N(S16) N(F16) N(S32) N(F32) N(S64)
#define ACLSIM_IN_B16_B32(F, N) F(S16) N(U16) N(F16) N(BF) N(S32) N(U32) N(F32)
#define ACLSIM_IN_B16_B32_NO_BF(F, N) F(S16) N(U16) N(F16) N(S32) N(U32) N(F32)
#define ACLSIM_IN_B8_B16_B32_NO_BF(F, N) F(S8) N(U8) N(S16) N(U16) N(F16) N(S32) N(U32) N(F32)
#define ACLSIM_IN_B8_B16_B32(F, N) F(S8) N(U8) N(S16) N(U16) N(F16) N(BF) N(S32) N(U32) N(F32)
#define ACLSIM_IN_INTS(F, N) F(S8) N(U8) N(S16) N(U16) N(S32) N(U32) N(S64) N(U64)
#define ACLSIM_IN_B16_B64(F, N) F(S16) N(U16) N(F16) N(BF) N(S32) N(U32) N(F32) N(S64) N(U64)
#define ACLSIM_IN_B16_B64_NO_BF(F, N) F(S16) N(U16) N(F16) N(S32) N(U32) N(F32) N(S64) N(U64)
#define ACLSIM_IN_SUMS(F, N) F(F16) N(F32) N(S32) N(U32) N(S64) N(U64)
#define ACLSIM_IN_NOT_BF(F, N) F(S8) N(U8) N(S16) N(U16) N(F16) N(S32) N(U32) N(F32) N(S64) N(U64)
#define ACLSIM_IN_ALL(F, N) \
  F(S8) N(U8) N(S16) N(U16) N(F16) N(BF) N(S32) N(U32) N(F32) N(S64) N(U64)
#define ACLSIM_IN_ALL_BOOL(F, N) \
  F(BOOL) N(S8) N(U8) N(S16) N(U16) N(F16) N(BF) N(S32) N(U32) N(F32) N(S64) N(U64)
#define ACLSIM_IN_B8_B16_B32_FP8(F, N) ACLSIM_IN_B8_B16_B32(F, N) N(E4M3) N(E5M2) N(E8M0) N(HIF8)
#define ACLSIM_IN_ALL_B8(F, N) ACLSIM_IN_ALL(F, N) N(E4M3) N(E5M2) N(E8M0) N(HIF8)
#define ACLSIM_IN_ALL_B4(F, N) ACLSIM_IN_ALL_B8(F, N) N(E1M2) N(E2M1)
#define ACLSIM_IN_ALL_BOOL_B4(F, N) \
  ACLSIM_IN_ALL_BOOL(F, N) N(E4M3) N(E5M2) N(E8M0) N(HIF8) N(E1M2) N(E2M1)
#define ACLSIM_IN_ATOMIC(F, N) F(S8) N(S16) N(F16) N(BF) N(S32) N(F32)
#define ACLSIM_IN_U32_U64(F, N) F(U32) N(U64)

#define ACLSIM_TAKE_BIT(bit, name) bit
#define ACLSIM_TAKE_NAME(bit, name) name
#define ACLSIM_FIRST_BIT(x) ACLSIM_ELEMENT_##x(ACLSIM_TAKE_BIT)
#define ACLSIM_NEXT_BIT(x) | ACLSIM_ELEMENT_##x(ACLSIM_TAKE_BIT)
#define ACLSIM_FIRST_NAME(x) ACLSIM_ELEMENT_##x(ACLSIM_TAKE_NAME)
#define ACLSIM_NEXT_NAME(x) ", " ACLSIM_ELEMENT_##x(ACLSIM_TAKE_NAME)
#define ACLSIM_APPLY_IN(set, F, N) ACLSIM_IN_##set(F, N)
#define ACLSIM_SET_OF(set) (ACLSIM_APPLY_IN(set, ACLSIM_FIRST_BIT, ACLSIM_NEXT_BIT))
#define ACLSIM_TEXT_OF(set) ACLSIM_APPLY_IN(set, ACLSIM_FIRST_NAME, ACLSIM_NEXT_NAME)

enum aclsimVectorFlag {
  ACLSIM_READS_DST = 1,    /* the destination is a source too */
  ACLSIM_TWO_DST = 2,      /* the first two operands are destinations */
  ACLSIM_NO_DST = 4,       /* all operands are sources; the result goes to a register */
  ACLSIM_PAIRS = 8,        /* the types are in ACLSIM_VECTOR_PAIRS */
  ACLSIM_ACCUMULATES = 16, /* dst may be src1 with a repeat stride of 0 */
  ACLSIM_ANSWERS = 32      /* the program reads a result at once */
};

/* The results of an instruction with ACLSIM_ANSWERS; `more` points to this structure. */
typedef struct aclsimAnswer {
  uint64_t value[4];
} aclsimAnswer;

/* Parameters of TransDataTo5HD (`more`): the addresses of the blocks. */
typedef struct aclsimBlockLists {
  aclsimOperand dst[16];
  aclsimOperand src[16];
} aclsimBlockLists;

/* Parameters of SetDeqScale with one scale per element (`more`). */
typedef struct aclsimDeqScales {
  float scale[16];
  int16_t offset[16];
  uint8_t sign[16];
} aclsimDeqScales;

/*
 * R(number, name, shape, operands, types on 2201, types on 3510, flags). The shape selects the
 * overloads that vector_*.h declares from the row; overloads of CUSTOM are written there.
 */
#define ACLSIM_VECTOR_ROWS(R)                                                              \
  R(1, Add, BINARY, "dst,src0,src1", S16_F16_S32_F32, ALL, ACLSIM_ACCUMULATES)             \
  R(2, Sub, BINARY, "dst,src0,src1", S16_F16_S32_F32, ALL, ACLSIM_ACCUMULATES)             \
  R(3, Mul, BINARY, "dst,src0,src1", S16_F16_S32_F32, B16_B64, ACLSIM_ACCUMULATES)         \
  R(4, Div, BINARY_CONFIG, "dst,src0,src1", F16_F32, B16_B64_NO_BF, 0)                     \
  R(5, Max, BINARY, "dst,src0,src1", S16_F16_S32_F32, B8_B16_B32, ACLSIM_ACCUMULATES)      \
  R(6, Min, BINARY, "dst,src0,src1", S16_F16_S32_F32, B8_B16_B32, ACLSIM_ACCUMULATES)      \
  R(7, And, BINARY, "dst,src0,src1", S16_U16, INTS, 0)                                     \
  R(8, Or, BINARY, "dst,src0,src1", S16_U16, INTS, 0)                                      \
  R(9, AddRelu, BINARY, "dst,src0,src1", S16_F16_F32, S16_F16_F32_64, ACLSIM_ACCUMULATES)  \
  R(10, SubRelu, BINARY, "dst,src0,src1", S16_F16_F32, S16_F16_F32_64, ACLSIM_ACCUMULATES) \
  R(11, FusedMulAdd, BINARY, "dst,src0,src1", F16_F32, F16_BF_F32_64, ACLSIM_READS_DST)    \
  R(12, MulAddRelu, BINARY, "dst,src0,src1", F16_F32, F16_F32_64, ACLSIM_READS_DST)        \
  R(13, Prelu, BINARY_COUNT, "dst,src0,src1", F16_F32, F16_F32, 0)                         \
  R(14, AbsSub, BINARY_COUNT, "dst,src0,src1", F16_F32, F16_F32, 0)                        \
  R(15, Mull, CUSTOM, "dst0,dst1,src0,src1", S32_U32, S32_U32, ACLSIM_TWO_DST)             \
  R(16, MulAddDst, CUSTOM, "dst,src0,src1", NONE, NONE, ACLSIM_READS_DST | ACLSIM_PAIRS)   \
  R(17, AddDeqRelu, CUSTOM, "dst,src0,src1", NONE, NONE, ACLSIM_PAIRS)                     \
  R(18, ExpSub, CUSTOM, "dst,src0,src1", NONE, NONE, ACLSIM_PAIRS)                         \
  R(19, MulCast, CUSTOM, "dst,src0,src1", NONE, NONE, ACLSIM_PAIRS)                        \
  R(20, AddReluCast, CUSTOM, "dst,src0,src1", NONE, NONE, ACLSIM_PAIRS)                    \
  R(21, SubReluCast, CUSTOM, "dst,src0,src1", NONE, NONE, ACLSIM_PAIRS)                    \
  R(22, ShiftLeftTensor, CUSTOM, "dst,src0,src1", S16_U16_S32_U32, INTS, 0)                \
  R(23, ShiftRightTensor, CUSTOM, "dst,src0,src1", S16_U16_S32_U32, INTS, 0)               \
  R(40, Relu, UNARY, "dst,src", F16_S32_F32, F16_S32_F32_S64, 0)                           \
  R(41, Abs, UNARY, "dst,src", F16_F32, SIGNED, 0)                                         \
  R(42, Not, UNARY, "dst,src", S16_U16, NOT_BF, 0)                                         \
  R(43, Exp, UNARY_CONFIG, "dst,src", F16_F32, F16_F32, 0)                                 \
  R(44, Ln, UNARY_CONFIG, "dst,src", F16_F32, F16_F32, 0)                                  \
  R(45, Reciprocal, UNARY_CONFIG, "dst,src", F16_F32, F16_F32_64, 0)                       \
  R(46, Rsqrt, UNARY_CONFIG, "dst,src", F16_F32, F16_F32, 0)                               \
  R(47, Sqrt, UNARY_CONFIG, "dst,src", F16_F32, F16_F32, 0)                                \
  R(48, Neg, UNARY_COUNT, "dst,src", S16_F16_S32_F32, SIGNED, 0)                           \
  R(49, Truncate, CUSTOM, "dst,src", F16_BF_F32, F16_BF_F32, 0)                            \
  R(50, Copy, CUSTOM, "dst,src", B16_B32, ALL, 0)                                          \
  R(51, Cast, CUSTOM, "dst,src", NONE, NONE, ACLSIM_PAIRS)                                 \
  R(52, CastDequant, CUSTOM, "dst,src", NONE, NONE, ACLSIM_PAIRS)                          \
  R(60, Adds, SCALAR, "dst,src,scalar", S16_F16_S32_F32, ALL, 0)                           \
  R(61, Muls, SCALAR, "dst,src,scalar", S16_F16_S32_F32, ALL, 0)                           \
  R(62, Maxs, SCALAR, "dst,src,scalar", S16_F16_S32_F32, ALL, 0)                           \
  R(63, Mins, SCALAR, "dst,src,scalar", S16_F16_S32_F32, ALL, 0)                           \
  R(64, LeakyRelu, SCALAR_PLAIN, "dst,src,scalar", F16_F32, F16_F32, 0)                    \
  R(65, ShiftLeft, SCALAR_PLAIN, "dst,src", S16_U16_S32_U32, INTS, 0)                      \
  R(66, ShiftRight, CUSTOM, "dst,src", S16_U16_S32_U32, INTS, 0)                           \
  R(67, Subs, FLEX, "dst,src,scalar", S16_F16_S32_F32, ALL, 0)                             \
  R(68, Divs, FLEX, "dst,src,scalar", F16_F32, B16_B64, 0)                                 \
  R(69, Ands, FLEX, "dst,src,scalar", S16_U16, INTS, 0)                                    \
  R(70, Ors, FLEX, "dst,src,scalar", S16_U16, INTS, 0)                                     \
  R(71, Axpy, CUSTOM, "dst,src", NONE, NONE, ACLSIM_READS_DST | ACLSIM_PAIRS)              \
  R(72, MulsCast, CUSTOM, "dst,src,scalar", NONE, NONE, ACLSIM_PAIRS)                      \
  R(80, Duplicate, CUSTOM, "dst,src", B16_B32, ALL, 0)                                     \
  R(81, CreateVecIndex, CUSTOM, "dst", S16_F16_S32_F32, INDEX, 0)                          \
  R(82, Brcb, CUSTOM, "dst,src", B16_B32, ALL, 0)                                          \
  R(83, Interleave, CUSTOM, "dst0,dst1,src0,src1", B16_B32, ALL, ACLSIM_TWO_DST)           \
  R(84, DeInterleave, CUSTOM, "dst0,dst1,src0,src1", B16_B32, ALL, ACLSIM_TWO_DST)         \
  R(100, Compare, CUSTOM, "dst,src0,src1", F16_S32_F32, ALL, 0)                            \
  R(101, CompareToMask, CUSTOM, "src0,src1", F16_F32, ALL, ACLSIM_NO_DST)                  \
  R(102, Compares, CUSTOM, "dst,src,scalar", F16_S32_F32, ALL, 0)                          \
  R(103, Select, CUSTOM, "dst,selMask,src0,src1", F16_F32, ALL, 0)                         \
  R(104, SelectScalar, CUSTOM, "dst,selMask,src0,scalar", F16_F32, ALL, 0)                 \
  R(105, SelectByMask, CUSTOM, "dst,src0,src1", F16_F32, ALL, 0)                           \
  R(106, SelectScalarByMask, CUSTOM, "dst,selMask,src0", F16_F32, ALL, 0)                  \
  R(107, GetCmpMask, CUSTOM, "dst", ALL, ALL, 0)                                           \
  R(108, SetCmpMask, CUSTOM, "src", ALL, ALL, ACLSIM_NO_DST)                               \
  R(120, ReduceDataBlock, CUSTOM, "dst,src", F16_F32, F16_F32, 0)                          \
  R(121, ReducePairElem, CUSTOM, "dst,src", F16_F32, F16_F32, 0)                           \
  R(122, ReduceRepeat, CUSTOM, "dst,src", F16_F32, B16_B32_NO_BF, 0)                       \
  R(123, ReduceSum, CUSTOM, "dst,src,sharedTmpBuffer", F16_F32, SUMS, 0)                   \
  R(124, ReduceMax, CUSTOM, "dst,src,sharedTmpBuffer", F16_F32, B16_B64_NO_BF, 0)          \
  R(125, ReduceMin, CUSTOM, "dst,src,sharedTmpBuffer", F16_F32, B16_B64_NO_BF, 0)          \
  R(126, GetReduceRepeatMaxMinSpr, CUSTOM, "", ALL, ALL, ACLSIM_ANSWERS | ACLSIM_NO_DST)   \
  R(127, GetReduceRepeatSumSpr, CUSTOM, "", ALL, ALL, ACLSIM_ANSWERS | ACLSIM_NO_DST)      \
  R(140, Gather, CUSTOM, "dst,src,srcOffset", B16_B32, ALL, 0)                             \
  R(141, Gatherb, CUSTOM, "dst,src,offset", U16_U32, ALL, 0)                               \
  R(142, Scatter, CUSTOM, "dst,src,dstOffset", B16_B32, ALL, 0)                            \
  R(143, GatherMask, CUSTOM, "dst,src0,src1Pattern", B16_B32, B8_B16_B32, ACLSIM_ANSWERS)  \
  R(144, GetGatherMaskRemainCount, CUSTOM, "", ALL, ALL, ACLSIM_ANSWERS | ACLSIM_NO_DST)   \
  R(160, Sort32, CUSTOM, "dst,src0,src1", F16_F32, F16_F32, 0)                             \
  R(161, MrgSort, CUSTOM, "dst,src1,src2,src3,src4", F16_F32, F16_F32, 0)                  \
  R(162, GetMrgSortResult, CUSTOM, "", ALL, ALL, ACLSIM_ANSWERS | ACLSIM_NO_DST)           \
  R(164, Extract, CUSTOM, "dstValue,dstIndex,sorted", F16_F32, F16_F32, ACLSIM_TWO_DST)    \
  R(165, Sort, CUSTOM, "dst,concat,index,tmp", F16_F32, F16_F32, 0)                        \
  R(180, Transpose, CUSTOM, "dst,src", S16_U16_F16, S16_U16_F16, 0)                        \
  R(181, TransDataTo5HD, CUSTOM, "dst,src", B8_B16_B32_NO_BF, B8_B16_B32, 0)               \
  R(182, TransposeExt, CUSTOM, "dst,src,sharedTmpBuffer", B8_B16_B32, B8_B16_B32, 0)       \
  R(200, SetVectorMask, CUSTOM, "", ALL, ALL, ACLSIM_NO_DST)                               \
  R(201, SetMaskMode, CUSTOM, "", ALL, ALL, ACLSIM_NO_DST)                                 \
  R(202, SetControl, CUSTOM, "", ALL, ALL, ACLSIM_NO_DST)                                  \
  R(203, GetControl, CUSTOM, "", ALL, ALL, ACLSIM_ANSWERS | ACLSIM_NO_DST)                 \
  R(204, SetDeqScale, CUSTOM, "", ALL, ALL, ACLSIM_NO_DST)

enum aclsimVectorInstruction {
#define ACLSIM_NUMBER(number, name, shape, operands, old_types, new_types, flags) \
  ACLSIM_OP_##name = (number),
  ACLSIM_VECTOR_ROWS(ACLSIM_NUMBER)
#undef ACLSIM_NUMBER
};

/* Rounding modes that a conversion takes: bit n is RoundMode n. */
enum aclsimModes {
  ACLSIM_EXACT = 1 << 0,                                     /* NONE */
  ACLSIM_LOSSY = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5, /* RINT FLOOR CEIL ROUND TRUNC */
  ACLSIM_TRUNCATES = 1 << 5,
  ACLSIM_ODD = 1 << 6,
  ACLSIM_RINTS = 1 << 1,
  ACLSIM_HYBRID = 1 << 4 | 1 << 7, /* ROUND HYBRID */
  ACLSIM_ANY_MODE = 0x7fffffff     /* ignored */
};

/* R(name, dst, src, modes on 2201, modes on 3510): what instructions of two types take; 0: not
 * there. */
#define ACLSIM_VECTOR_PAIRS(R)                                 \
  R(Cast, S16, S4, 0, ACLSIM_EXACT)                            \
  R(Cast, F16, S4, ACLSIM_EXACT, ACLSIM_EXACT)                 \
  R(Cast, BF, S4, 0, ACLSIM_EXACT)                             \
  R(Cast, S16, S8, 0, ACLSIM_EXACT)                            \
  R(Cast, F16, S8, ACLSIM_EXACT, ACLSIM_EXACT)                 \
  R(Cast, S32, S8, 0, ACLSIM_EXACT)                            \
  R(Cast, U16, U8, 0, ACLSIM_EXACT)                            \
  R(Cast, F16, U8, ACLSIM_EXACT, ACLSIM_EXACT)                 \
  R(Cast, U32, U8, 0, ACLSIM_EXACT)                            \
  R(Cast, S4, S16, 0, ACLSIM_EXACT)                            \
  R(Cast, U8, S16, 0, ACLSIM_EXACT)                            \
  R(Cast, F16, S16, ACLSIM_LOSSY | ACLSIM_EXACT, ACLSIM_LOSSY) \
  R(Cast, S32, S16, 0, ACLSIM_EXACT)                           \
  R(Cast, U32, S16, 0, ACLSIM_EXACT)                           \
  R(Cast, F32, S16, ACLSIM_EXACT, ACLSIM_EXACT)                \
  R(Cast, U8, U16, 0, ACLSIM_EXACT)                            \
  R(Cast, U32, U16, 0, ACLSIM_EXACT)                           \
  R(Cast, S4, F16, ACLSIM_LOSSY | ACLSIM_EXACT, ACLSIM_LOSSY)  \
  R(Cast, S8, F16, ACLSIM_LOSSY | ACLSIM_EXACT, ACLSIM_LOSSY)  \
  R(Cast, U8, F16, ACLSIM_LOSSY | ACLSIM_EXACT, ACLSIM_LOSSY)  \
  R(Cast, S16, F16, ACLSIM_LOSSY, ACLSIM_LOSSY)                \
  R(Cast, BF, F16, 0, ACLSIM_LOSSY)                            \
  R(Cast, S32, F16, ACLSIM_LOSSY, ACLSIM_LOSSY)                \
  R(Cast, F32, F16, ACLSIM_EXACT, ACLSIM_EXACT)                \
  R(Cast, F16, BF, 0, ACLSIM_LOSSY)                            \
  R(Cast, S32, BF, ACLSIM_LOSSY, ACLSIM_LOSSY)                 \
  R(Cast, F32, BF, ACLSIM_EXACT, ACLSIM_EXACT)                 \
  R(Cast, U8, S32, 0, ACLSIM_EXACT)                            \
  R(Cast, S16, S32, ACLSIM_EXACT, ACLSIM_EXACT)                \
  R(Cast, U16, S32, 0, ACLSIM_EXACT)                           \
  R(Cast, F16, S32, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)          \
  R(Cast, F32, S32, ACLSIM_LOSSY | ACLSIM_EXACT, ACLSIM_LOSSY) \
  R(Cast, S64, S32, ACLSIM_EXACT, ACLSIM_EXACT)                \
  R(Cast, U8, U32, 0, ACLSIM_EXACT)                            \
  R(Cast, S16, U32, 0, ACLSIM_EXACT)                           \
  R(Cast, U16, U32, 0, ACLSIM_EXACT)                           \
  R(Cast, S16, F32, ACLSIM_LOSSY, ACLSIM_LOSSY)                \
  R(Cast, F16, F32, ACLSIM_LOSSY | ACLSIM_EXACT | ACLSIM_ODD,  \
    ACLSIM_LOSSY | ACLSIM_EXACT | ACLSIM_ODD)                  \
  R(Cast, BF, F32, ACLSIM_LOSSY, ACLSIM_LOSSY)                 \
  R(Cast, S32, F32, ACLSIM_LOSSY, ACLSIM_LOSSY)                \
  R(Cast, F32, F32, ACLSIM_LOSSY, ACLSIM_LOSSY)                \
  R(Cast, S64, F32, ACLSIM_LOSSY, ACLSIM_LOSSY)                \
  R(Cast, S32, S64, ACLSIM_EXACT, ACLSIM_EXACT)                \
  R(Cast, F32, S64, ACLSIM_LOSSY, ACLSIM_LOSSY)                \
  R(Cast, BF, E2M1, 0, ACLSIM_EXACT)                           \
  R(Cast, BF, E1M2, 0, ACLSIM_EXACT)                           \
  R(Cast, F16, HIF8, 0, ACLSIM_EXACT)                          \
  R(Cast, F32, HIF8, 0, ACLSIM_EXACT)                          \
  R(Cast, F32, E5M2, 0, ACLSIM_EXACT)                          \
  R(Cast, F32, E4M3, 0, ACLSIM_EXACT)                          \
  R(Cast, E2M1, BF, 0, ACLSIM_LOSSY)                           \
  R(Cast, E1M2, BF, 0, ACLSIM_LOSSY)                           \
  R(Cast, HIF8, F16, 0, ACLSIM_HYBRID)                         \
  R(Cast, HIF8, F32, 0, ACLSIM_HYBRID)                         \
  R(Cast, E5M2, F32, 0, ACLSIM_RINTS)                          \
  R(Cast, E4M3, F32, 0, ACLSIM_RINTS)                          \
  R(MulAddDst, F16, F16, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)     \
  R(MulAddDst, F32, F32, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)     \
  R(MulAddDst, F32, F16, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)     \
  R(Axpy, F16, F16, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)          \
  R(Axpy, F32, F32, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)          \
  R(Axpy, F32, F16, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)          \
  R(AddDeqRelu, F16, S32, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)    \
  R(ExpSub, F32, F16, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)        \
  R(ExpSub, F32, F32, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)        \
  R(ExpSub, F16, F16, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)        \
  R(MulCast, S8, F16, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)        \
  R(MulCast, U8, F16, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)        \
  R(AddReluCast, F16, F32, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)   \
  R(AddReluCast, S8, F16, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)    \
  R(AddReluCast, S8, S16, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)    \
  R(SubReluCast, F16, F32, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)   \
  R(SubReluCast, S8, F16, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)    \
  R(SubReluCast, S8, S16, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)    \
  R(CastDequant, S8, S16, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)    \
  R(CastDequant, U8, S16, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)    \
  R(MulsCast, F16, F32, ACLSIM_ANY_MODE, ACLSIM_ANY_MODE)

#endif /* ASCENDC_IMPL_VECTOR_ROWS_H_ */
