/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C interface of registers: types and functions over AscendC::Reg. Architecture 3510 only.
 */
#ifndef ASCENDC_IMPL_C_REG_H_
#define ASCENDC_IMPL_C_REG_H_

#include "ascendc/impl/c_reg_rows.h"
#include "ascendc/impl/reg_order.h"

#define ACLSIM_C_REG_TYPE(name, type) using vector_##name = AscendC::Reg::RegTensor<type>;
ACLSIM_C_REG_TYPE(int8_t, int8_t)
ACLSIM_C_REG_TYPE(uint8_t, uint8_t)
ACLSIM_C_REG_TYPE(int16_t, int16_t)
ACLSIM_C_REG_TYPE(uint16_t, uint16_t)
ACLSIM_C_REG_TYPE(int32_t, int32_t)
ACLSIM_C_REG_TYPE(uint32_t, uint32_t)
ACLSIM_C_REG_TYPE(int64_t, int64_t)
ACLSIM_C_REG_TYPE(uint64_t, uint64_t)
ACLSIM_C_REG_TYPE(half, half)
ACLSIM_C_REG_TYPE(bfloat16_t, bfloat16_t)
ACLSIM_C_REG_TYPE(float, float)
ACLSIM_C_REG_TYPE(hifloat8_t, hifloat8_t)
ACLSIM_C_REG_TYPE(fp8_e4m3fn_t, fp8_e4m3fn_t)
ACLSIM_C_REG_TYPE(fp8_e5m2_t, fp8_e5m2_t)
ACLSIM_C_REG_TYPE(fp8_e8m0_t, fp8_e8m0_t)
ACLSIM_C_REG_TYPE(fp4x2_e2m1_t, fp4x2_e2m1_t)
ACLSIM_C_REG_TYPE(fp4x2_e1m2_t, fp4x2_e1m2_t)
ACLSIM_C_REG_TYPE(int4x2_t, int4x2_t)
#undef ACLSIM_C_REG_TYPE
using addr_reg = AscendC::Reg::AddrReg;
using iter_reg = AscendC::Reg::AddrReg; /* the older name */
using vector_load_unalign = AscendC::Reg::UnalignRegForLoad;
using vector_store_unalign = AscendC::Reg::UnalignRegForStore;

#define ACLSIM_C_PATTERN(name) \
  inline constexpr AscendC::Reg::MaskPattern PAT_##name = AscendC::Reg::MaskPattern::name;
ACLSIM_C_PATTERN(ALL)
ACLSIM_C_PATTERN(VL1)
ACLSIM_C_PATTERN(VL2)
ACLSIM_C_PATTERN(VL3)
ACLSIM_C_PATTERN(VL4)
ACLSIM_C_PATTERN(VL8)
ACLSIM_C_PATTERN(VL16)
ACLSIM_C_PATTERN(VL32)
ACLSIM_C_PATTERN(VL64)
ACLSIM_C_PATTERN(VL128)
ACLSIM_C_PATTERN(M3)
ACLSIM_C_PATTERN(M4)
ACLSIM_C_PATTERN(H)
ACLSIM_C_PATTERN(Q)
ACLSIM_C_PATTERN(ALLF)
#undef ACLSIM_C_PATTERN

/* Eight times the accesses before, and the accesses after (AscendC::Reg::MemType). */
enum MEM_TYPE {
  VST_VST = 0,
  VST_VLD = 1,
  VST_ST = 2,
  VST_LD = 3,
  VLD_VST = 8,
  VLD_ST = 10,
  ST_VST = 16,
  ST_VLD = 17,
  ST_ST = 18,
  ST_LD = 19,
  LD_VST = 24,
  LD_ST = 26,
  VV_ALL = 36,
  VS_ALL = 37,
  SV_ALL = 44,
  SS_ALL = 45
};

namespace aclsim_c {

using AscendC::Reg::MaskMergeMode;
using AscendC::Reg::RegLayout;
using AscendC::Reg::RegTensor;
using AscendC::Reg::SatMode;

/* AscendC::Reg takes its sources as references that it does not change. A copy would be another
   register: the emulator compares registers by their variables. */
template <typename T>
ACLSIM_THROUGH T& in(const T& source) {
  return const_cast<T&>(source);
}

template <size_t bytes>
struct Bits;
template <>
struct Bits<1> {
  using Type = uint8_t;
};
template <>
struct Bits<2> {
  using Type = uint16_t;
};
template <>
struct Bits<4> {
  using Type = uint32_t;
};
template <>
struct Bits<8> {
  using Type = uint64_t;
};
/* The register with unsigned elements of the same size. */
template <typename U>
ACLSIM_THROUGH auto& bits(const U& source) {
  using Unsigned = RegTensor<typename Bits<sizeof(typename U::ActualT)>::Type>;
  return reinterpret_cast<Unsigned&>(const_cast<U&>(source));
}

/* The elements in memory. */
template <typename U>
using Memory =
    std::conditional_t<std::is_same_v<typename U::ActualT, int4x2_t>, int4b_t, typename U::ActualT>;

ACLSIM_THROUGH vector_bool all() { return AscendC::Reg::CreateMask<uint8_t>(); }

ACLSIM_THROUGH vector_bool mask_of(AscendC::Reg::MaskPattern pattern, uint32_t stride) {
  using AscendC::Reg::MaskPattern;
  if (pattern == MaskPattern::M3 || pattern == MaskPattern::M4) {
    return aclsim_reg::each_lane(pattern == MaskPattern::M3 ? 3 : 4, stride);
  }
  return aclsim_reg::first_lanes(aclsim_reg::lanes_of_pattern(pattern, 256 / stride), stride);
}

/* The distribution for the size of elements. A row has DIST_NORM where there is no such form. */
template <typename U, typename Dist, Dist b8, Dist b16, Dist b32>
constexpr Dist dist_of() {
  constexpr size_t kBytes = sizeof(typename U::ActualT);
  constexpr Dist kDist = kBytes == 1 ? b8 : kBytes == 2 ? b16 : kBytes == 4 ? b32 : Dist::DIST_NORM;
  static_assert(kDist != Dist::DIST_NORM,
                "asc_loadalign, asc_storealign: this form lacks elements of this size");
  return kDist;
}

template <AscendC::RoundMode rounding, SatMode saturation, RegLayout layout>
inline constexpr AscendC::Reg::CastTrait cast_trait = {layout, saturation, MaskMergeMode::ZEROING,
                                                       rounding};

}  // namespace aclsim_c

