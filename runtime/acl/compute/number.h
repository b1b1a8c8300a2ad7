// SPDX-License-Identifier: Apache-2.0
// The numbers that device memory holds, and how they become numbers of the host.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace acl {

/// IEEE 754 binary16, as bits.
struct Half {
  std::uint16_t bits;
};

/// The upper half of a float, as bits.
struct BFloat16 {
  std::uint16_t bits;
};

inline float to_float(BFloat16 value) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

inline float to_float(Half value) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000) << 16;
  const std::uint32_t exponent = value.bits >> 10 & 0x1f;
  const std::uint32_t fraction = value.bits & 0x3ff;
  if (exponent == 0x1f) {  // infinity or not a number
    return std::bit_cast<float>(sign | 0x7f800000 | fraction << 13);
  }
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return sign != 0 ? -magnitude : magnitude;
}

/// Rounds to nearest, ties to even; beyond the largest number lies infinity.
inline BFloat16 to_bfloat16(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return {static_cast<std::uint16_t>(bits >> 16 | 0x40)};
  return {static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

/// The same.
inline Half to_half(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
  const auto with_sign = [sign](std::uint32_t magnitude) {
    return Half{static_cast<std::uint16_t>(sign | magnitude)};
  };
  if (std::isnan(value)) return with_sign(0x7e00);
  const float magnitude = std::fabs(value);
  if (magnitude >= 65520.0f) return with_sign(0x7c00);
  if (magnitude < 0x1p-14f) {
    // Adding 0.5 leaves the multiples of 2^-24 in the last bits, rounded by the machine.
    return with_sign(std::bit_cast<std::uint32_t>(magnitude + 0.5f) - 0x3f000000);
  }
  const std::uint32_t rounded = (bits & 0x7fffffff) + 0xfff + (bits >> 13 & 1);
  return with_sign((rounded >> 13) - (112u << 10));
}

/// How numbers of a type are read and written: as Host they are calculated with.
template <class T>
struct Number {
  using Host = T;
  static Host read(T value) noexcept { return value; }
  static T write(Host value) noexcept { return value; }
};

template <>
struct Number<Half> {
  using Host = float;
  static float read(Half value) noexcept { return to_float(value); }
  static Half write(float value) noexcept { return to_half(value); }
};

template <>
struct Number<BFloat16> {
  using Host = float;
  static float read(BFloat16 value) noexcept { return to_float(value); }
  static BFloat16 write(float value) noexcept { return to_bfloat16(value); }
};

}  // namespace acl
