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

/// Whether an infinity or a NaN stays away. HiFloat8 has no mode that keeps NaN alone.
bool saturates(float value, const Setting& setting) {
  return setting.saturate && !(setting.keep_nan && value != value);
}

using Codes = std::array<float, 256>;

struct E4M3 {
  static constexpr float value(std::uint8_t code) {
    return aclsim_narrow::decode(aclsim_narrow::kE4M3, code);
  }
  static std::uint8_t code(float value, const Setting& setting) {
    return aclsim_narrow::encode(aclsim_narrow::kE4M3, value, setting.mode,
                                 saturates(value, setting));
  }
};
struct E5M2 {
  static constexpr float value(std::uint8_t code) {
    return aclsim_narrow::decode(aclsim_narrow::kE5M2, code);
  }
  static std::uint8_t code(float value, const Setting& setting) {
    return aclsim_narrow::encode(aclsim_narrow::kE5M2, value, setting.mode,
                                 saturates(value, setting));
  }
};
struct Hifloat8 {
  static constexpr float value(std::uint8_t code) { return aclsim_narrow::decode_hifloat8(code); }
  static std::uint8_t code(float value, const Setting& setting) {
    return aclsim_narrow::encode_hifloat8(value, setting.mode, setting.saturate);
  }
};
struct E2M1 {
  static constexpr const aclsim_narrow::Format& kFormat = aclsim_narrow::kE2M1;
};
struct E1M2 {
  static constexpr const aclsim_narrow::Format& kFormat = aclsim_narrow::kE1M2;
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

template <typename Small>
void to_float(std::uint8_t* const* at, std::size_t lanes, const Setting&) {
  auto* to = reinterpret_cast<float*>(at[0]);
  for (std::size_t i = 0; i < lanes; ++i) to[i] = kValues<Small>[at[1][i]];
}

template <typename Small>
void from_float(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  const auto* from = reinterpret_cast<const float*>(at[1]);
  for (std::size_t i = 0; i < lanes; ++i) at[0][i] = Small::code(from[i], setting);
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
      to[i] = aclsim_narrow::decode(Small::kFormat, code);
    }
  });
}

template <typename Small>
void bfloat16_to_pair(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  const auto* from = reinterpret_cast<const std::uint16_t*>(at[1]);
  for (std::size_t i = 0; i < lanes; ++i) {
    const unsigned code = aclsim_narrow::encode(Small::kFormat, Bfloat16::unpack(from[i]),
                                                setting.mode, setting.saturate);
    std::uint8_t& byte = at[0][i / 2];
    byte =
        static_cast<std::uint8_t>(i % 2 == 0 ? (byte & 0xf0U) | code : (byte & 0xfU) | code << 4);
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
      return from_float<Hifloat8>;
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