/* ---- functions over lanes ---- */

#define ACLSIM_C_TYPES(name, U, types)                       \
  static_assert(aclsim_reg::in_set<U>(ACLSIM_SET_OF(types)), \
                "asc_" #name ": expected a register of " ACLSIM_TEXT_OF(types))
#define ACLSIM_C_TWO(name, what, types)                                                    \
  template <typename U, ACLSIM_IF_REG(U)>                                                  \
  ACLSIM_THROUGH void asc_##name(U& dst, const U& src0, const U& src1, vector_bool mask) { \
    ACLSIM_C_TYPES(name, U, types);                                                        \
    AscendC::Reg::what(dst, aclsim_c::in(src0), aclsim_c::in(src1), mask);                 \
  }
#define ACLSIM_C_BITS(name, what, types)                                                       \
  template <typename U, ACLSIM_IF_REG(U)>                                                      \
  ACLSIM_THROUGH void asc_##name(U& dst, const U& src0, const U& src1, vector_bool mask) {     \
    ACLSIM_C_TYPES(name, U, types);                                                            \
    AscendC::Reg::what(aclsim_c::bits(dst), aclsim_c::bits(src0), aclsim_c::bits(src1), mask); \
  }
#define ACLSIM_C_BITS_ONE(name, what, types)                               \
  template <typename U, ACLSIM_IF_REG(U)>                                  \
  ACLSIM_THROUGH void asc_##name(U& dst, const U& src, vector_bool mask) { \
    ACLSIM_C_TYPES(name, U, types);                                        \
    AscendC::Reg::what(aclsim_c::bits(dst), aclsim_c::bits(src), mask);    \
  }
#define ACLSIM_C_ONE(name, what, types)                                    \
  template <typename U, ACLSIM_IF_REG(U)>                                  \
  ACLSIM_THROUGH void asc_##name(U& dst, const U& src, vector_bool mask) { \
    ACLSIM_C_TYPES(name, U, types);                                        \
    AscendC::Reg::what(dst, aclsim_c::in(src), mask);                      \
  }
#define ACLSIM_C_WHOLE(name, what, types)                                        \
  template <typename U, ACLSIM_IF_REG(U)>                                        \
  ACLSIM_THROUGH void asc_##name(U& dst, const U& src, vector_bool mask) {       \
    ACLSIM_C_TYPES(name, U, types);                                              \
    AscendC::Reg::Truncate<AscendC::Reg::DefaultType, AscendC::RoundMode::what>( \
        dst, aclsim_c::in(src), mask);                                           \
  }
#define ACLSIM_C_SCALAR(name, what, types)                                        \
  template <typename U, ACLSIM_IF_REG(U)>                                         \
  ACLSIM_THROUGH void asc_##name(U& dst, const U& src, typename U::ActualT value, \
                                 vector_bool mask) {                              \
    ACLSIM_C_TYPES(name, U, types);                                               \
    AscendC::Reg::what(dst, aclsim_c::in(src), value, mask);                      \
  }
#define ACLSIM_C_COUNT(name, what, types)                                                 \
  template <typename U, ACLSIM_IF_REG(U)>                                                 \
  ACLSIM_THROUGH void asc_##name(U& dst, const U& src, int16_t value, vector_bool mask) { \
    ACLSIM_C_TYPES(name, U, types);                                                       \
    AscendC::Reg::what(dst, aclsim_c::in(src), value, mask);                              \
  }
#define ACLSIM_C_SHIFT(name, what, types)                                                  \
  template <typename U, typename V, ACLSIM_IF_REG(U), ACLSIM_IF_REG(V)>                    \
  ACLSIM_THROUGH void asc_##name(U& dst, const U& src0, const V& src1, vector_bool mask) { \
    ACLSIM_C_TYPES(name, U, types);                                                        \
    static_assert(std::is_signed_v<typename V::ActualT>,                                   \
                  "asc_" #name ": expected counts of a signed type");                      \
    AscendC::Reg::what(dst, aclsim_c::in(src0), aclsim_c::in(src1), mask);                 \
  }
#define ACLSIM_C_COMPARE(name, what, types)                                      \
  template <typename U, ACLSIM_IF_REG(U)>                                        \
  ACLSIM_THROUGH void asc_##name(vector_bool& dst, const U& src0, const U& src1, \
                                 vector_bool mask) {                             \
    ACLSIM_C_TYPES(name, U, types);                                              \
    AscendC::Reg::Compare<AscendC::Reg::DefaultType, AscendC::CMPMODE::what>(    \
        dst, aclsim_c::in(src0), aclsim_c::in(src1), mask);                      \
  }
