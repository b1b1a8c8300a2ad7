/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C++ types as aclsimElement, and the types of less than a byte.
 */
#ifndef ASCENDC_IMPL_ELEMENT_H_
#define ASCENDC_IMPL_ELEMENT_H_

#include <cstdint>
#include <type_traits>

#include "ascendc/impl/half.h"
#include "ascendc/impl/instruction.h"
#include "ascendc/impl/narrow.h"

/* Two of them in a byte, the first in the low bits. Alone it takes a byte, as the number that it
 * is. */
struct int4b_t {
  int8_t aclsim_value;
  int4b_t() = default;
  constexpr int4b_t(int value) : aclsim_value(static_cast<int8_t>(((value & 0xF) ^ 0x8) - 0x8)) {}
  constexpr operator int() const { return aclsim_value; }
  static int4b_t aclsim_nibble(const uint8_t* byte, uint32_t high) {
    return int4b_t((*byte >> (high * 4)) & 0xF);
  }
  static void aclsim_put(uint8_t* byte, uint32_t high, int4b_t value) {
    const uint8_t kept = static_cast<uint8_t>(*byte & (high ? 0x0F : 0xF0));
    *byte = static_cast<uint8_t>(kept | ((value.aclsim_value & 0xF) << (high * 4)));
  }
};

namespace AscendC {
using ::bfloat16_t;
using ::fp4x2_e1m2_t;
using ::fp4x2_e2m1_t;
using ::fp8_e4m3fn_t;
using ::fp8_e5m2_t;
using ::fp8_e8m0_t;
using ::half;
using ::hifloat8_t;
using ::int4b_t;
using ::int4x2_t;
}  // namespace AscendC

namespace aclsim_element {

template <typename T>
inline constexpr uint8_t narrow = ACLSIM_OTHER_ELEMENT;
template <>
inline constexpr uint8_t narrow<fp8_e4m3fn_t> = ACLSIM_FP8_E4M3FN;
template <>
inline constexpr uint8_t narrow<fp8_e5m2_t> = ACLSIM_FP8_E5M2;
template <>
inline constexpr uint8_t narrow<fp8_e8m0_t> = ACLSIM_FP8_E8M0;
template <>
inline constexpr uint8_t narrow<hifloat8_t> = ACLSIM_HIFLOAT8;
template <>
inline constexpr uint8_t narrow<fp4x2_e1m2_t> = ACLSIM_FP4_E1M2;
template <>
inline constexpr uint8_t narrow<fp4x2_e2m1_t> = ACLSIM_FP4_E2M1;
template <>
inline constexpr uint8_t narrow<int4x2_t> = ACLSIM_INT4X2;

template <typename T>
constexpr uint8_t find() {
  if constexpr (std::is_same_v<T, bool>)
    return ACLSIM_BOOL;
  else if constexpr (std::is_same_v<T, int4b_t>)
    return ACLSIM_INT4;
  else if constexpr (std::is_same_v<T, half>)
    return ACLSIM_HALF;
  else if constexpr (std::is_same_v<T, bfloat16_t>)
    return ACLSIM_BFLOAT16;
  else if constexpr (std::is_same_v<T, float>)
    return ACLSIM_FLOAT;
  else if constexpr (std::is_same_v<T, double>)
    return ACLSIM_DOUBLE;
  else if constexpr (std::is_integral_v<T> && sizeof(T) == 1) {
    return std::is_signed_v<T> ? ACLSIM_INT8 : ACLSIM_UINT8;
  } else if constexpr (std::is_integral_v<T> && sizeof(T) == 2) {
    return std::is_signed_v<T> ? ACLSIM_INT16 : ACLSIM_UINT16;
  } else if constexpr (std::is_integral_v<T> && sizeof(T) == 4) {
    return std::is_signed_v<T> ? ACLSIM_INT32 : ACLSIM_UINT32;
  } else if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    return std::is_signed_v<T> ? ACLSIM_INT64 : ACLSIM_UINT64;
  } else {
    return narrow<T>;
  }
}

template <typename T>
inline constexpr uint8_t of = find<std::remove_cv_t<T>>();

template <typename T>
inline constexpr uint32_t per_byte = of<T> == ACLSIM_INT4 || of<T> >= ACLSIM_FP4_E1M2 ? 2 : 1;

}  // namespace aclsim_element

#endif /* ASCENDC_IMPL_ELEMENT_H_ */
