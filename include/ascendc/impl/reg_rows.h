/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions over lanes of registers: one row each gives declaration, checks, documentation and
 * tests. Architecture 3510 only.
 */
#ifndef ASCENDC_IMPL_REG_ROWS_H_
#define ASCENDC_IMPL_REG_ROWS_H_

#include "ascendc/impl/vector_rows.h"

#define ACLSIM_IN_SIGNED_NO_BF(F, N) F(S8) N(S16) N(F16) N(S32) N(F32) N(S64)
#define ACLSIM_IN_INTS_BOOL(F, N) F(BOOL) N(S8) N(U8) N(S16) N(U16) N(S32) N(U32) N(S64) N(U64)
#define ACLSIM_IN_F16(F, N) F(F16)
#define ACLSIM_IN_F32(F, N) F(F32)
#define ACLSIM_IN_F16_F32_S64(F, N) F(F16) N(F32) N(S64)
#define ACLSIM_IN_SQUEEZED(F, N) F(S8) N(U8) N(S16) N(U16) N(F16) N(S32) N(U32) N(F32)
#define ACLSIM_IN_INTS_TO_32(F, N) F(S8) N(U8) N(S16) N(U16) N(S32) N(U32)

/*
 * R(name, shape, operation, element types). Shapes: TWO (two sources), THREE (the destination is a
 * source too), ONE, SCALAR (a register and a value), SCALAR_THREE; ..._MODE takes a structure with
 * a precision mode too; SHIFT has counts of the signed type.
 */
#define ACLSIM_REG_ROWS(R)                              \
  R(Add, TWO, ACLSIM_OP_Add, ALL)                       \
  R(Sub, TWO, ACLSIM_OP_Sub, ALL)                       \
  R(Mul, TWO, ACLSIM_OP_Mul, B16_B64)                   \
  R(Div, TWO_MODE, ACLSIM_OP_Div, B16_B64_NO_BF)        \
  R(Max, TWO, ACLSIM_REG_Max, ALL)                      \
  R(Min, TWO, ACLSIM_REG_Min, ALL)                      \
  R(And, TWO, ACLSIM_OP_And, INTS_BOOL)                 \
  R(Or, TWO, ACLSIM_OP_Or, INTS_BOOL)                   \
  R(Xor, TWO, ACLSIM_REG_Xor, INTS_BOOL)                \
  R(Prelu, TWO, ACLSIM_REG_Prelu, F16_F32)              \
  R(AbsSub, TWO, ACLSIM_REG_AbsSub, F16_F32_S64)        \
  R(ShiftLeft, SHIFT, ACLSIM_REG_ShiftLeft, INTS)       \
  R(ShiftRight, SHIFT, ACLSIM_REG_ShiftRight, INTS)     \
  R(MulAddDst, THREE, ACLSIM_REG_MulAddDst, B16_B64)    \
  R(MulDstAdd, THREE, ACLSIM_REG_MulDstAdd, F16_BF_F32) \
  R(Abs, ONE, ACLSIM_OP_Abs, SIGNED_NO_BF)              \
  R(Relu, ONE, ACLSIM_OP_Relu, F16_S32_F32_S64)         \
  R(Exp, ONE_MODE, ACLSIM_OP_Exp, F16_F32)              \
  R(Sqrt, ONE_MODE, ACLSIM_OP_Sqrt, F16_F32)            \
  R(Ln, ONE_MODE, ACLSIM_OP_Ln, F16_F32)                \
  R(Log, ONE_MODE, ACLSIM_OP_Ln, F16_F32)               \
  R(Log2, ONE_MODE, ACLSIM_REG_Log2, F16_F32)           \
  R(Log10, ONE_MODE, ACLSIM_REG_Log10, F16_F32)         \
  R(Neg, ONE, ACLSIM_OP_Neg, SIGNED_NO_BF)              \
  R(Not, ONE, ACLSIM_OP_Not, NOT_BF)                    \
  R(Adds, SCALAR, ACLSIM_OP_Adds, ALL)                  \
  R(Muls, SCALAR, ACLSIM_OP_Muls, B16_B64)              \
  R(Maxs, SCALAR, ACLSIM_REG_Maxs, ALL)                 \
  R(Mins, SCALAR, ACLSIM_REG_Mins, ALL)                 \
  R(ShiftLefts, SCALAR, ACLSIM_REG_ShiftLefts, INTS)    \
  R(ShiftRights, SCALAR, ACLSIM_REG_ShiftRights, INTS)  \
  R(LeakyRelu, SCALAR, ACLSIM_OP_LeakyRelu, F16_F32)    \
  R(Axpy, SCALAR_THREE, ACLSIM_REG_Axpy, F16_F32_64)