#define ACLSIM_C_COMPARE_SCALAR(name, what, types)                                          \
  template <typename U, ACLSIM_IF_REG(U)>                                                   \
  ACLSIM_THROUGH void asc_##name(vector_bool& dst, const U& src, typename U::ActualT value, \
                                 vector_bool mask) {                                        \
    ACLSIM_C_TYPES(name, U, types);                                                         \
    AscendC::Reg::Compares<AscendC::Reg::DefaultType, AscendC::CMPMODE::what>(              \
        dst, aclsim_c::in(src), value, mask);                                               \
  }
#define ACLSIM_C_REDUCE(name, what, types)                                 \
  template <typename U, typename V, ACLSIM_IF_REG(U), ACLSIM_IF_REG(V)>    \
  ACLSIM_THROUGH void asc_##name(U& dst, const V& src, vector_bool mask) { \
    ACLSIM_C_TYPES(name, U, types);                                        \
    AscendC::Reg::what(dst, src, mask);                                    \
  }
#define ACLSIM_C_PAIR(name, what, types)                                           \
  template <typename U, ACLSIM_IF_REG(U)>                                          \
  ACLSIM_THROUGH void asc_##name(U& dst0, U& dst1, const U& src0, const U& src1) { \
    ACLSIM_C_TYPES(name, U, types);                                                \
    AscendC::Reg::what(dst0, dst1, aclsim_c::in(src0), aclsim_c::in(src1));        \
  }
#define ACLSIM_C_DECLARE(name, shape, what, types) ACLSIM_C_##shape(name, what, types)
ACLSIM_C_REG_ROWS(ACLSIM_C_DECLARE)
#undef ACLSIM_C_DECLARE
#undef ACLSIM_C_TWO
#undef ACLSIM_C_BITS
#undef ACLSIM_C_BITS_ONE
#undef ACLSIM_C_ONE
#undef ACLSIM_C_WHOLE
#undef ACLSIM_C_SCALAR
#undef ACLSIM_C_COUNT
#undef ACLSIM_C_SHIFT
#undef ACLSIM_C_COMPARE
#undef ACLSIM_C_COMPARE_SCALAR
#undef ACLSIM_C_REDUCE
#undef ACLSIM_C_PAIR

#define ACLSIM_C_CAST(name, to, from, rounding, saturation, layout)                           \
  template <typename U, typename V, ACLSIM_IF_REG(U), ACLSIM_IF_REG(V)>                       \
  ACLSIM_THROUGH void name(U& dst, const V& src, vector_bool mask) {                          \
    static_assert(aclsim_element::of<typename U::ActualT> == ACLSIM_##to &&                   \
                      aclsim_element::of<typename V::ActualT> == ACLSIM_##from,               \
                  #name ": a register does not have the type of this conversion");            \
    constexpr const AscendC::Reg::CastTrait& kTrait =                                         \
        aclsim_c::cast_trait<AscendC::RoundMode::rounding, AscendC::Reg::SatMode::saturation, \
                             AscendC::Reg::RegLayout::layout>;                                \
    AscendC::Reg::Cast<AscendC::Reg::DefaultType, AscendC::Reg::DefaultType, kTrait>(         \
        dst, aclsim_c::in(src), mask);                                                        \
  }
#define ACLSIM_C_CASTS(...) ACLSIM_C_CASTS_OF(ACLSIM_C_CAST, __VA_ARGS__)
ACLSIM_C_CAST_ROWS(ACLSIM_C_CASTS)
#undef ACLSIM_C_CASTS
#undef ACLSIM_C_CAST

/* With carries. */
#define ACLSIM_C_CARRY(name, what)                                                              \
  ACLSIM_THROUGH void asc_##name(vector_bool& carry, vector_uint32_t& dst,                      \
                                 const vector_uint32_t& src0, const vector_uint32_t& src1,      \
                                 vector_bool mask) {                                            \
    AscendC::Reg::what(carry, dst, aclsim_c::in(src0), aclsim_c::in(src1), mask);               \
  }                                                                                             \
  ACLSIM_THROUGH void asc_##name##c(vector_bool& carry, vector_uint32_t& dst,                   \
                                    const vector_uint32_t& src0, const vector_uint32_t& src1,   \
                                    vector_bool carry_src, vector_bool mask) {                  \
    AscendC::Reg::what##C(carry, dst, aclsim_c::in(src0), aclsim_c::in(src1), carry_src, mask); \
  }
ACLSIM_C_CARRY(add, Add)
ACLSIM_C_CARRY(sub, Sub)
#undef ACLSIM_C_CARRY
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_mull(U& dst0, U& dst1, const U& src0, const U& src1, vector_bool mask) {
  AscendC::Reg::Mull(dst0, dst1, aclsim_c::in(src0), aclsim_c::in(src1), mask);
}

/* The even lanes, and the odd ones. */
#define ACLSIM_C_HALVES(suffix, layout)                                                        \
  ACLSIM_THROUGH void asc_muls##suffix(vector_half& dst, const vector_float& src, float value, \
                                       vector_bool mask) {                                     \
    using AscendC::Reg::DefaultType;                                                           \
    AscendC::Reg::MulsCast<DefaultType, DefaultType, float, AscendC::Reg::RegLayout::layout>(  \
        dst, aclsim_c::in(src), value, mask);                                                  \
  }                                                                                            \
  ACLSIM_THROUGH void asc_exp_sub##suffix(vector_float& dst, const vector_half& src0,          \
                                          const vector_half& src1, vector_bool mask) {         \
    using AscendC::Reg::DefaultType;                                                           \
    AscendC::Reg::ExpSub<DefaultType, DefaultType, AscendC::Reg::RegLayout::layout>(           \
        dst, aclsim_c::in(src0), aclsim_c::in(src1), mask);                                    \
  }
