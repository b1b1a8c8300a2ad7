// SPDX-License-Identifier: Apache-2.0
// Conversions from and to numbers of 8 and 4 bits. They are built once, for any machine: they use
// the inline functions of narrow.h.
#define ACLSIM_LOOPS narrow
#include <array>

#include "ascendc/impl/instruction.h"
#include "ascendc/impl/narrow.h"
#include "runtime/ascendc/vector/loop_formats.h"

namespace ascendc::vector {
namespace narrow {
namespace {

using Codes = std::array<float, 256>;

constexpr std::uint32_t kInfinityBits = 0x7f800000U;

/// aclsim_narrow::encode in its mode to nearest even, without branches. The format is a constant.
template <const aclsim_narrow::Format& format>
std::uint8_t nearest(float value, bool saturate) {
  constexpr int kDrop = 23 - format.mantissa_bits;
  constexpr std::uint32_t kLeastNormal = static_cast<std::uint32_t>(128 - format.bias) << 23;
  // A float whose last digit counts units of the format's least number.
  constexpr float kUnits = aclsim_narrow::power(24 - format.bias - format.mantissa_bits);
  const std::uint32_t bits = as<std::uint32_t>(value);
  const std::uint32_t size = bits & 0x7fffffffU;
  const std::uint32_t sign = bits >> 31 << 7;
  const std::uint32_t rounded = size + (1U << (kDrop - 1)) - 1U + (size >> kDrop & 1U);
  const std::uint32_t normal =
      (rounded >> kDrop) - (static_cast<std::uint32_t>(127 - format.bias) << format.mantissa_bits);
  const std::uint32_t small =
      as<std::uint32_t>(as<float>(size) + kUnits) - as<std::uint32_t>(kUnits);
  std::uint32_t code = size < kLeastNormal ? small : normal;
  code = code > format.most ? (saturate ? format.most : format.overflow) : code;
  code = size > kInfinityBits ? format.nan : code;
  return static_cast<std::uint8_t>(size > kInfinityBits && saturate ? 0U : sign | code);
}

struct E4M3 {
  static constexpr float value(std::uint8_t code) {
    return aclsim_narrow::decode(aclsim_narrow::kE4M3, code);
  }
  static std::uint8_t code(float value, bool saturate) {
    return nearest<aclsim_narrow::kE4M3>(value, saturate);
  }
};
struct E5M2 {
  static constexpr float value(std::uint8_t code) {
    return aclsim_narrow::decode(aclsim_narrow::kE5M2, code);
  }
  static std::uint8_t code(float value, bool saturate) {
    return nearest<aclsim_narrow::kE5M2>(value, saturate);
  }
};
struct Hifloat8 {
  static constexpr float value(std::uint8_t code) { return aclsim_narrow::decode_hifloat8(code); }
};
struct E2M1 {
  static constexpr const aclsim_narrow::Format& kFormat = aclsim_narrow::kE2M1;
  static constexpr float value(std::uint8_t code) {
    return aclsim_narrow::decode(kFormat, aclsim_narrow::half_byte(code, 0));
  }
};
struct E1M2 {
  static constexpr const aclsim_narrow::Format& kFormat = aclsim_narrow::kE1M2;
  static constexpr float value(std::uint8_t code) {
    return aclsim_narrow::decode(kFormat, aclsim_narrow::half_byte(code, 0));
  }
};

template <typename Small>
constexpr Codes values_of() {
  Codes values{};
  for (unsigned code = 0; code < values.size(); ++code) {
    values[code] = Small::value(static_cast<std::uint8_t>(code));
  }
  return values;
}
template <typename Small>
constexpr Codes kValues = values_of<Small>();

/// By the exponent's field of a float: how HiFloat8 rounds it to nearest, ties away from 0, and the
/// code of 1 times this power.
struct HifloatStep {
  std::uint32_t half;  // added before the digits are dropped
  std::uint8_t shift;
  std::uint8_t base;
};
constexpr std::array<HifloatStep, 256> hifloat8_steps() {
  std::array<HifloatStep, 256> steps{};
  for (int field = 0; field < 256; ++field) {
    const int exponent = field - 127;
    HifloatStep& step = steps[static_cast<std::size_t>(field)];
    if (exponent < -23 || exponent > 15) {
      const bool large = exponent > 15;
      step = {0, 24, static_cast<std::uint8_t>(large ? aclsim_narrow::kHifloat8Infinity : 0)};
      continue;
    }
    const int drop = 23 - aclsim_narrow::hifloat8_digits(exponent);
    step.half = 1U << (drop - 1);
    step.shift = static_cast<std::uint8_t>(drop);
    if (exponent > -23) {
      step.base = static_cast<std::uint8_t>(aclsim_narrow::pack_hifloat8(exponent, 0));
    }
  }
  return steps;
}
constexpr std::array<HifloatStep, 256> kHifloatSteps = hifloat8_steps();

std::uint8_t hifloat8_of(float value, const Setting& setting) {
  const std::uint32_t bits = as<std::uint32_t>(value);
  const std::uint32_t size = bits & 0x7fffffffU;
  if (setting.mode == aclsim_narrow::kHybrid || size > kInfinityBits) {
    return aclsim_narrow::encode_hifloat8(value, setting.mode, setting.saturate);
  }
  const std::uint32_t rounded = size + kHifloatSteps[size >> 23].half;
  const HifloatStep& step = kHifloatSteps[rounded >> 23];
  const std::uint32_t code = step.base + ((rounded & 0x7fffffU) >> step.shift);
  return aclsim_narrow::finish_hifloat8(code, bits >> 31 != 0, setting.saturate);
}

template <typename Small>
void to_float(std::uint8_t* const* at, std::size_t lanes, const Setting&) {
  auto* to = reinterpret_cast<float*>(at[0]);
  for (std::size_t i = 0; i < lanes; ++i) to[i] = kValues<Small>[at[1][i]];
}

template <typename Small>
void from_float(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  const auto* from = reinterpret_cast<const float*>(at[1]);
  if (setting.saturate && setting.keep_nan) {
    for (std::size_t i = 0; i < lanes; ++i) {
      at[0][i] = Small::code(from[i], from[i] == from[i]);
    }
    return;
  }
  const bool saturate = setting.saturate;
  std::uint8_t* to = at[0];
  for (std::size_t i = 0; i < lanes; ++i) to[i] = Small::code(from[i], saturate);
}

void float_to_hifloat8(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  const auto* from = reinterpret_cast<const float*>(at[1]);
  for (std::size_t i = 0; i < lanes; ++i) at[0][i] = hifloat8_of(from[i], setting);
}

void hifloat8_to_half(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  staged<Half>(at[0], lanes, setting, [=](float* to, std::size_t from, std::size_t here) {
    for (std::size_t i = 0; i < here; ++i) to[i] = kValues<Hifloat8>[at[1][from + i]];
  });
}

void half_to_hifloat8(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  const auto* from = reinterpret_cast<const std::uint16_t*>(at[1]);
  for (std::size_t i = 0; i < lanes; ++i) {
    at[0][i] = aclsim_narrow::encode_hifloat8_half(from[i], setting.mode, setting.saturate);
  }
}

// Two numbers in a byte, the first in the low bits.
template <typename Small>
void pair_to_bfloat16(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  staged<Bfloat16>(at[0], lanes, setting, [=](float* to, std::size_t from, std::size_t here) {
    for (std::size_t i = 0; i < here; ++i) {
      const std::size_t lane = from + i;
      const auto code = static_cast<std::uint8_t>(at[1][lane / 2] >> lane % 2 * 4 & 0xf);
      to[i] = kValues<Small>[code];
    }
  });
}

/// By sign: the least bfloat16 without its sign that becomes code 1, 2, ... 7.
using Thresholds = std::array<std::array<std::uint16_t, 7>, 2>;

template <typename Small>
constexpr Thresholds thresholds_of(std::int32_t mode) {
  Thresholds thresholds{};
  for (std::uint32_t sign = 0; sign < 2; ++sign) {
    for (std::uint32_t code = 1; code <= 7; ++code) {
      std::uint32_t below = 0, there = 0x7f80;  // an infinity becomes 7
      while (below + 1 < there) {
        const std::uint32_t middle = (below + there) / 2;
        const float value = aclsim_half::bits_float(sign << 31 | middle << 16);
        const std::uint8_t got = aclsim_narrow::encode(Small::kFormat, value, mode, true);
        (aclsim_narrow::half_byte(got, 0) % 8 >= code ? there : below) = middle;
      }
      thresholds[sign][code - 1] = static_cast<std::uint16_t>(there);
    }
  }
  return thresholds;
}
template <typename Small>
constexpr std::array<Thresholds, 7> kThresholds = {thresholds_of<Small>(0), thresholds_of<Small>(1),
                                                   thresholds_of<Small>(2), thresholds_of<Small>(3),
                                                   thresholds_of<Small>(4), thresholds_of<Small>(5),
                                                   thresholds_of<Small>(6)};

template <typename Small>
void bfloat16_to_pair(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  const auto* from = reinterpret_cast<const std::uint16_t*>(at[1]);
  const Thresholds& thresholds = kThresholds<Small>[static_cast<std::size_t>(setting.mode) % 7];
  const auto code_of = [&thresholds](std::uint16_t bits) {
    const std::uint16_t size = bits & 0x7fffU;
    unsigned code = (bits >> 15) * 8U;
    for (const std::uint16_t threshold : thresholds[bits >> 15]) code += size >= threshold ? 1 : 0;
    return size > 0x7f80U ? 0U : code;
  };
  for (std::size_t i = 0; i + 1 < lanes; i += 2) {
    at[0][i / 2] = static_cast<std::uint8_t>(code_of(from[i]) | code_of(from[i + 1]) << 4);
  }
  if (lanes % 2 != 0) {  // the other number of the byte stays
    std::uint8_t& byte = at[0][lanes / 2];
    byte = static_cast<std::uint8_t>((byte & 0xf0U) | code_of(from[lanes - 1]));
  }
}

}  // namespace

Loop find_cast(std::uint8_t dst, std::uint8_t src) {
  switch (dst * 64U + src) {
    case ACLSIM_FLOAT * 64U + ACLSIM_FP8_E4M3FN:
      return to_float<E4M3>;
    case ACLSIM_FLOAT * 64U + ACLSIM_FP8_E5M2:
      return to_float<E5M2>;
    case ACLSIM_FLOAT * 64U + ACLSIM_HIFLOAT8:
      return to_float<Hifloat8>;
    case ACLSIM_HALF * 64U + ACLSIM_HIFLOAT8:
      return hifloat8_to_half;
    case ACLSIM_BFLOAT16 * 64U + ACLSIM_FP4_E2M1:
      return pair_to_bfloat16<E2M1>;
    case ACLSIM_BFLOAT16 * 64U + ACLSIM_FP4_E1M2:
      return pair_to_bfloat16<E1M2>;
    case ACLSIM_FP8_E4M3FN * 64U + ACLSIM_FLOAT:
      return from_float<E4M3>;
    case ACLSIM_FP8_E5M2 * 64U + ACLSIM_FLOAT:
      return from_float<E5M2>;
    case ACLSIM_HIFLOAT8 * 64U + ACLSIM_FLOAT:
      return float_to_hifloat8;
    case ACLSIM_HIFLOAT8 * 64U + ACLSIM_HALF:
      return half_to_hifloat8;
    case ACLSIM_FP4_E2M1 * 64U + ACLSIM_BFLOAT16:
      return bfloat16_to_pair<E2M1>;
    case ACLSIM_FP4_E1M2 * 64U + ACLSIM_BFLOAT16:
      return bfloat16_to_pair<E1M2>;
    default:
      return nullptr;
  }
}

}  // namespace narrow
}  // namespace ascendc::vector
