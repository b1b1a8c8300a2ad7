/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions over the lanes of registers: arithmetic, comparison, selection, conversion.
 */
#ifndef ASCENDC_IMPL_REG_LANES_H_
#define ASCENDC_IMPL_REG_LANES_H_

#include "ascendc/impl/reg_move.h"
#include "ascendc/impl/reg_rows.h"
#include "ascendc/impl/vector_issue.h"

namespace aclsim_reg {

template <typename U>
constexpr bool in_set(uint32_t set) {
  return aclsim_vector::among<typename U::ActualT>(set);
}

#define ACLSIM_REG_TYPES(Name, T, U, types)                                    \
  static_assert(aclsim_reg::fits<T, U>,                                        \
                "AscendC::Reg::" #Name ": T is not the type of the register"); \
  static_assert(aclsim_reg::in_set<U>(ACLSIM_SET_OF(types)),                   \
                "AscendC::Reg::" #Name ": expected a register of " ACLSIM_TEXT_OF(types))

template <typename U>
constexpr aclsimRegForm lanes_form(uint16_t operation, bool keeps, bool flushes = false) {
  return form_of<U>(operation, static_cast<uint8_t>((keeps ? ACLSIM_REG_MERGES : 0) |
                                                    (flushes ? ACLSIM_REG_FLUSHES : 0)));
}

template <typename T, typename V>
ACLSIM_THROUGH uint64_t value_bits(V value) {
  return aclsim_vector::bits_of(static_cast<T>(value));
}

}  // namespace aclsim_reg

namespace AscendC {
namespace Reg {

#define ACLSIM_REG_CALL(dst, a, b, mask, value) \
  aclsimRegLanes(kForm, (dst).aclsim_bytes, a, b, &(mask), value)

#define ACLSIM_REG_TWO_AS(Name, ModeType, operation, types)                                        \
  template <typename T = DefaultType, ModeType mode = MaskMergeMode::ZEROING, typename U,          \
            ACLSIM_IF_REG(U)>                                                                      \
  ACLSIM_THROUGH void Name(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {                     \
    ACLSIM_REG_TYPES(Name, T, U, types);                                                           \
    constexpr aclsimRegForm kForm =                                                                \
        aclsim_reg::lanes_form<U>(operation, aclsim_reg::merges(mode), aclsim_reg::flushes(mode)); \
    ACLSIM_REG_CALL(dstReg, srcReg0.aclsim_bytes, srcReg1.aclsim_bytes, mask, 0);                  \
  }
#define ACLSIM_REG_ONE_AS(Name, ModeType, operation, types)                                        \
  template <typename T = DefaultType, ModeType mode = MaskMergeMode::ZEROING, typename U,          \
            ACLSIM_IF_REG(U)>                                                                      \
  ACLSIM_THROUGH void Name(U& dstReg, U& srcReg, MaskReg& mask) {                                  \
    ACLSIM_REG_TYPES(Name, T, U, types);                                                           \
    constexpr aclsimRegForm kForm =                                                                \
        aclsim_reg::lanes_form<U>(operation, aclsim_reg::merges(mode), aclsim_reg::flushes(mode)); \
    ACLSIM_REG_CALL(dstReg, srcReg.aclsim_bytes, nullptr, mask, 0);                                \
  }
#define ACLSIM_REG_TWO(Name, operation, types) \
  ACLSIM_REG_TWO_AS(Name, MaskMergeMode, operation, types)
#define ACLSIM_REG_TWO_MODE(Name, operation, types) ACLSIM_REG_TWO_AS(Name, auto, operation, types)
#define ACLSIM_REG_THREE(Name, operation, types) ACLSIM_REG_TWO(Name, operation, types)
#define ACLSIM_REG_ONE(Name, operation, types) \
  ACLSIM_REG_ONE_AS(Name, MaskMergeMode, operation, types)
#define ACLSIM_REG_ONE_MODE(Name, operation, types) ACLSIM_REG_ONE_AS(Name, auto, operation, types)
#define ACLSIM_REG_SCALAR(Name, operation, types)                                              \
  template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, \
            typename S, ACLSIM_IF_REG(S)>                                                      \
  ACLSIM_THROUGH void Name(S& dstReg, S& srcReg, U scalarValue, MaskReg& mask) {               \
    ACLSIM_REG_TYPES(Name, T, S, types);                                                       \
    constexpr aclsimRegForm kForm =                                                            \
        aclsim_reg::lanes_form<S>(operation, aclsim_reg::merges(mode));                        \
    ACLSIM_REG_CALL(dstReg, srcReg.aclsim_bytes, nullptr, mask,                                \
                    aclsim_reg::value_bits<typename S::ActualT>(scalarValue));                 \
  }
#define ACLSIM_REG_SCALAR_THREE(Name, operation, types) ACLSIM_REG_SCALAR(Name, operation, types)
#define ACLSIM_REG_SHIFT(Name, operation, types)                                                   \
  template <typename T = DefaultType, typename U = DefaultType,                                    \
            MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V, ACLSIM_IF_REG(S), \
            ACLSIM_IF_REG(V)>                                                                      \
  ACLSIM_THROUGH void Name(S& dstReg, S& srcReg0, V& srcReg1, MaskReg& mask) {                     \
    ACLSIM_REG_TYPES(Name, T, S, types);                                                           \
    static_assert(sizeof(typename V::ActualT) == sizeof(typename S::ActualT),                      \
                  "AscendC::Reg::" #Name ": the counts and the elements differ in size");          \
    constexpr aclsimRegForm kForm =                                                                \
        aclsim_reg::lanes_form<S>(operation, aclsim_reg::merges(mode));                            \
    ACLSIM_REG_CALL(dstReg, srcReg0.aclsim_bytes, srcReg1.aclsim_bytes, mask, 0);                  \
  }
#define ACLSIM_REG_DECLARE(Name, shape, operation, types) ACLSIM_REG_##shape(Name, operation, types)
ACLSIM_REG_ROWS(ACLSIM_REG_DECLARE)
/* Names of the first generation. */
ACLSIM_REG_TWO(Mula, ACLSIM_REG_MulAddDst, B16_B64)
ACLSIM_REG_TWO(FusedMulDstAdd, ACLSIM_REG_MulDstAdd, F16_BF_F32)
ACLSIM_REG_TWO(FusedAbsSub, ACLSIM_REG_AbsSub, F16_F32_S64)
#undef ACLSIM_REG_DECLARE
#undef ACLSIM_REG_TWO
#undef ACLSIM_REG_TWO_MODE
#undef ACLSIM_REG_TWO_AS
#undef ACLSIM_REG_THREE
#undef ACLSIM_REG_ONE
#undef ACLSIM_REG_ONE_MODE
#undef ACLSIM_REG_ONE_AS
#undef ACLSIM_REG_SCALAR
#undef ACLSIM_REG_SCALAR_THREE
#undef ACLSIM_REG_SHIFT

/* ---- with carries: 32 bits ---- */

#define ACLSIM_REG_CARRY(Name, operation)                                                      \
  template <typename T = DefaultType, typename U, ACLSIM_IF_REG(U)>                            \
  ACLSIM_THROUGH void Name(MaskReg& carry, U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) { \
    ACLSIM_REG_TYPES(Name, T, U, S32_U32);                                                     \
    aclsimRegCarry(aclsim_reg::form_of<U>(operation), &carry, dstReg.aclsim_bytes,             \
                   srcReg0.aclsim_bytes, srcReg1.aclsim_bytes, nullptr, &mask);                \
  }                                                                                            \
  template <typename T = DefaultType, typename U, ACLSIM_IF_REG(U)>                            \
  ACLSIM_THROUGH void Name##C(MaskReg& carry, U& dstReg, U& srcReg0, U& srcReg1,               \
                              MaskReg& carrySrc, MaskReg& mask) {                              \
    ACLSIM_REG_TYPES(Name##C, T, U, S32_U32);                                                  \
    aclsimRegCarry(aclsim_reg::form_of<U>(operation), &carry, dstReg.aclsim_bytes,             \
                   srcReg0.aclsim_bytes, srcReg1.aclsim_bytes, &carrySrc, &mask);              \
  }
ACLSIM_REG_CARRY(Add, ACLSIM_OP_Add)
ACLSIM_REG_CARRY(Sub, ACLSIM_OP_Sub)
#undef ACLSIM_REG_CARRY

template <typename T = DefaultType, typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void Mull(U& dstReg0, U& dstReg1, U& srcReg0, U& srcReg1, MaskReg& mask) {
  ACLSIM_REG_TYPES(Mull, T, U, S32_U32);
  aclsimRegOrder(aclsim_reg::form_of<U>(ACLSIM_REG_LONG_PRODUCT), dstReg0.aclsim_bytes,
                 dstReg1.aclsim_bytes, srcReg0.aclsim_bytes, srcReg1.aclsim_bytes, &mask, 0);
}

/* ---- comparison ---- */

template <typename T = DefaultType, CMPMODE mode = CMPMODE::EQ, typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void Compare(MaskReg& dst, U& srcReg0, U& srcReg1, MaskReg& mask) {
  ACLSIM_REG_TYPES(Compare, T, U, ALL);
  aclsimRegForm form = aclsim_reg::form_of<U>(0);
  form.mode = static_cast<uint8_t>(mode);
  aclsimRegCompare(form, &dst, srcReg0.aclsim_bytes, srcReg1.aclsim_bytes, &mask, 0);
}
#define ACLSIM_REG_COMPARES(Name)                                                         \
  template <typename T = DefaultType, CMPMODE mode = CMPMODE::EQ, typename U, typename S, \
            ACLSIM_IF_REG(U)>                                                             \
  ACLSIM_THROUGH void Name(MaskReg& dst, U& srcReg, S scalarValue, MaskReg& mask) {       \
    ACLSIM_REG_TYPES(Name, T, U, ALL);                                                    \
    aclsimRegForm form = aclsim_reg::form_of<U>(0);                                       \
    form.mode = static_cast<uint8_t>(mode);                                               \
    aclsimRegCompare(form, &dst, srcReg.aclsim_bytes, nullptr, &mask,                     \
                     aclsim_reg::value_bits<typename U::ActualT>(scalarValue));           \
  }
ACLSIM_REG_COMPARES(Compares)
ACLSIM_REG_COMPARES(CompareScalar)
#undef ACLSIM_REG_COMPARES

/* ---- conversion ---- */

}  // namespace Reg
}  // namespace AscendC

namespace aclsim_reg {

/* RoundMode UNKNOWN and CAST_NONE are to nearest, of which exact conversions need nothing. */
template <typename To, typename From>
constexpr aclsimRegForm cast_form(const AscendC::Reg::CastTrait& trait) {
  using AscendC::RoundMode;
  aclsimRegForm form =
      form_of<To>(0, trait.satMode == AscendC::Reg::SatMode::SAT ? ACLSIM_REG_SAT : 0);
  if (From::REG_NUM == 2) form.flags |= ACLSIM_REG_TWICE;
  if (trait.mrgMode == AscendC::Reg::MaskMergeMode::MERGING) form.flags |= ACLSIM_REG_MERGES;
  form.source = form_of<From>(0).element;
  form.mode = trait.roundMode == RoundMode::UNKNOWN ? 0 : static_cast<uint8_t>(trait.roundMode);
  form.layout = trait.layoutMode == AscendC::Reg::RegLayout::UNKNOWN
                    ? 0
                    : static_cast<uint8_t>(trait.layoutMode);
  return form;
}

constexpr bool has_cast(uint8_t dst, uint8_t src) {
#define ACLSIM_CAST(to, from) \
  if (dst == ACLSIM_##to && src == ACLSIM_##from) return true;
  ACLSIM_REG_CASTS(ACLSIM_CAST)
#undef ACLSIM_CAST
  return false;
}

}  // namespace aclsim_reg

namespace AscendC {
namespace Reg {

template <typename T = DefaultType, typename U = DefaultType, const CastTrait& trait = castTrait,
          typename S, typename V, ACLSIM_IF_REG(S), ACLSIM_IF_REG(V)>
ACLSIM_THROUGH void Cast(S& dstReg, V& srcReg, MaskReg& mask) {
  static_assert(aclsim_reg::fits<T, S> && aclsim_reg::fits<U, V>,
                "AscendC::Reg::Cast: a type is not the type of its register");
  static_assert(aclsim_reg::has_cast(aclsim_element::of<typename S::ActualT>,
                                     aclsim_element::of<typename V::ActualT>),
                "AscendC::Reg::Cast: there is no such conversion (docs/kernel_functions.md)");
  constexpr aclsimRegForm kForm = aclsim_reg::cast_form<S, V>(trait);
  aclsimRegCast(kForm, dstReg.aclsim_bytes, srcReg.aclsim_bytes, &mask);
}

template <typename T = DefaultType, RoundMode roundMode = RoundMode::CAST_NONE,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, ACLSIM_IF_REG(S)>
ACLSIM_THROUGH void Truncate(S& dstReg, S& srcReg, MaskReg& mask) {
  ACLSIM_REG_TYPES(Truncate, T, S, F16_BF_F32);
  aclsimRegForm kForm = aclsim_reg::lanes_form<S>(ACLSIM_OP_Truncate, aclsim_reg::merges(mode));
  kForm.mode = static_cast<uint8_t>(roundMode);
  ACLSIM_REG_CALL(dstReg, srcReg.aclsim_bytes, nullptr, mask, 0);
}

/* ---- several steps ---- */

#define ACLSIM_REG_EXP_SUB(Name)                                                             \
  template <typename T = DefaultType, typename U = DefaultType,                              \
            RegLayout layout = RegLayout::ZERO, MaskMergeMode mode = MaskMergeMode::ZEROING, \
            typename S, typename V, ACLSIM_IF_REG(S), ACLSIM_IF_REG(V)>                      \
  ACLSIM_THROUGH void Name(S& dstReg, V& srcReg0, V& srcReg1, MaskReg& mask) {               \
    ACLSIM_REG_TYPES(Name, T, S, F32);                                                       \
    ACLSIM_REG_TYPES(Name, U, V, F16_F32);                                                   \
    S first;                                                                                 \
    S second;                                                                                \
    if constexpr (std::is_same_v<S, V>) {                                                    \
      Sub(first, srcReg0, srcReg1, mask);                                                    \
      Exp<T, mode>(dstReg, first, mask);                                                     \
    } else {                                                                                 \
      MaskReg wide = aclsim_reg::mask_of_layout(mask, static_cast<uint32_t>(layout));        \
      aclsim_reg::widen_layout<layout>(first, srcReg0, mask);                                \
      aclsim_reg::widen_layout<layout>(second, srcReg1, mask);                               \
      Sub(first, first, second, wide);                                                       \
      Exp<T, mode>(dstReg, first, wide);                                                     \
    }                                                                                        \
  }

}  // namespace Reg
}  // namespace AscendC

namespace aclsim_reg {

/* The lanes of a layout as lanes of 32 bits, from a mask for elements of 16 bits. */
ACLSIM_THROUGH MaskReg mask_of_layout(const MaskReg& mask, uint32_t layout) {
  MaskReg wide;
  for (uint32_t i = 0; i < 4; ++i) {
    wide.aclsim_bits[i] = mask.aclsim_bits[i] >> (2 * layout) & 0x1111111111111111ULL;
  }
  return wide;
}
template <AscendC::Reg::RegLayout layout>
inline constexpr AscendC::Reg::CastTrait widening = {layout, AscendC::Reg::SatMode::UNKNOWN,
                                                     AscendC::Reg::MaskMergeMode::ZEROING,
                                                     AscendC::RoundMode::UNKNOWN};
template <AscendC::Reg::RegLayout layout, typename S, typename V>
ACLSIM_THROUGH void widen_layout(S& dst, V& src, MaskReg& mask) {
  AscendC::Reg::Cast<AscendC::Reg::DefaultType, AscendC::Reg::DefaultType, widening<layout>>(
      dst, src, mask);
}
template <AscendC::Reg::RegLayout layout>
inline constexpr AscendC::Reg::CastTrait rounding = {layout, AscendC::Reg::SatMode::SAT,
                                                     AscendC::Reg::MaskMergeMode::ZEROING,
                                                     AscendC::RoundMode::CAST_ROUND};

}  // namespace aclsim_reg

namespace AscendC {
namespace Reg {

ACLSIM_REG_EXP_SUB(ExpSub)
ACLSIM_REG_EXP_SUB(FusedExpSub)
#undef ACLSIM_REG_EXP_SUB

template <typename T0 = DefaultType, typename T1 = DefaultType, typename T2,
          RegLayout layout = RegLayout::ZERO, typename T3, typename T4, ACLSIM_IF_REG(T3),
          ACLSIM_IF_REG(T4)>
ACLSIM_THROUGH void MulsCast(T3& dstReg, T4& srcReg, T2 scalarValue, MaskReg& mask) {
  ACLSIM_REG_TYPES(MulsCast, T0, T3, F16);
  ACLSIM_REG_TYPES(MulsCast, T1, T4, F32);
  T4 product;
  Muls(product, srcReg, scalarValue, mask);
  Cast<DefaultType, DefaultType, aclsim_reg::rounding<layout>>(dstReg, product, mask);
}

}  // namespace Reg
}  // namespace AscendC

#endif /* ASCENDC_IMPL_REG_LANES_H_ */