ACLSIM_C_HALVES(, ZERO)
ACLSIM_C_HALVES(_v2, ONE)
#undef ACLSIM_C_HALVES
ACLSIM_THROUGH void asc_exp_sub(vector_float& dst, const vector_float& src0,
                                const vector_float& src1, vector_bool mask) {
  AscendC::Reg::ExpSub(dst, aclsim_c::in(src0), aclsim_c::in(src1), mask);
}

/* ---- filling and order ---- */

template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_duplicate(U& dst, const U& src, vector_bool mask) {
  AscendC::Reg::Duplicate(dst, aclsim_c::in(src), mask);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_duplicate_scalar(U& dst, typename U::ActualT value, vector_bool mask) {
  AscendC::Reg::Duplicate(dst, value, mask);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_duplicate_scalar(U& dst, typename U::ActualT value) {
  AscendC::Reg::Duplicate(dst, value);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_arange(U& dst, typename U::ActualT value) {
  ACLSIM_C_TYPES(arange, U, C_SIGNED);
  AscendC::Reg::Arange(dst, value);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_arange_descend(U& dst, typename U::ActualT value) {
  ACLSIM_C_TYPES(arange_descend, U, C_SIGNED);
  AscendC::Reg::Arange<AscendC::Reg::DefaultType, AscendC::Reg::IndexOrder::DECREASE_ORDER>(dst,
                                                                                            value);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_select(U& dst, const U& src0, const U& src1, vector_bool mask) {
  AscendC::Reg::Select(dst, aclsim_c::in(src0), aclsim_c::in(src1), mask);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_copy(U& dst, const U& src, vector_bool mask) {
  AscendC::Reg::Move(dst, aclsim_c::in(src), mask);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_squeeze(U& dst, const U& src, vector_bool mask) {
  AscendC::Reg::Squeeze(aclsim_c::bits(dst), aclsim_c::bits(src), mask);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_squeeze_with_status(U& dst, const U& src, vector_bool mask) {
  AscendC::Reg::Squeeze<AscendC::Reg::DefaultType, AscendC::Reg::GatherMaskMode::STORE_REG>(
      aclsim_c::bits(dst), aclsim_c::bits(src), mask);
}
ACLSIM_THROUGH void asc_clear_ar_spr() { AscendC::ClearSpr<AscendC::SpecialPurposeReg::AR>(); }
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_unsqueeze(U& dst, vector_bool mask) {
  AscendC::Reg::Unsqueeze(dst, mask);
}
#define ACLSIM_C_PART(name, what, part)                                            \
  template <typename U, typename V, ACLSIM_IF_REG(U), ACLSIM_IF_REG(V)>            \
  ACLSIM_THROUGH void asc_##name(U& dst, const V& src) {                           \
    using AscendC::Reg::DefaultType;                                               \
    AscendC::Reg::what<DefaultType, DefaultType, AscendC::Reg::HighLowPart::part>( \
        dst, aclsim_c::in(src));                                                   \
  }                                                                                \
  ACLSIM_THROUGH void asc_##name(vector_bool& dst, vector_bool src) {              \
    AscendC::Reg::what<AscendC::Reg::HighLowPart::part>(dst, src);                 \
  }
ACLSIM_C_PART(pack, Pack, LOWEST)
ACLSIM_C_PART(pack_to_low, Pack, LOWEST)
ACLSIM_C_PART(pack_v2, Pack, HIGHEST)
ACLSIM_C_PART(pack_to_high, Pack, HIGHEST)
ACLSIM_C_PART(unpack_lower, UnPack, LOWEST)
ACLSIM_C_PART(unpack_upper, UnPack, HIGHEST)
#undef ACLSIM_C_PART
#define ACLSIM_C_HISTOGRAM(name, type, bin)                                                     \
  ACLSIM_THROUGH void asc_##name(vector_uint16_t& dst, const vector_uint8_t& src,               \
                                 vector_bool mask) {                                            \
    using AscendC::Reg::DefaultType;                                                            \
    AscendC::Reg::Histograms<DefaultType, DefaultType, AscendC::Reg::HistogramsBinType::bin,    \
                             AscendC::Reg::HistogramsType::type>(dst, aclsim_c::in(src), mask); \
  }
ACLSIM_C_HISTOGRAM(frequency_histogram_bin0, FREQUENCY, BIN0)
ACLSIM_C_HISTOGRAM(frequency_histogram_bin1, FREQUENCY, BIN1)
ACLSIM_C_HISTOGRAM(cumulative_histogram_bin0, ACCUMULATE, BIN0)
ACLSIM_C_HISTOGRAM(cumulative_histogram_bin1, ACCUMULATE, BIN1)
#undef ACLSIM_C_HISTOGRAM

/* ---- masks ---- */

#define ACLSIM_C_MASKS(suffix, type, bytes)                                                        \
  ACLSIM_THROUGH vector_bool asc_create_mask_##suffix(AscendC::Reg::MaskPattern pat_mode) {        \
    return aclsim_c::mask_of(pat_mode, bytes);                                                     \
  }                                                                                                \
  ACLSIM_THROUGH vector_bool asc_update_mask_##suffix(uint32_t& value) {                           \
    return AscendC::Reg::UpdateMask<type>(value);                                                  \
  }                                                                                                \
  ACLSIM_THROUGH void asc_intlv_##suffix(vector_bool& dst0, vector_bool& dst1, vector_bool src0,   \
                                         vector_bool src1) {                                       \
    AscendC::Reg::Interleave<type>(dst0, dst1, src0, src1);                                        \
  }                                                                                                \
  ACLSIM_THROUGH void asc_deintlv_##suffix(vector_bool& dst0, vector_bool& dst1, vector_bool src0, \
                                           vector_bool src1) {                                     \
    AscendC::Reg::DeInterleave<type>(dst0, dst1, src0, src1);                                      \
  }                                                                                                \
  /* The line counts the iterations: one at each call. */                                          \
  ACLSIM_THROUGH addr_reg asc_update_addr_reg_##suffix(                                            \
      uint32_t offset, const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE()) {    \
    return {aclsimRegIteration(file, line) * offset};                                              \
  }                                                                                                \
  ACLSIM_THROUGH addr_reg asc_create_iter_reg_##suffix(                                            \
      uint32_t offset, const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE()) {    \
    return {aclsimRegIteration(file, line) * offset};                                              \
  }
