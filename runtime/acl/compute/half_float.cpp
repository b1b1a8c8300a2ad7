// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/compute/half_float.h"

#include <bit>
#include <cmath>

namespace acl {
namespace {

constexpr int kFractionBits = 10;
constexpr int kLeastExponent = -14;
constexpr std::uint32_t kLargest = 0x7bff;

}  // namespace

float widen_half(std::uint16_t bits) noexcept {
  const int exponent = (bits >> kFractionBits) & 0x1f;
  const int fraction = bits & 0x3ff;
  const bool subnormal = exponent == 0;
  const float magnitude = std::ldexp(static_cast<float>(subnormal ? fraction : fraction + 0x400),
                                     (subnormal ? 1 : exponent) - 15 - kFractionBits);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

std::uint16_t narrow_to_half(float value) noexcept {
  const std::uint32_t sign = (std::bit_cast<std::uint32_t>(value) >> 16) & 0x8000;
  const float magnitude = std::fabs(value);
  if (!(magnitude < 65520.0F)) return static_cast<std::uint16_t>(sign | kLargest);
  int exponent = kLeastExponent;
  if (magnitude >= 0x1p-14F) exponent = std::ilogb(magnitude);
  // Units of the last place; a carry moves into the exponent by itself.
  const auto units =
      static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, kFractionBits - exponent)));
  const auto biased = static_cast<std::uint32_t>(exponent - kLeastExponent);
  return static_cast<std::uint16_t>(sign | (units + (biased << kFractionBits)));
}

}  // namespace acl
