/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C interface of registers: one row for each function gives its overloads and tests, and its
 * refusal on architectures without registers.
 */
#ifndef ASCENDC_IMPL_C_REG_ROWS_H_
#define ASCENDC_IMPL_C_REG_ROWS_H_

#include "ascendc/impl/reg_rows.h"

#define ACLSIM_IN_C_SIGNED(F, N) F(S8) N(S16) N(F16) N(S32) N(F32)
#define ACLSIM_IN_C_SUMS(F, N) F(F16) N(S32) N(U32) N(F32)
#define ACLSIM_IN_C_AND(F, N) ACLSIM_IN_B8_B16_B32(F, N) N(E4M3) N(E5M2)

/*
 * R(name, shape, does, element types): asc_<name>. Shapes: TWO, ONE, SCALAR, SHIFT as in
 * reg_rows.h, and `does` is a function of AscendC::Reg; COUNT shifts by a value; BITS and
 * BITS_ONE take the bits of any type; WHOLE rounds to whole numbers (does: a RoundMode); COMPARE
 * and COMPARE_SCALAR have a mask as result (does: a CMPMODE); REDUCE has a mask (what: a
 * ReduceType); PAIR has two destinations.
 */
#define ACLSIM_C_REG_ROWS(R)                                                                \
  R(add, TWO, Add, B8_B16_B32)                                                              \
  R(sub, TWO, Sub, B8_B16_B32)                                                              \
  R(mul, TWO, Mul, B16_B32)                                                                 \
  R(div, TWO, Div, B16_B32_NO_BF)                                                           \
  R(max, TWO, Max, B8_B16_B32)                                                              \
  R(min, TWO, Min, B8_B16_B32)                                                              \
  R(prelu, TWO, Prelu, F16_F32)                                                             \
  R(abs_sub, TWO, AbsSub, F16_F32)                                                          \
  R(madd, TWO, MulDstAdd, F16_F32)                                                          \
  R(xor, TWO, Xor, INTS_TO_32)                                                              \
  R(and, BITS, And, C_AND)                                                                  \
  R(or, BITS, Or, B8_B16_B32_NO_BF)                                                         \
  R(not, BITS_ONE, Not, B8_B16_B32_NO_BF)                                                   \
  R(shiftleft, SHIFT, ShiftLeft, INTS_TO_32)                                                \
  R(shiftright, SHIFT, ShiftRight, INTS_TO_32)                                              \
  R(shiftleft_scalar, COUNT, ShiftLefts, INTS_TO_32)                                        \
  R(shiftright_scalar, COUNT, ShiftRights, INTS_TO_32)                                      \
  R(abs, ONE, Abs, C_SIGNED)                                                                \
  R(neg, ONE, Neg, C_SIGNED)                                                                \
  R(relu, ONE, Relu, F16_S32_F32)                                                           \
  R(exp, ONE, Exp, F16_F32)                                                                 \
  R(sqrt, ONE, Sqrt, F16_F32)                                                               \
  R(ln, ONE, Ln, F16_F32)                                                                   \
  R(rint, WHOLE, CAST_RINT, F16_BF_F32)                                                     \
  R(round, WHOLE, CAST_ROUND, F16_BF_F32)                                                   \
  R(floor, WHOLE, CAST_FLOOR, F16_BF_F32)                                                   \
  R(ceil, WHOLE, CAST_CEIL, F16_BF_F32)                                                     \
  R(trunc, WHOLE, CAST_TRUNC, F16_BF_F32)                                                   \
  R(add_scalar, SCALAR, Adds, B8_B16_B32)                                                   \
  R(mul_scalar, SCALAR, Muls, B16_B32_NO_BF)                                                \
  R(max_scalar, SCALAR, Maxs, B8_B16_B32)                                                   \
  R(min_scalar, SCALAR, Mins, B8_B16_B32_NO_BF)                                             \
  R(leakyrelu, SCALAR, LeakyRelu, F16_F32)                                                  \
  R(axpy, SCALAR, Axpy, F16_F32)                                                            \
  R(eq, COMPARE, EQ, B8_B16_B32)                                                            \
  R(ne, COMPARE, NE, B8_B16_B32_NO_BF)                                                      \
  R(lt, COMPARE, LT, B8_B16_B32)                                                            \
  R(le, COMPARE, LE, B8_B16_B32)                                                            \
  R(gt, COMPARE, GT, B8_B16_B32)                                                            \
  R(ge, COMPARE, GE, B8_B16_B32)                                                            \
  R(eq_scalar, COMPARE_SCALAR, EQ, B8_B16_B32)                                              \
  R(ne_scalar, COMPARE_SCALAR, NE, B8_B16_B32)                                              \
  R(lt_scalar, COMPARE_SCALAR, LT, B8_B16_B32)                                              \
  R(le_scalar, COMPARE_SCALAR, LE, B8_B16_B32)                                              \
  R(gt_scalar, COMPARE_SCALAR, GT, B8_B16_B32)                                              \
  R(ge_scalar, COMPARE_SCALAR, GE, B8_B16_B32)                                              \
  R(reduce_sum, REDUCE, Reduce<AscendC::ReduceType::SUM>, C_SUMS)                           \
  R(reduce_max, REDUCE, Reduce<AscendC::ReduceType::MAX>, B16_B32_NO_BF)                    \
  R(reduce_min, REDUCE, Reduce<AscendC::ReduceType::MIN>, B16_B32_NO_BF)                    \
  R(reduce_sum_datablock, REDUCE, ReduceDataBlock<AscendC::ReduceType::SUM>, C_SUMS)        \
  R(reduce_max_datablock, REDUCE, ReduceDataBlock<AscendC::ReduceType::MAX>, B16_B32_NO_BF) \
  R(reduce_min_datablock, REDUCE, ReduceDataBlock<AscendC::ReduceType::MIN>, B16_B32_NO_BF) \
  R(pair_reduce_sum, REDUCE, PairReduceElem<AscendC::Reg::PairReduce::SUM>, F16_F32)        \
  R(intlv, PAIR, Interleave, B8_B16_B32_FP8)                                                \
  R(deintlv, PAIR, DeInterleave, B8_B16_B32_FP8)