ACLSIM_C_MASKS(b8, uint8_t, 1)
ACLSIM_C_MASKS(b16, uint16_t, 2)
ACLSIM_C_MASKS(b32, uint32_t, 4)
#undef ACLSIM_C_MASKS
ACLSIM_THROUGH vector_bool asc_get_mask_spr_b16() { return AscendC::Reg::MoveMask<uint16_t>(); }
ACLSIM_THROUGH vector_bool asc_get_mask_spr_b32() { return AscendC::Reg::MoveMask<uint32_t>(); }
#define ACLSIM_C_MASK_OPERATION(name, what)                                            \
  ACLSIM_THROUGH void asc_##name(vector_bool& dst, vector_bool src0, vector_bool src1, \
                                 vector_bool mask) {                                   \
    AscendC::Reg::what(dst, src0, src1, mask);                                         \
  }
ACLSIM_C_MASK_OPERATION(and, And)
ACLSIM_C_MASK_OPERATION(or, Or)
ACLSIM_C_MASK_OPERATION(xor, Xor)
ACLSIM_C_MASK_OPERATION(select, Select)
#undef ACLSIM_C_MASK_OPERATION
ACLSIM_THROUGH void asc_not(vector_bool& dst, vector_bool src, vector_bool mask) {
  AscendC::Reg::Not(dst, src, mask);
}
ACLSIM_THROUGH void asc_copy(vector_bool& dst, vector_bool src, vector_bool mask) {
  AscendC::Reg::Move(dst, src, mask);
}
ACLSIM_THROUGH void asc_copy(vector_bool& dst, vector_bool src) { dst = src; }
/* One bit for each lane, from the block of that number. */
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_copy(vector_bool& dst, const U& src, int16_t part) {
  ACLSIM_C_TYPES(copy, U, U16_U32);
  constexpr uint32_t kBytes = sizeof(typename U::ActualT);
  const uint32_t block = static_cast<uint32_t>(part) % (8 * kBytes);
  aclsimMaskFrom(&dst, src.aclsim_bytes + block * (32 / kBytes), kBytes);
}
ACLSIM_THROUGH void asc_mem_bar(MEM_TYPE mem_type) {
  const auto type = static_cast<uint32_t>(mem_type);
  aclsimRegBarrier(type / 8, type % 8);
}

/* ---- loads ---- */

#define ACLSIM_C_LOADS(name, post, dist)                                                 \
  template <typename U, ACLSIM_IF_REG(U)>                                                \
  ACLSIM_THROUGH void name(U& dst, __ubuf__ aclsim_c::Memory<U>* src) {                  \
    aclsim_reg::load<dist>(dst, src);                                                    \
  }                                                                                      \
  template <typename U, ACLSIM_IF_REG(U)>                                                \
  ACLSIM_THROUGH void name(U& dst, __ubuf__ aclsim_c::Memory<U>* src, int32_t offset) {  \
    aclsim_reg::load<dist>(dst, src + offset);                                           \
  }                                                                                      \
  template <typename U, ACLSIM_IF_REG(U)>                                                \
  ACLSIM_THROUGH void name(U& dst, __ubuf__ aclsim_c::Memory<U>* src, addr_reg offset) { \
    aclsim_reg::load<dist>(dst, src + offset.aclsim_offset);                             \
  }                                                                                      \
  template <typename U, ACLSIM_IF_REG(U)>                                                \
  ACLSIM_THROUGH void post(U& dst, __ubuf__ aclsim_c::Memory<U>*& src, int32_t offset) { \
    aclsim_reg::load<dist>(dst, src);                                                    \
    src += offset;                                                                       \
  }
ACLSIM_C_LOADS(asc_loadalign, asc_loadalign_postupdate, AscendC::Reg::LoadDist::DIST_NORM)
#define ACLSIM_C_DIST(Dist, b8, b16, b32)                                                    \
  (aclsim_c::dist_of<U, AscendC::Reg::Dist, AscendC::Reg::Dist::b8, AscendC::Reg::Dist::b16, \
                     AscendC::Reg::Dist::b32>())
#define ACLSIM_C_LOAD_ROW(suffix, b8, b16, b32)                             \
  ACLSIM_C_LOADS(asc_loadalign##suffix, asc_loadalign##suffix##_postupdate, \
                 ACLSIM_C_DIST(LoadDist, b8, b16, b32))
