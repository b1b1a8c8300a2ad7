/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Masks of register functions.
 */
#ifndef ASCENDC_IMPL_REG_MASK_H_
#define ASCENDC_IMPL_REG_MASK_H_

#include "ascendc/impl/reg_call.h"
#include "ascendc/impl/reg_types.h"

namespace aclsim_reg {

using AscendC::Reg::MaskReg;

/* The bits of a mask for each element. Two registers have twice as many elements. */
template <typename T, const AscendC::Reg::RegTrait& trait>
constexpr uint32_t bits_of_lane = static_cast<uint32_t>(sizeof(T)) / trait.REG_NUM;

constexpr uint64_t lowest_bits(uint32_t stride) {
  return stride == 1   ? ~0ULL
         : stride == 2 ? 0x5555555555555555ULL
         : stride == 4 ? 0x1111111111111111ULL
                       : 0x0101010101010101ULL;
}

/* The first `count` lanes. */
ACLSIM_THROUGH MaskReg first_lanes(uint32_t count, uint32_t stride) {
  MaskReg mask;
  const uint64_t lowest = lowest_bits(stride);
  uint64_t bits = static_cast<uint64_t>(count) * stride;
  for (uint64_t& word : mask.aclsim_bits) {
    word = bits >= 64 ? lowest : lowest & ((1ULL << bits) - 1);
    bits = bits >= 64 ? bits - 64 : 0;
  }
  return mask;
}
/* Every `step`-th lane. */
inline MaskReg each_lane(uint32_t step, uint32_t stride) {
  MaskReg mask = {};
  for (uint32_t bit = 0; bit < 256; bit += step * stride) {
    mask.aclsim_bits[bit / 64] |= 1ULL << bit % 64;
  }
  return mask;
}

constexpr uint32_t lanes_of_pattern(AscendC::Reg::MaskPattern pattern, uint32_t all) {
  using AscendC::Reg::MaskPattern;
  uint32_t count = all;
  switch (pattern) {
    case MaskPattern::VL1:
      count = 1;
      break;
    case MaskPattern::VL2:
      count = 2;
      break;
    case MaskPattern::VL3:
      count = 3;
      break;
    case MaskPattern::VL4:
      count = 4;
      break;
    case MaskPattern::VL8:
      count = 8;
      break;
    case MaskPattern::VL16:
      count = 16;
      break;
    case MaskPattern::VL32:
      count = 32;
      break;
    case MaskPattern::VL64:
      count = 64;
      break;
    case MaskPattern::VL128:
      count = 128;
      break;
    case MaskPattern::H:
      count = all / 2;
      break;
    case MaskPattern::Q:
      count = all / 4;
      break;
    case MaskPattern::ALLF:
      count = 0;
      break;
    default:
      break;
  }
  return count < all ? count : all;
}

template <typename T>
constexpr aclsimRegForm mask_form(uint16_t operation, bool highest = false) {
  aclsimRegForm form{};
  form.operation = operation;
  form.element = sizeof(T);
  form.flags = highest ? ACLSIM_REG_HIGHEST : 0;
  return form;
}

}  // namespace aclsim_reg