/*
 * R(suffix, distribution of 1, 2, 4 bytes): asc_loadalign<suffix>, with forms that take an offset,
 * and asc_loadalign<suffix>_postupdate. DIST_NORM: no such form.
 */
#define ACLSIM_C_LOAD_ROWS(R)                                   \
  R(_brc, DIST_BRC_B8, DIST_BRC_B16, DIST_BRC_B32)              \
  R(_brc_elem, DIST_BRC_B8, DIST_BRC_B16, DIST_BRC_B32)         \
  R(_brc_datablock, DIST_BLK, DIST_BLK, DIST_BLK)               \
  R(_brc_elem2datablock, DIST_NORM, DIST_E2B_B16, DIST_E2B_B32) \
  R(_upsample, DIST_US_B8, DIST_US_B16, DIST_NORM)              \
  R(_downsample, DIST_DS_B8, DIST_DS_B16, DIST_NORM)            \
  R(_unpack, DIST_UNPACK_B8, DIST_UNPACK_B16, DIST_UNPACK_B32)  \
  R(_unpack4, DIST_UNPACK4_B8, DIST_NORM, DIST_NORM)

/* The same: asc_storealign<suffix>. */
#define ACLSIM_C_STORE_ROWS(R)                      \
  R(_pack, DIST_NORM, DIST_PACK_B16, DIST_PACK_B32) \
  R(_pack_v2, DIST_NORM, DIST_NORM, DIST_PACK4_B32) \
  R(_pack_quarter, DIST_NORM, DIST_NORM, DIST_PACK4_B32)

/*
 * R(name, destination, source, roundings, saturation, layouts): asc_<name>, with the suffixes of
 * roundings (NEAREST is _rn, FIVE is _rn _rna _rd _ru _rz, ODD is FIVE and _ro), of saturation
 * (BOTH is none and _sat) and of layouts (L2 is none and _v2, L4 goes to _v4).
 */