ACLSIM_C_LOAD_ROWS(ACLSIM_C_LOAD_ROW)
#undef ACLSIM_C_LOAD_ROW
#undef ACLSIM_C_LOADS

#define ACLSIM_C_DEINTLV ACLSIM_C_DIST(LoadDist, DIST_DINTLV_B8, DIST_DINTLV_B16, DIST_DINTLV_B32)
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_loadalign_deintlv(U& dst0, U& dst1, __ubuf__ aclsim_c::Memory<U>* src) {
  aclsim_reg::load<ACLSIM_C_DEINTLV>(dst0, dst1, src);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_loadalign_deintlv(U& dst0, U& dst1, __ubuf__ aclsim_c::Memory<U>* src,
                                          int32_t offset) {
  aclsim_reg::load<ACLSIM_C_DEINTLV>(dst0, dst1, src + offset);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_loadalign_deintlv(U& dst0, U& dst1, __ubuf__ aclsim_c::Memory<U>* src,
                                          addr_reg offset) {
  aclsim_reg::load<ACLSIM_C_DEINTLV>(dst0, dst1, src + offset.aclsim_offset);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_loadalign_deintlv_postupdate(U& dst0, U& dst1,
                                                     __ubuf__ aclsim_c::Memory<U>*& src,
                                                     int32_t offset) {
  aclsim_reg::load<ACLSIM_C_DEINTLV>(dst0, dst1, src);
  src += offset;
}
#undef ACLSIM_C_DEINTLV

/* Blocks of 32 bytes that are apart. */
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_loadalign(U& dst, __ubuf__ aclsim_c::Memory<U>* src, uint16_t block_stride,
                                  uint16_t repeat_stride, vector_bool mask) {
  aclsimRegLoadBlocks(aclsim_reg::form_of<U>(0), dst.aclsim_bytes,
                      aclsim_reg::at_blocks(src, repeat_stride), block_stride, &mask);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_loadalign_postupdate(U& dst, __ubuf__ aclsim_c::Memory<U>*& src,
                                             uint16_t block_stride, uint16_t repeat_stride,
                                             vector_bool mask) {
  aclsimRegLoadBlocks(aclsim_reg::form_of<U>(0), dst.aclsim_bytes, src, block_stride, &mask);
  src = aclsim_reg::at_blocks(src, repeat_stride);
}

/* Masks; offsets in bytes. */
#define ACLSIM_C_MASK_LOADS(name, dist)                                                       \
  ACLSIM_THROUGH void asc_##name(vector_bool& dst, __ubuf__ uint32_t* src) {                  \
    AscendC::Reg::LoadAlign<uint32_t, AscendC::Reg::MaskDist::dist>(dst, src);                \
  }                                                                                           \
  ACLSIM_THROUGH void asc_##name(vector_bool& dst, __ubuf__ uint32_t* src, int32_t offset) {  \
    AscendC::Reg::LoadAlign<uint32_t, AscendC::Reg::MaskDist::dist>(                          \
        dst, aclsim_reg::at_bytes(src, offset));                                              \
  }                                                                                           \
  ACLSIM_THROUGH void asc_##name(vector_bool& dst, __ubuf__ uint32_t* src, addr_reg offset) { \
    AscendC::Reg::LoadAlign<uint32_t, AscendC::Reg::MaskDist::dist>(dst, src, offset);        \
  }                                                                                           \
  ACLSIM_THROUGH void asc_##name##_postupdate(vector_bool& dst, __ubuf__ uint32_t*& src,      \
                                              int32_t offset) {                               \
    asc_##name(dst, src);                                                                     \
    src = aclsim_reg::at_bytes(src, offset);                                                  \
  }
ACLSIM_C_MASK_LOADS(loadalign, DIST_NORM)
ACLSIM_C_MASK_LOADS(loadalign_upsample, DIST_US)
ACLSIM_C_MASK_LOADS(loadalign_downsample, DIST_DS)
#undef ACLSIM_C_MASK_LOADS

