/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that fill registers, change the order of their lanes, or reduce them.
 */
#ifndef ASCENDC_IMPL_REG_ORDER_H_
#define ASCENDC_IMPL_REG_ORDER_H_

#include "ascendc/impl/reg_lanes.h"
#include "ascendc/impl/system.h"

namespace AscendC {
namespace Reg {

#define ACLSIM_REG_FITS(Name, T, U)     \
  static_assert(aclsim_reg::fits<T, U>, \
                "AscendC::Reg::" #Name ": T is not the type of the register")
#define ACLSIM_REG_ORDER_CALL(form, dst, src0, src1, mask, value) \
  aclsimRegOrder(form, (dst).aclsim_bytes, nullptr, src0, src1, mask, value)

/* ---- filling ---- */

template <typename T = DefaultType, typename U, typename S, ACLSIM_IF_REG(S),
          aclsim_reg::if_value<U> = 0>
ACLSIM_THROUGH void Duplicate(S& dstReg, U scalarValue) {
  ACLSIM_REG_FITS(Duplicate, T, S);
  constexpr aclsimRegForm kForm = aclsim_reg::form_of<S>(ACLSIM_REG_Fill);
  aclsimRegLanes(kForm, dstReg.aclsim_bytes, nullptr, nullptr, nullptr,
                 aclsim_reg::value_bits<typename S::ActualT>(scalarValue));
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U,
          typename S, ACLSIM_IF_REG(S), aclsim_reg::if_value<U> = 0>
ACLSIM_THROUGH void Duplicate(S& dstReg, U scalarValue, MaskReg& mask) {
  ACLSIM_REG_FITS(Duplicate, T, S);
  constexpr aclsimRegForm kForm =
      aclsim_reg::lanes_form<S>(ACLSIM_REG_Fill, aclsim_reg::merges(mode));
  aclsimRegLanes(kForm, dstReg.aclsim_bytes, nullptr, nullptr, &mask,
                 aclsim_reg::value_bits<typename S::ActualT>(scalarValue));
}
template <typename T = DefaultType, HighLowPart pos = HighLowPart::LOWEST,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, ACLSIM_IF_REG(S)>
ACLSIM_THROUGH void Duplicate(S& dstReg, S& srcReg, MaskReg& mask) {
  ACLSIM_REG_FITS(Duplicate, T, S);
  constexpr uint8_t kFlags = (aclsim_reg::merges(mode) ? ACLSIM_REG_MERGES : 0) |
                             (pos == HighLowPart::HIGHEST ? ACLSIM_REG_HIGHEST : 0);
  ACLSIM_REG_ORDER_CALL(aclsim_reg::form_of<S>(ACLSIM_REG_FIRST, kFlags), dstReg,
                        srcReg.aclsim_bytes, nullptr, &mask, 0);
}
template <typename T = DefaultType, IndexOrder order = IndexOrder::INCREASE_ORDER, typename U,
          typename S, ACLSIM_IF_REG(S)>
ACLSIM_THROUGH void Arange(S& dstReg, U scalarValue) {
  ACLSIM_REG_TYPES(Arange, T, S, INDEX);
  constexpr uint8_t kFlags = order == IndexOrder::DECREASE_ORDER ? ACLSIM_REG_DOWN : 0;
  ACLSIM_REG_ORDER_CALL(aclsim_reg::form_of<S>(ACLSIM_REG_ARANGE, kFlags), dstReg, nullptr, nullptr,
                        nullptr, aclsim_reg::value_bits<typename S::ActualT>(scalarValue));
}

/* ---- order ---- */

#define ACLSIM_REG_PAIR(Name, operation)                                                          \
  template <typename T = DefaultType, typename U, ACLSIM_IF_REG(U)>                               \
  ACLSIM_THROUGH void Name(U& dstReg0, U& dstReg1, U& srcReg0, U& srcReg1) {                      \
    ACLSIM_REG_FITS(Name, T, U);                                                                  \
    aclsimRegOrder(aclsim_reg::form_of<U>(operation), dstReg0.aclsim_bytes, dstReg1.aclsim_bytes, \
                   srcReg0.aclsim_bytes, srcReg1.aclsim_bytes, nullptr, 0);                       \
  }
ACLSIM_REG_PAIR(Interleave, ACLSIM_REG_INTERLEAVE)
ACLSIM_REG_PAIR(DeInterleave, ACLSIM_REG_DEINTERLEAVE)
#undef ACLSIM_REG_PAIR

template <typename T = DefaultType, typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void Select(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  ACLSIM_REG_FITS(Select, T, U);
  ACLSIM_REG_ORDER_CALL(aclsim_reg::form_of<U>(ACLSIM_REG_SELECT), dstReg, srcReg0.aclsim_bytes,
                        srcReg1.aclsim_bytes, &mask, 0);
}

#define ACLSIM_REG_COPY(Name)                                                                   \
  template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::MERGING, typename U,  \
            ACLSIM_IF_REG(U)>                                                                   \
  ACLSIM_THROUGH void Name(U& dstReg, U& srcReg, MaskReg mask) {                                \
    ACLSIM_REG_FITS(Name, T, U);                                                                \
    constexpr uint8_t kFlags = aclsim_reg::merges(mode) ? ACLSIM_REG_MERGES : 0;                \
    ACLSIM_REG_ORDER_CALL(aclsim_reg::form_of<U>(ACLSIM_REG_MOVE, kFlags), dstReg,              \
                          srcReg.aclsim_bytes, nullptr, &mask, 0);                              \
  }                                                                                             \
  template <typename T = DefaultType, typename U, ACLSIM_IF_REG(U)>                             \
  ACLSIM_THROUGH void Name(U& dstReg, U& srcReg) {                                              \
    ACLSIM_REG_FITS(Name, T, U);                                                                \
    ACLSIM_REG_ORDER_CALL(aclsim_reg::form_of<U>(ACLSIM_REG_MOVE), dstReg, srcReg.aclsim_bytes, \
                          nullptr, nullptr, 0);                                                 \
  }
ACLSIM_REG_COPY(Move)
ACLSIM_REG_COPY(Copy)
#undef ACLSIM_REG_COPY

template <typename T = DefaultType, GatherMaskMode store = GatherMaskMode::NO_STORE_REG, typename U,
          ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void Squeeze(U& dstReg, U& srcReg, MaskReg& mask) {
  ACLSIM_REG_TYPES(Squeeze, T, U, SQUEEZED);
  constexpr uint16_t kOperation =
      store == GatherMaskMode::STORE_REG ? ACLSIM_REG_SQUEEZE_STORED : ACLSIM_REG_SQUEEZE;
  ACLSIM_REG_ORDER_CALL(aclsim_reg::form_of<U>(kOperation), dstReg, srcReg.aclsim_bytes, nullptr,
                        &mask, 0);
}
template <typename T = DefaultType, typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void Unsqueeze(U& dstReg, MaskReg& mask) {
  ACLSIM_REG_TYPES(Unsqueeze, T, U, INTS_TO_32);
  ACLSIM_REG_ORDER_CALL(aclsim_reg::form_of<U>(ACLSIM_REG_UNSQUEEZE), dstReg, nullptr, nullptr,
                        &mask, 0);
}
template <SpecialPurposeReg spr>
ACLSIM_THROUGH void ClearSpr() {
  AscendC::ClearSpr<spr>();
}

/* By the lanes of a register of indices. */
template <typename T = DefaultType, typename U = DefaultType, typename S, typename V,
          ACLSIM_IF_REG(S), ACLSIM_IF_REG(V)>
ACLSIM_THROUGH void Gather(S& dstReg, S& srcReg, V& indexReg) {
  static_assert(sizeof(typename S::ActualT) == sizeof(typename V::ActualT),
                "AscendC::Reg::Gather: the indices and the elements differ in size");
  ACLSIM_REG_ORDER_CALL(aclsim_reg::form_of<S>(ACLSIM_REG_GATHER), dstReg, srcReg.aclsim_bytes,
                        indexReg.aclsim_bytes, nullptr, 0);
}

template <typename T = DefaultType, typename U = DefaultType,
          HighLowPart part = HighLowPart::LOWEST, typename S, typename V, ACLSIM_IF_REG(S),
          ACLSIM_IF_REG(V)>
ACLSIM_THROUGH void Pack(S& dstReg, V& srcReg) {
  static_assert(sizeof(typename V::ActualT) == 2 * sizeof(typename S::ActualT),
                "AscendC::Reg::Pack: the destination has half the size of the source");
  aclsimRegForm form = aclsim_reg::form_of<S>(
      ACLSIM_REG_PACK, part == HighLowPart::HIGHEST ? ACLSIM_REG_HIGHEST : 0);
  form.source = aclsim_reg::form_of<V>(0).element;
  ACLSIM_REG_ORDER_CALL(form, dstReg, srcReg.aclsim_bytes, nullptr, nullptr, 0);
}
template <typename T = DefaultType, typename U = DefaultType,
          HighLowPart part = HighLowPart::LOWEST, typename S, typename V, ACLSIM_IF_REG(S),
          ACLSIM_IF_REG(V)>
ACLSIM_THROUGH void UnPack(S& dstReg, V& srcReg) {
  static_assert(sizeof(typename S::ActualT) == 2 * sizeof(typename V::ActualT),
                "AscendC::Reg::UnPack: the destination has twice the size of the source");
  aclsimRegForm form = aclsim_reg::form_of<S>(
      ACLSIM_REG_UNPACK, part == HighLowPart::HIGHEST ? ACLSIM_REG_HIGHEST : 0);
  form.source = aclsim_reg::form_of<V>(0).element;
  ACLSIM_REG_ORDER_CALL(form, dstReg, srcReg.aclsim_bytes, nullptr, nullptr, 0);
}

template <typename T = DefaultType, typename U = DefaultType, HistogramsBinType mode,
          HistogramsType type, typename S, typename V, ACLSIM_IF_REG(S), ACLSIM_IF_REG(V)>
ACLSIM_THROUGH void Histograms(V& dstReg, S& srcReg, MaskReg& mask) {
  static_assert(
      std::is_same_v<typename S::ActualT, uint8_t> && std::is_same_v<typename V::ActualT, uint16_t>,
      "AscendC::Reg::Histograms: expected uint8_t, counted in uint16_t");
  static_assert(mode == HistogramsBinType::BIN0 || mode == HistogramsBinType::BIN1,
                "AscendC::Reg::Histograms: expected BIN0 or BIN1");
  aclsimRegForm form = aclsim_reg::form_of<V>(ACLSIM_REG_HISTOGRAM);
  form.mode = static_cast<uint8_t>(type);
  form.layout = static_cast<uint8_t>(mode);
  ACLSIM_REG_ORDER_CALL(form, dstReg, srcReg.aclsim_bytes, nullptr, &mask, 0);
}

/* ---- reductions ---- */

}  // namespace Reg
}  // namespace AscendC

namespace aclsim_reg {

template <typename S, typename V>
ACLSIM_THROUGH void reduce(uint16_t operation, AscendC::Reg::ReduceType type, bool keeps, S& dst,
                           const V& src, MaskReg& mask) {
  aclsimRegForm form = form_of<S>(operation, keeps ? ACLSIM_REG_MERGES : 0);
  form.source = form_of<V>(0).element;
  form.mode = static_cast<uint8_t>(type);
  aclsimRegReduce(form, dst.aclsim_bytes, src.aclsim_bytes, &mask);
}
template <typename S, typename V>
constexpr bool reduces(bool sums) {
  using T = typename S::ActualT;
  using U = typename V::ActualT;
  if (!std::is_same_v<T, U>) {
    return sums && ((std::is_same_v<T, int32_t> && std::is_same_v<U, int16_t>) ||
                    (std::is_same_v<T, uint32_t> && std::is_same_v<U, uint16_t>));
  }
  return sums ? in_set<S>(ACLSIM_SET_OF(SUMS)) : in_set<S>(ACLSIM_SET_OF(B16_B64_NO_BF));
}

}  // namespace aclsim_reg

namespace AscendC {
namespace Reg {

#define ACLSIM_REG_REDUCTION(Name, type)                            \
  static_assert(aclsim_reg::reduces<S, V>(type == ReduceType::SUM), \
                "AscendC::Reg::" #Name                              \
                ": there is no such reduction of these types "      \
                "(docs/kernel_functions.md)")
template <ReduceType type = ReduceType::SUM, typename T = DefaultType, typename U = DefaultType,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V, ACLSIM_IF_REG(S)>
ACLSIM_THROUGH void Reduce(S& dstReg, const V& srcReg, MaskReg mask) {
  ACLSIM_REG_REDUCTION(Reduce, type);
  aclsim_reg::reduce(ACLSIM_OP_ReduceSum, type, aclsim_reg::merges(mode), dstReg, srcReg, mask);
}
template <ReduceType type = ReduceType::SUM, typename T = DefaultType, typename U = DefaultType,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V, ACLSIM_IF_REG(S)>
ACLSIM_THROUGH void ReduceDataBlock(S& dstReg, const V& srcReg, MaskReg mask) {
  ACLSIM_REG_REDUCTION(ReduceDataBlock, type);
  aclsim_reg::reduce(ACLSIM_OP_ReduceDataBlock, type, aclsim_reg::merges(mode), dstReg, srcReg,
                     mask);
}
template <ReduceType type = ReduceType::SUM, typename T = DefaultType,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void ReduceDataBlock(U& dstReg, const U& srcReg, MaskReg mask) {
  ReduceDataBlock<type, DefaultType, DefaultType, mode, U, U>(dstReg, srcReg, mask);
}
template <PairReduce type = PairReduce::SUM, typename T = DefaultType,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void PairReduceElem(U& dstReg, const U& srcReg, MaskReg mask) {
  ACLSIM_REG_TYPES(PairReduceElem, T, U, F16_F32);
  aclsim_reg::reduce(ACLSIM_OP_ReducePairElem, ReduceType::SUM, aclsim_reg::merges(mode), dstReg,
                     srcReg, mask);
}

/* Names of the first generation. */
#define ACLSIM_REG_REDUCE_NAME(Name, Now, type)                                                    \
  template <typename T = DefaultType, typename U = DefaultType,                                    \
            MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V, ACLSIM_IF_REG(S)> \
  ACLSIM_THROUGH void Name(S& dstReg, const V& srcReg, MaskReg mask) {                             \
    Now<ReduceType::type, DefaultType, DefaultType, mode, S, V>(dstReg, srcReg, mask);             \
  }                                                                                                \
  template <typename T = DefaultType, MaskMergeMode mode, typename S, typename V,                  \
            ACLSIM_IF_REG(S)>                                                                      \
  ACLSIM_THROUGH void Name(S& dstReg, const V& srcReg, MaskReg mask) {                             \
    Now<ReduceType::type, DefaultType, DefaultType, mode, S, V>(dstReg, srcReg, mask);             \
  }
ACLSIM_REG_REDUCE_NAME(ReduceSum, Reduce, SUM)
ACLSIM_REG_REDUCE_NAME(ReduceMax, Reduce, MAX)
ACLSIM_REG_REDUCE_NAME(ReduceMin, Reduce, MIN)
ACLSIM_REG_REDUCE_NAME(ReduceSumWithDataBlock, ReduceDataBlock, SUM)
ACLSIM_REG_REDUCE_NAME(ReduceMaxWithDataBlock, ReduceDataBlock, MAX)
ACLSIM_REG_REDUCE_NAME(ReduceMinWithDataBlock, ReduceDataBlock, MIN)
#undef ACLSIM_REG_REDUCE_NAME
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U,
          ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void PairReduceSum(U& dstReg, const U& srcReg, MaskReg mask) {
  PairReduceElem<PairReduce::SUM, DefaultType, mode>(dstReg, srcReg, mask);
}

#define ACLSIM_MASK_NAME(Name, Now)                                                     \
  ACLSIM_THROUGH void Name(MaskReg& dst, MaskReg& src0, MaskReg& src1, MaskReg& mask) { \
    Now(dst, src0, src1, mask);                                                         \
  }
ACLSIM_MASK_NAME(MaskAnd, And)
ACLSIM_MASK_NAME(MaskOr, Or)
ACLSIM_MASK_NAME(MaskXor, Xor)
ACLSIM_MASK_NAME(MaskSel, Select)
#undef ACLSIM_MASK_NAME
ACLSIM_THROUGH void MaskNot(MaskReg& dst, MaskReg& src, MaskReg& mask) { Not(dst, src, mask); }
ACLSIM_THROUGH void MaskMov(MaskReg& dst, MaskReg& src, MaskReg& mask) { Move(dst, src, mask); }
ACLSIM_THROUGH void MaskMov(MaskReg& dst, MaskReg& src) { dst = src; }
template <typename T>
ACLSIM_THROUGH void MaskInterleave(MaskReg& dst0, MaskReg& dst1, MaskReg& src0, MaskReg& src1) {
  Interleave<T>(dst0, dst1, src0, src1);
}
template <typename T>
ACLSIM_THROUGH void MaskDeInterleave(MaskReg& dst0, MaskReg& dst1, MaskReg& src0, MaskReg& src1) {
  DeInterleave<T>(dst0, dst1, src0, src1);
}
template <HighLowPart part = HighLowPart::LOWEST>
ACLSIM_THROUGH void MaskPack(MaskReg& dst, MaskReg& src) {
  Pack<part>(dst, src);
}
template <HighLowPart part = HighLowPart::LOWEST>
ACLSIM_THROUGH void MaskUnPack(MaskReg& dst, MaskReg& src) {
  UnPack<part>(dst, src);
}
template <typename T>
ACLSIM_THROUGH MaskReg GetMaskSpr() {
  return MoveMask<T>();
}

}  // namespace Reg
}  // namespace AscendC

#endif /* ASCENDC_IMPL_REG_ORDER_H_ */