#define ACLSIM_C_CAST_ROWS(R)                 \
  R(half2float, F32, F16, NONE, PLAIN, L2)    \
  R(half2int32, S32, F16, FIVE, PLAIN, L2)    \
  R(half2int16, S16, F16, FIVE, BOTH, L1)     \
  R(half2int8, S8, F16, FIVE, BOTH, L2)       \
  R(half2uint8, U8, F16, FIVE, BOTH, L2)      \
  R(half2bfloat16, BF, F16, FIVE, PLAIN, L1)  \
  R(bfloat162half, F16, BF, FIVE, BOTH, L1)   \
  R(bfloat162float, F32, BF, NONE, PLAIN, L2) \
  R(bfloat162int32, S32, BF, FIVE, BOTH, L2)  \
  R(float2half, F16, F32, ODD, BOTH, L2)      \
  R(float2bfloat16, BF, F32, FIVE, BOTH, L2)  \
  R(float2int16, S16, F32, FIVE, BOTH, L2)    \
  R(float2int32, S32, F32, FIVE, BOTH, L1)    \
  R(float2int64, S64, F32, FIVE, BOTH, L2)    \
  R(int82half, F16, S8, NONE, PLAIN, L2)      \
  R(int82int16, S16, S8, NONE, PLAIN, L2)     \
  R(int82int32, S32, S8, NONE, PLAIN, L4)     \
  R(uint82half, F16, U8, NONE, PLAIN, L2)     \
  R(uint82uint16, U16, U8, NONE, PLAIN, L2)   \
  R(uint82uint32, U32, U8, NONE, PLAIN, L4)   \
  R(int162float, F32, S16, NONE, PLAIN, L2)   \
  R(int162half, F16, S16, FIVE, PLAIN, L1)    \
  R(int162int32, S32, S16, NONE, PLAIN, L2)   \
  R(int162uint32, U32, S16, NONE, PLAIN, L2)  \
  R(int162uint8, U8, S16, NONE, BOTH, L2)     \
  R(uint162uint32, U32, U16, NONE, PLAIN, L2) \
  R(uint162uint8, U8, U16, NONE, BOTH, L2)    \
  R(int322float, F32, S32, FIVE, PLAIN, L1)   \
  R(int322int16, S16, S32, NONE, BOTH, L2)    \
  R(int322int64, S64, S32, NONE, PLAIN, L2)   \
  R(int322uint16, U16, S32, NONE, BOTH, L2)   \
  R(int322uint8, U8, S32, NONE, BOTH, L4)     \
  R(uint322int16, S16, U32, NONE, BOTH, L2)   \
  R(uint322uint16, U16, U32, NONE, BOTH, L2)  \
  R(uint322uint8, U8, U32, NONE, BOTH, L4)    \
  R(int642float, F32, S64, FIVE, PLAIN, L2)   \
  R(int642int32, S32, S64, NONE, BOTH, L2)

/* The conversions that AscendC::Reg::Cast lacks: their names are refused. */
#define ACLSIM_C_REFUSED_CAST_ROWS(R)           \
  R(bfloat162e1m2x2, E1M2, BF, FIVE, PLAIN, L4) \
  R(bfloat162e2m1x2, E2M1, BF, FIVE, PLAIN, L4) \
  R(e1m2x22bfloat16, BF, E1M2, NONE, PLAIN, L4) \
  R(e2m1x22bfloat16, BF, E2M1, NONE, PLAIN, L4) \
  R(e4m32float, F32, E4M3, NONE, PLAIN, L4)     \
  R(e5m22float, F32, E5M2, NONE, PLAIN, L4)     \
  R(hif82float, F32, HIF8, NONE, PLAIN, L4)     \
  R(hif82half, F16, HIF8, NONE, PLAIN, L2)      \
  R(float2e4m3, E4M3, F32, NEAREST, BOTH, L4)   \
  R(float2e5m2, E5M2, F32, NEAREST, BOTH, L4)   \
  R(float2hif8, HIF8, F32, HYBRID, BOTH, L4)    \
  R(half2hif8, HIF8, F16, HYBRID, BOTH, L2)     \
  R(half2int4x2, S4, F16, FIVE, BOTH, L4)       \
  R(int4x22bfloat16, BF, S4, NONE, PLAIN, L4)   \
  R(int4x22half, F16, S4, NONE, PLAIN, L4)      \
  R(int4x22int16, S16, S4, NONE, PLAIN, L4)

/* F(name, destination, source, RoundMode, SatMode, RegLayout) for each function of a cast row. */
#define ACLSIM_C_CASTS_OF(F, name, to, from, roundings, saturation, layouts) \
  ACLSIM_C_ROUND_##roundings(F, name, to, from, saturation, layouts)
#define ACLSIM_C_ROUND_NONE(F, name, to, from, saturation, layouts) \
  ACLSIM_C_SAT_##saturation(F, name, to, from, CAST_NONE, layouts)
#define ACLSIM_C_ROUND_NEAREST(F, name, to, from, saturation, layouts) \
  ACLSIM_C_SAT_##saturation(F, name##_rn, to, from, CAST_RINT, layouts)
#define ACLSIM_C_ROUND_FIVE(F, name, to, from, saturation, layouts)             \
  ACLSIM_C_ROUND_NEAREST(F, name, to, from, saturation, layouts)                \
  ACLSIM_C_SAT_##saturation(F, name##_rna, to, from, CAST_ROUND, layouts)       \
      ACLSIM_C_SAT_##saturation(F, name##_rd, to, from, CAST_FLOOR, layouts)    \
          ACLSIM_C_SAT_##saturation(F, name##_ru, to, from, CAST_CEIL, layouts) \
              ACLSIM_C_SAT_##saturation(F, name##_rz, to, from, CAST_TRUNC, layouts)