/* At any address. */
template <typename T>
ACLSIM_THROUGH void asc_loadunalign_pre(vector_load_unalign& dst, __ubuf__ T* src) {
  AscendC::Reg::LoadUnAlignPre(dst, src);
}
template <typename T>
ACLSIM_THROUGH void asc_loadunalign_pre(vector_load_unalign& dst, __ubuf__ T* src,
                                        addr_reg offset) {
  AscendC::Reg::LoadUnAlignPre(dst, src, offset);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_loadunalign(U& dst, vector_load_unalign& src0,
                                    __ubuf__ aclsim_c::Memory<U>* src1) {
  AscendC::Reg::LoadUnAlign(dst, src0, src1);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_loadunalign_postupdate(U& dst, vector_load_unalign& src0,
                                               __ubuf__ aclsim_c::Memory<U>*& src1,
                                               uint32_t count) {
  AscendC::Reg::LoadUnAlign(dst, src0, src1, count);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_loadunalign_postupdate(U& dst, vector_load_unalign& src0,
                                               __ubuf__ aclsim_c::Memory<U>* src1, addr_reg& offset,
                                               uint32_t inc) {
  AscendC::Reg::LoadUnAlign(dst, src0, src1, offset, inc);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_load(U& dst, __ubuf__ aclsim_c::Memory<U>* src) {
  AscendC::Reg::Load(dst, src);
}

/* By indices. */
template <typename U, typename T, typename V, ACLSIM_IF_REG(U), ACLSIM_IF_REG(V)>
ACLSIM_THROUGH void asc_gather(U& dst, __ubuf__ T* src, const V& index, vector_bool mask) {
  AscendC::Reg::Gather(dst, src, aclsim_c::in(index), mask);
}
template <typename U, typename V, ACLSIM_IF_REG(U), ACLSIM_IF_REG(V)>
ACLSIM_THROUGH void asc_gather(U& dst, const U& src, const V& index) {
  AscendC::Reg::Gather(dst, aclsim_c::in(src), aclsim_c::in(index));
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_gather_datablock(U& dst, __ubuf__ aclsim_c::Memory<U>* src,
                                         const vector_uint32_t& index, vector_bool mask) {
  AscendC::Reg::GatherB(dst, src, aclsim_c::in(index), mask);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_gather_datablock(U& dst, __ubuf__ aclsim_c::Memory<U>* src,
                                         const vector_uint32_t& index) {
  vector_bool mask = aclsim_c::all();
  AscendC::Reg::GatherB(dst, src, aclsim_c::in(index), mask);
}
template <typename U, typename V, ACLSIM_IF_REG(U), ACLSIM_IF_REG(V)>
ACLSIM_THROUGH void asc_scatter(__ubuf__ aclsim_c::Memory<U>* dst, const U& src, const V& index,
                                vector_bool mask) {
  AscendC::Reg::Scatter(dst, aclsim_c::in(src), aclsim_c::in(index), mask);
}

/* ---- stores ---- */

#define ACLSIM_C_STORES(name, post, dist)                                                       \
  template <typename U, ACLSIM_IF_REG(U)>                                                       \
  ACLSIM_THROUGH void name(__ubuf__ aclsim_c::Memory<U>* dst, const U& src, vector_bool mask) { \
    aclsim_reg::store<dist>(dst, aclsim_c::in(src), mask);                                      \
  }                                                                                             \
  template <typename U, ACLSIM_IF_REG(U)>                                                       \
  ACLSIM_THROUGH void name(__ubuf__ aclsim_c::Memory<U>* dst, const U& src, int32_t offset,     \
                           vector_bool mask) {                                                  \
    aclsim_reg::store<dist>(dst + offset, aclsim_c::in(src), mask);                             \
  }                                                                                             \
  template <typename U, ACLSIM_IF_REG(U)>                                                       \
  ACLSIM_THROUGH void name(__ubuf__ aclsim_c::Memory<U>* dst, const U& src, addr_reg offset,    \
                           vector_bool mask) {                                                  \
    aclsim_reg::store<dist>(dst + offset.aclsim_offset, aclsim_c::in(src), mask);               \
  }                                                                                             \
  template <typename U, ACLSIM_IF_REG(U)>                                                       \
  ACLSIM_THROUGH void post(__ubuf__ aclsim_c::Memory<U>*& dst, const U& src, int32_t offset,    \
                           vector_bool mask) {                                                  \
    aclsim_reg::store<dist>(dst, aclsim_c::in(src), mask);                                      \
    dst += offset;                                                                              \
  }
ACLSIM_C_STORES(asc_storealign, asc_storealign_postupdate, AscendC::Reg::StoreDist::DIST_NORM)
#define ACLSIM_C_STORE_ROW(suffix, b8, b16, b32)                               \
  ACLSIM_C_STORES(asc_storealign##suffix, asc_storealign##suffix##_postupdate, \
                  ACLSIM_C_DIST(StoreDist, b8, b16, b32))
ACLSIM_C_STORE_ROWS(ACLSIM_C_STORE_ROW)
#undef ACLSIM_C_STORE_ROW
#undef ACLSIM_C_STORES
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_storealign_pack_postupdate_v2(__ubuf__ aclsim_c::Memory<U>*& dst,
                                                      const U& src, int32_t offset,
                                                      vector_bool mask) {
  asc_storealign_pack_quarter_postupdate(dst, src, offset, mask);
}

/* Without a mask. */
#define ACLSIM_C_FIRST \
  ACLSIM_C_DIST(StoreDist, DIST_FIRST_ELEMENT_B8, DIST_FIRST_ELEMENT_B16, DIST_FIRST_ELEMENT_B32)
#define ACLSIM_C_INTLV ACLSIM_C_DIST(StoreDist, DIST_INTLV_B8, DIST_INTLV_B16, DIST_INTLV_B32)
#define ACLSIM_C_WHOLE_STORES(offset_parameter, by)                                              \
  template <typename U, ACLSIM_IF_REG(U)>                                                        \
  ACLSIM_THROUGH void asc_storealign_1st(__ubuf__ aclsim_c::Memory<U>* dst, const U& src,        \
                                         offset_parameter) {                                     \
    vector_bool mask = aclsim_c::all();                                                          \
    aclsim_reg::store<ACLSIM_C_FIRST>(dst + (by), aclsim_c::in(src), mask);                      \
  }                                                                                              \
  template <typename U, ACLSIM_IF_REG(U)>                                                        \
  ACLSIM_THROUGH void asc_storealign_intlv(__ubuf__ aclsim_c::Memory<U>* dst, const U& src0,     \
                                           const U& src1, offset_parameter) {                    \
    vector_bool mask = aclsim_c::all();                                                          \
    aclsim_reg::store<ACLSIM_C_INTLV>(dst + (by), aclsim_c::in(src0), aclsim_c::in(src1), mask); \
  }
ACLSIM_C_WHOLE_STORES(addr_reg offset, offset.aclsim_offset)
ACLSIM_C_WHOLE_STORES(int32_t offset = 0, offset)
#undef ACLSIM_C_WHOLE_STORES
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_storealign_1st_postupdate(__ubuf__ aclsim_c::Memory<U>*& dst, const U& src,
                                                  int32_t offset) {
  asc_storealign_1st(dst, src);
  dst += offset;
}
#undef ACLSIM_C_FIRST
#undef ACLSIM_C_INTLV
#undef ACLSIM_C_DIST

template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_storealign(__ubuf__ aclsim_c::Memory<U>* dst, const U& src,
                                   uint16_t block_stride, uint16_t repeat_stride,
                                   vector_bool mask) {
  aclsimRegStoreBlocks(aclsim_reg::form_of<U>(0), aclsim_reg::at_blocks(dst, repeat_stride),
                       src.aclsim_bytes, block_stride, &mask);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_storealign_postupdate(__ubuf__ aclsim_c::Memory<U>*& dst, const U& src,
                                              uint16_t block_stride, uint16_t repeat_stride,
                                              vector_bool mask) {
  aclsimRegStoreBlocks(aclsim_reg::form_of<U>(0), dst, src.aclsim_bytes, block_stride, &mask);
  dst = aclsim_reg::at_blocks(dst, repeat_stride);
}

/* Masks; offsets in bytes. */
#define ACLSIM_C_MASK_STORES(name, dist)                                                           \
  template <typename T>                                                                            \
  ACLSIM_THROUGH void asc_##name(__ubuf__ T* dst, vector_bool src) {                               \
    AscendC::Reg::StoreAlign<T, AscendC::Reg::MaskDist::dist>(dst, src);                           \
  }                                                                                                \
  template <typename T>                                                                            \
  ACLSIM_THROUGH void asc_##name(__ubuf__ T* dst, vector_bool src, int32_t offset) {               \
    AscendC::Reg::StoreAlign<T, AscendC::Reg::MaskDist::dist>(aclsim_reg::at_bytes(dst, offset),   \
                                                              src);                                \
  }                                                                                                \
  template <typename T>                                                                            \
  ACLSIM_THROUGH void asc_##name(__ubuf__ T* dst, vector_bool src, addr_reg offset) {              \
    AscendC::Reg::StoreAlign<T, AscendC::Reg::MaskDist::dist>(dst, src, offset);                   \
  }                                                                                                \
  template <typename T>                                                                            \
  ACLSIM_THROUGH void asc_##name##_postupdate(__ubuf__ T*& dst, vector_bool src, int32_t offset) { \
    asc_##name(dst, src);                                                                          \
    dst = aclsim_reg::at_bytes(dst, offset);                                                       \
  }
ACLSIM_C_MASK_STORES(storealign, DIST_NORM)
ACLSIM_C_MASK_STORES(storealign_pack, DIST_PACK)
#undef ACLSIM_C_MASK_STORES

/* At any address. */
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_storeunalign(__ubuf__ aclsim_c::Memory<U>* dst, vector_store_unalign& src0,
                                     const U& src1, uint32_t count) {
  AscendC::Reg::StoreUnAlign(dst, aclsim_c::in(src1), src0, count);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_storeunalign_postupdate(__ubuf__ aclsim_c::Memory<U>*& dst,
                                                vector_store_unalign& src0, const U& src1,
                                                uint32_t count) {
  AscendC::Reg::StoreUnAlign(dst, aclsim_c::in(src1), src0, count);
}
template <typename T>
ACLSIM_THROUGH void asc_storeunalign_postupdate(__ubuf__ T*& dst, vector_store_unalign& src0,
                                                vector_bool src1) {
  AscendC::Reg::StoreUnAlign(dst, src1, src0);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_storeunalign_postupdate(__ubuf__ aclsim_c::Memory<U>* dst,
                                                vector_store_unalign& src0, const U& src1) {
  AscendC::Reg::StoreUnAlign(dst, aclsim_c::in(src1), src0);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_storeunalign_postupdate(__ubuf__ aclsim_c::Memory<U>* dst,
                                                vector_store_unalign& src0, const U& src1,
                                                addr_reg& count) {
  AscendC::Reg::StoreUnAlign(dst, aclsim_c::in(src1), src0, count);
}
template <typename T>
ACLSIM_THROUGH void asc_storeunalign_post(__ubuf__ T* dst, const vector_store_unalign& src,
                                          int32_t = 0) {
  AscendC::Reg::StoreUnAlignPost(dst, aclsim_c::in(src));
}
template <typename T>
ACLSIM_THROUGH void asc_storeunalign_post(__ubuf__ T* dst, const vector_store_unalign& src,
                                          addr_reg) {
  AscendC::Reg::StoreUnAlignPost(dst, aclsim_c::in(src));
}
template <typename T>
ACLSIM_THROUGH void asc_storeunalign_post_postupdate(__ubuf__ T*& dst,
                                                     const vector_store_unalign& src,
                                                     int32_t offset) {
  AscendC::Reg::StoreUnAlignPost(dst, aclsim_c::in(src), offset);
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_store(__ubuf__ aclsim_c::Memory<U>* dst, const U& src) {
  AscendC::Reg::Store(dst, aclsim_c::in(src));
}
template <typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void asc_store(__ubuf__ aclsim_c::Memory<U>* dst, const U& src, uint32_t count) {
  AscendC::Reg::Store(dst, aclsim_c::in(src), count);
}
#undef ACLSIM_C_TYPES

#endif /* ASCENDC_IMPL_C_REG_H_ */