namespace AscendC {
namespace Reg {

template <typename T, MaskPattern mode = MaskPattern::ALL,
          const RegTrait& regTrait = RegTraitNumOne>
ACLSIM_THROUGH MaskReg CreateMask() {
  constexpr uint32_t kStride = aclsim_reg::bits_of_lane<T, regTrait>;
  if constexpr (mode == MaskPattern::M3 || mode == MaskPattern::M4) {
    return aclsim_reg::each_lane(mode == MaskPattern::M3 ? 3 : 4, kStride);
  } else {
    return aclsim_reg::first_lanes(aclsim_reg::lanes_of_pattern(mode, 256 / kStride), kStride);
  }
}

/* The first `scalarValue` lanes; the value then counts the lanes that are left. */
template <typename T, const RegTrait& regTrait = RegTraitNumOne>
ACLSIM_THROUGH MaskReg UpdateMask(uint32_t& scalarValue) {
  constexpr uint32_t kStride = aclsim_reg::bits_of_lane<T, regTrait>;
  constexpr uint32_t kLanes = 256 / kStride;
  const MaskReg mask = aclsim_reg::first_lanes(scalarValue, kStride);
  scalarValue = scalarValue < kLanes ? 0 : scalarValue - kLanes;
  return mask;
}

/* The register that SetVectorMask sets. */
template <typename T>
ACLSIM_THROUGH MaskReg MoveMask() {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4,
                "AscendC::Reg::MoveMask: expected elements of 2 or 4 bytes");
  MaskReg mask;
  aclsimMaskKept(&mask, sizeof(T));
  return mask;
}

#define ACLSIM_MASK_OPERATION(Name, expression)                                         \
  ACLSIM_THROUGH void Name(MaskReg& dst, MaskReg& src0, MaskReg& src1, MaskReg& mask) { \
    for (uint32_t i = 0; i < 4; ++i) {                                                  \
      const uint64_t a = src0.aclsim_bits[i];                                           \
      const uint64_t b = src1.aclsim_bits[i];                                           \
      dst.aclsim_bits[i] = (expression)&mask.aclsim_bits[i];                            \
    }                                                                                   \
  }
ACLSIM_MASK_OPERATION(And, a& b)
ACLSIM_MASK_OPERATION(Or, a | b)
ACLSIM_MASK_OPERATION(Xor, a ^ b)
#undef ACLSIM_MASK_OPERATION

ACLSIM_THROUGH void Not(MaskReg& dst, MaskReg& src, MaskReg& mask) {
  for (uint32_t i = 0; i < 4; ++i) {
    dst.aclsim_bits[i] = ~src.aclsim_bits[i] & mask.aclsim_bits[i];
  }
}
ACLSIM_THROUGH void Move(MaskReg& dst, MaskReg& src, MaskReg& mask) {
  for (uint32_t i = 0; i < 4; ++i) {
    dst.aclsim_bits[i] = src.aclsim_bits[i] & mask.aclsim_bits[i];
  }
}
ACLSIM_THROUGH void Move(MaskReg& dst, MaskReg& src) { dst = src; }
ACLSIM_THROUGH void Select(MaskReg& dst, MaskReg& src0, MaskReg& src1, MaskReg& mask) {
  for (uint32_t i = 0; i < 4; ++i) {
    const uint64_t on = mask.aclsim_bits[i];
    dst.aclsim_bits[i] = (src0.aclsim_bits[i] & on) | (src1.aclsim_bits[i] & ~on);
  }
}

template <typename T>
ACLSIM_THROUGH void Interleave(MaskReg& dst0, MaskReg& dst1, MaskReg& src0, MaskReg& src1) {
  aclsimMaskOrder(aclsim_reg::mask_form<T>(ACLSIM_REG_INTERLEAVE), &dst0, &dst1, &src0, &src1);
}
template <typename T>
ACLSIM_THROUGH void DeInterleave(MaskReg& dst0, MaskReg& dst1, MaskReg& src0, MaskReg& src1) {
  aclsimMaskOrder(aclsim_reg::mask_form<T>(ACLSIM_REG_DEINTERLEAVE), &dst0, &dst1, &src0, &src1);
}
template <HighLowPart part = HighLowPart::LOWEST>
ACLSIM_THROUGH void Pack(MaskReg& dst, MaskReg& src) {
  aclsimMaskOrder(aclsim_reg::mask_form<uint8_t>(ACLSIM_REG_PACK, part == HighLowPart::HIGHEST),
                  &dst, nullptr, &src, nullptr);
}
template <HighLowPart part = HighLowPart::LOWEST>
ACLSIM_THROUGH void UnPack(MaskReg& dst, MaskReg& src) {
  aclsimMaskOrder(aclsim_reg::mask_form<uint8_t>(ACLSIM_REG_UNPACK, part == HighLowPart::HIGHEST),
                  &dst, nullptr, &src, nullptr);
}

/* One bit for each lane, from the block of that number in a register. */
template <typename T = DefaultType, int16_t offset, typename U>
ACLSIM_THROUGH void MaskGenWithRegTensor(MaskReg& dst, U& srcReg) {
  constexpr uint32_t kBytes = sizeof(typename U::ActualT);
  static_assert(aclsim_reg::fits<T, U>,
                "AscendC::Reg::MaskGenWithRegTensor: T is not the type of the register");
  static_assert(kBytes == 2 || kBytes == 4,
                "AscendC::Reg::MaskGenWithRegTensor: expected elements of 2 or 4 bytes");
  static_assert(offset >= 0 && offset < static_cast<int16_t>(8 * kBytes),
                "AscendC::Reg::MaskGenWithRegTensor: offset is too large");
  aclsimMaskFrom(&dst, srcReg.aclsim_bytes + offset * (32 / kBytes), kBytes);
}

template <MemType src, MemType dst>
ACLSIM_THROUGH void LocalMemBar() {
  aclsimRegBarrier(static_cast<uint32_t>(src), static_cast<uint32_t>(dst));
}

template <typename T>
ACLSIM_THROUGH AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0) {
  return {uint64_t{index0} * stride0};
}
template <typename T>
ACLSIM_THROUGH AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0, uint16_t index1,
                                     uint32_t stride1) {
  return {uint64_t{index0} * stride0 + uint64_t{index1} * stride1};
}
template <typename T>
ACLSIM_THROUGH AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0, uint16_t index1,
                                     uint32_t stride1, uint16_t index2, uint32_t stride2) {
  return {uint64_t{index0} * stride0 + uint64_t{index1} * stride1 + uint64_t{index2} * stride2};
}
template <typename T>
ACLSIM_THROUGH AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0, uint16_t index1,
                                     uint32_t stride1, uint16_t index2, uint32_t stride2,
                                     uint16_t index3, uint32_t stride3) {
  return {uint64_t{index0} * stride0 + uint64_t{index1} * stride1 + uint64_t{index2} * stride2 +
          uint64_t{index3} * stride3};
}

}  // namespace Reg
}  // namespace AscendC

#endif /* ASCENDC_IMPL_REG_MASK_H_ */