#define ACLSIM_C_ROUND_ODD(F, name, to, from, saturation, layouts) \
  ACLSIM_C_ROUND_FIVE(F, name, to, from, saturation, layouts)      \
  ACLSIM_C_SAT_##saturation(F, name##_ro, to, from, CAST_ODD, layouts)
#define ACLSIM_C_ROUND_HYBRID(F, name, to, from, saturation, layouts)     \
  ACLSIM_C_SAT_##saturation(F, name##_rna, to, from, CAST_ROUND, layouts) \
      ACLSIM_C_SAT_##saturation(F, name##_rh, to, from, CAST_HYBRID, layouts)
#define ACLSIM_C_SAT_PLAIN(F, name, to, from, rounding, layouts) \
  ACLSIM_C_LAYOUT_##layouts(F, name, to, from, rounding, NO_SAT)
#define ACLSIM_C_SAT_BOTH(F, name, to, from, rounding, layouts)  \
  ACLSIM_C_LAYOUT_##layouts(F, name, to, from, rounding, NO_SAT) \
      ACLSIM_C_LAYOUT_##layouts(F, name##_sat, to, from, rounding, SAT)
#define ACLSIM_C_LAYOUT_L1(F, name, to, from, rounding, saturation) \
  F(asc_##name, to, from, rounding, saturation, ZERO)
#define ACLSIM_C_LAYOUT_L2(F, name, to, from, rounding, saturation) \
  ACLSIM_C_LAYOUT_L1(F, name, to, from, rounding, saturation)       \
  F(asc_##name##_v2, to, from, rounding, saturation, ONE)
#define ACLSIM_C_LAYOUT_L4(F, name, to, from, rounding, saturation) \
  ACLSIM_C_LAYOUT_L2(F, name, to, from, rounding, saturation)       \
  F(asc_##name##_v3, to, from, rounding, saturation, TWO)           \
  F(asc_##name##_v4, to, from, rounding, saturation, THREE)

/* R(name): asc_<name>, the functions without a row above. */
/* clang-format off */
#define ACLSIM_C_REG_NAMES(R) \
  R(addc) \
  R(subc) \
  R(mull) \
  R(muls) \
  R(muls_v2) \
  R(exp_sub) \
  R(exp_sub_v2) \
  R(duplicate) \
  R(duplicate_scalar) \
  R(arange) \
  R(arange_descend) \
  R(select) \
  R(copy) \
  R(squeeze) \
  R(squeeze_with_status) \
  R(unsqueeze) \
  R(pack) \
  R(pack_v2) \
  R(pack_to_low) \
  R(pack_to_high) \
  R(unpack_lower) \
  R(unpack_upper) \
  R(gather) \
  R(gather_datablock) \
  R(scatter) \
  R(intlv_b8) \
  R(intlv_b16) \
  R(intlv_b32) \
  R(deintlv_b8) \
  R(deintlv_b16) \
  R(deintlv_b32) \
  R(cumulative_histogram_bin0) \
  R(cumulative_histogram_bin1) \
  R(frequency_histogram_bin0) \
  R(frequency_histogram_bin1) \
  R(get_mask_spr_b16) \
  R(get_mask_spr_b32) \
  R(create_mask_b8) \
  R(create_mask_b16) \
  R(create_mask_b32) \
  R(update_mask_b8) \
  R(update_mask_b16) \
  R(update_mask_b32) \
  R(update_addr_reg_b8) \
  R(update_addr_reg_b16) \
  R(update_addr_reg_b32) \
  R(create_iter_reg_b8) \
  R(create_iter_reg_b16) \
  R(create_iter_reg_b32) \
  R(mem_bar) \
  R(clear_ar_spr) \
  R(loadalign) \
  R(loadalign_postupdate) \
  R(loadalign_deintlv) \
  R(loadalign_deintlv_postupdate) \
  R(loadunalign) \
  R(loadunalign_pre) \
  R(loadunalign_postupdate) \
  R(load) \
  R(storealign) \
  R(storealign_postupdate) \
  R(storealign_1st) \
  R(storealign_1st_postupdate) \
  R(storealign_intlv) \
  R(storealign_pack_postupdate_v2) \
  R(storeunalign) \
  R(storeunalign_postupdate) \
  R(storeunalign_post) \
  R(storeunalign_post_postupdate) \
  R(store) \
  R(set_va_reg)
/* clang-format on */

#endif /* ASCENDC_IMPL_C_REG_ROWS_H_ */