/* R(name, element types, remarks): the other functions. */
#define ACLSIM_REG_OTHER_ROWS(R)                                                                   \
  R(LoadAlign, "bytes, all distributions of the documentation", "older name DataCopy; also masks") \
  R(StoreAlign, "bytes, all distributions of the documentation",                                   \
    "older name DataCopy; also masks")                                                             \
  R(LoadUnAlignPre, "bytes", "older name DataCopyUnAlignPre")                                      \
  R(LoadUnAlign, "bytes", "older name DataCopyUnAlign")                                            \
  R(StoreUnAlign, "bytes", "older name DataCopyUnAlign; also masks")                               \
  R(StoreUnAlignPost, "bytes", "older name DataCopyUnAlignPost")                                   \
  R(Load, "bytes", "")                                                                             \
  R(Store, "bytes", "")                                                                            \
  R(Gather, "bytes", "from memory (older name DataCopyGather) or from a register")                 \
  R(GatherB, "bytes", "older name DataCopyGatherB")                                                \
  R(Scatter, "bytes", "older name DataCopyScatter")                                                \
  R(CreateMask, "bytes", "")                                                                       \
  R(UpdateMask, "bytes", "")                                                                       \
  R(MoveMask, "elements of 2 or 4 bytes", "older name GetMaskSpr")                                 \
  R(MaskGenWithRegTensor, "elements of 2 or 4 bytes", "")                                          \
  R(CreateAddrReg, "bytes", "")                                                                    \
  R(LocalMemBar, "-", "")                                                                          \
  R(AddC, "int32_t uint32_t", "also Add with a carry")                                             \
  R(SubC, "int32_t uint32_t", "also Sub with a carry")                                             \
  R(Mull, "int32_t uint32_t", "")                                                                  \
  R(Compare, "all", "")                                                                            \
  R(Compares, "all", "older name CompareScalar")                                                   \
  R(Select, "all", "also masks: older name MaskSel")                                               \
  R(Cast, "the conversions below", "")                                                             \
  R(Truncate, "half bfloat16_t float", "")                                                         \
  R(ExpSub, "half float, to float", "older name FusedExpSub")                                      \
  R(MulsCast, "float, to half", "")                                                                \
  R(Duplicate, "all", "of a value or of a lane")                                                   \
  R(Arange, "int8_t int16_t int32_t int64_t half float", "")                                       \
  R(Interleave, "bytes", "also masks: older name MaskInterleave")                                  \
  R(DeInterleave, "bytes", "also masks: older name MaskDeInterleave")                              \
  R(Move, "all", "older names Copy, MaskMov")                                                      \
  R(Squeeze, "int8_t uint8_t int16_t uint16_t int32_t uint32_t half float", "")                    \
  R(Unsqueeze, "int8_t uint8_t int16_t uint16_t int32_t uint32_t", "")                             \
  R(ClearSpr, "-", "")                                                                             \
  R(Pack, "elements of 2, 4 or 8 bytes", "also masks: older name MaskPack")                        \
  R(UnPack, "elements of 1, 2 or 4 bytes", "also masks: older name MaskUnPack")                    \
  R(Histograms, "uint8_t, to uint16_t", "")                                                        \
  R(Reduce,                                                                                        \
    "sums: int16_t uint16_t int32_t uint32_t int64_t uint64_t half float; extremes: the same",     \
    "older names ReduceSum, ReduceMax, ReduceMin")                                                 \
  R(ReduceDataBlock, "as Reduce",                                                                  \
    "older names ReduceSumWithDataBlock, ReduceMaxWithDataBlock, ReduceMinWithDataBlock")          \
  R(PairReduceElem, "half float", "older name PairReduceSum")

/* R(name): the names of the first generation. */
#define ACLSIM_REG_OLD_NAMES(R) \
  R(DataCopy)                   \
  R(DataCopyUnAlignPre)         \
  R(DataCopyUnAlign)            \
  R(DataCopyUnAlignPost)        \
  R(DataCopyGather)             \
  R(DataCopyGatherB)            \
  R(DataCopyScatter)            \
  R(GetMaskSpr)                 \
  R(CompareScalar)              \
  R(MaskSel)                    \
  R(FusedExpSub)                \
  R(MaskInterleave)             \
  R(MaskDeInterleave)           \
  R(Copy)                       \
  R(MaskMov)                    \
  R(MaskPack)                   \
  R(MaskUnPack)                 \
  R(MaskAnd)                    \
  R(MaskOr)                     \
  R(MaskXor)                    \
  R(MaskNot)                    \
  R(ReduceSum)                  \
  R(ReduceMax)                  \
  R(ReduceMin)                  \
  R(ReduceSumWithDataBlock)     \
  R(ReduceMaxWithDataBlock)     \
  R(ReduceMinWithDataBlock)     \
  R(PairReduceSum)              \
  R(Mula)                       \
  R(FusedMulDstAdd)             \
  R(FusedAbsSub)

/* R(destination, source): the conversions, except for types of less than 16 bits beside integers.
 */
#define ACLSIM_REG_CASTS(R) \
  R(S16, S8)                \
  R(F16, S8)                \
  R(S32, S8)                \
  R(U16, U8)                \
  R(F16, U8)                \
  R(U32, U8)                \
  R(U8, S16)                \
  R(F16, S16)               \
  R(S32, S16)               \
  R(U32, S16)               \
  R(F32, S16)               \
  R(U8, U16)                \
  R(U32, U16)               \
  R(S8, F16)                \
  R(U8, F16)                \
  R(S16, F16)               \
  R(BF, F16)                \
  R(S32, F16)               \
  R(F32, F16)               \
  R(F16, BF)                \
  R(S32, BF)                \
  R(F32, BF)                \
  R(U8, S32)                \
  R(S16, S32)               \
  R(U16, S32)               \
  R(F32, S32)               \
  R(S64, S32)               \
  R(U8, U32)                \
  R(S16, U32)               \
  R(U16, U32)               \
  R(S16, F32)               \
  R(F16, F32)               \
  R(BF, F32)                \
  R(S32, F32)               \
  R(S64, F32)               \
  R(S32, S64)               \
  R(F32, S64)

#endif /* ASCENDC_IMPL_REG_ROWS_H_ */
