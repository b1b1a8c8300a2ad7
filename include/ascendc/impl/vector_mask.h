/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mask register and the control register.
 */
#ifndef ASCENDC_IMPL_VECTOR_MASK_H_
#define ASCENDC_IMPL_VECTOR_MASK_H_

#include "ascendc/impl/vector_issue.h"

namespace aclsim_vector {

inline void set_mask(const void* site, uint64_t low, uint64_t high) {
  Issue issue(ACLSIM_OP_SetVectorMask, site);
  issue.instruction.mask[0] = low;
  issue.instruction.mask[1] = high;
  issue.go();
}

}  // namespace aclsim_vector

namespace AscendC {

ACLSIM_API inline void SetMaskCount() {
  aclsim_vector::Issue(ACLSIM_OP_SetMaskMode, ACLSIM_SITE).mode(1).go();
}
ACLSIM_API inline void SetMaskNorm() {
  aclsim_vector::Issue(ACLSIM_OP_SetMaskMode, ACLSIM_SITE).mode(0).go();
}
template <typename T, MaskMode mode = MaskMode::NORMAL>
ACLSIM_API void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow) {
  aclsim_vector::set_mask(ACLSIM_SITE, maskLow, maskHigh);
}
template <typename T, MaskMode mode = MaskMode::NORMAL>
ACLSIM_API void SetVectorMask(int32_t len) {
  const uint64_t lanes = len < 0 ? 0 : static_cast<uint64_t>(len);
  if constexpr (mode == MaskMode::COUNTER) {
    aclsim_vector::set_mask(ACLSIM_SITE, lanes, 0);
  } else {
    const uint64_t low = lanes >= 64 ? ~0ULL : (1ULL << lanes) - 1;
    const uint64_t high = lanes >= 128 ? ~0ULL : lanes <= 64 ? 0 : (1ULL << (lanes - 64)) - 1;
    aclsim_vector::set_mask(ACLSIM_SITE, low, high);
  }
}
ACLSIM_API inline void ResetMask() { aclsim_vector::set_mask(ACLSIM_SITE, ~0ULL, ~0ULL); }

/* Bit 48 of the control register: 1 lets half and bfloat16_t results become infinities, 0 makes
 * them the largest number. */
ACLSIM_API inline void SetOverflow(uint64_t ctrlValue) {
  aclsim_vector::Issue(ACLSIM_OP_SetControl, ACLSIM_SITE)
      .bits(ctrlValue == 1 ? 1 : 0)
      .bits(48)
      .bits(48)
      .go();
}

int64_t GetGatherMaskRemainCount();

/* Older names of functions. */
class AscendCUtils {
 public:
  /* Elements of a block of 32 bytes. */
  static constexpr int32_t GetC0Count(int32_t dtypeSize) { return 32 / dtypeSize; }
  ACLSIM_THROUGH static int64_t GetRsvdCnt() { return GetGatherMaskRemainCount(); }
  ACLSIM_THROUGH static void SetOverflow(uint64_t ctrlValue) { AscendC::SetOverflow(ctrlValue); }
  template <typename T, bool isSetMask = true>
  ACLSIM_THROUGH static void SetMask(const uint64_t& maskHigh, const uint64_t& maskLow) {
    if constexpr (isSetMask) SetVectorMask<T>(maskHigh, maskLow);
  }
  template <typename T, bool isSetMask = true>
  ACLSIM_THROUGH static void SetMask(int32_t len) {
    if constexpr (isSetMask) SetVectorMask<T>(len);
  }
  template <bool isSetMask = true>
  ACLSIM_THROUGH static void ResetMask() {
    if constexpr (isSetMask) AscendC::ResetMask();
  }
};

template <int8_t startBit, int8_t endBit>
ACLSIM_API void SetCtrlSpr(int64_t value) {
  static_assert(startBit >= 0 && startBit <= endBit && endBit < 64,
                "AscendC::SetCtrlSpr: bits 0 to 63, the first not after the last");
  aclsim_vector::Issue(ACLSIM_OP_SetControl, ACLSIM_SITE)
      .bits(static_cast<uint64_t>(value))
      .bits(startBit)
      .bits(endBit)
      .go();
}
template <int8_t startBit, int8_t endBit>
ACLSIM_API int64_t GetCtrlSpr() {
  static_assert(startBit >= 0 && startBit <= endBit && endBit < 64,
                "AscendC::GetCtrlSpr: bits 0 to 63, the first not after the last");
  aclsimAnswer answer = {};
  aclsim_vector::Issue(ACLSIM_OP_GetControl, ACLSIM_SITE)
      .bits(0)
      .bits(startBit)
      .bits(endBit)
      .more(&answer)
      .go();
  return static_cast<int64_t>(answer.value[0]);
}
/* After a reset bit 48 is 0: results that are too large for half and bfloat16_t become the largest
   number. Bit 60 of architecture 3510 is 1: the bits hold for all instructions. */
template <int8_t startBit, int8_t endBit>
ACLSIM_API void ResetCtrlSpr() {
  aclsim_vector::Issue(ACLSIM_OP_SetControl, ACLSIM_SITE)
      .bits(ACLSIM_CONTROL_AT_START(ACLSIM_NPU_ARCH) >> startBit)
      .bits(startBit)
      .bits(endBit)
      .go();
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_VECTOR_MASK_H_ */
