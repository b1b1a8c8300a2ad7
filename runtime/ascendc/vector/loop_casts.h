// SPDX-License-Identifier: Apache-2.0
// Conversions, and instructions whose sources have another type than the destination.
// Out of range is the nearest number of the target, NaN is 0, as the documentation's examples have it;
// int16_t to uint8_t keeps the low bits.
#pragma once

#include <limits>

#include "ascendc/impl/vector_rows.h"
#include "runtime/ascendc/vector/loop_shapes.h"

namespace ascendc::vector::ACLSIM_LOOPS {
namespace {

enum Rounding : std::int32_t { kNone, kRint, kFloor, kCeil, kRound, kTrunc, kOdd };

// ---- to integral values ------------------------------------------------------------------------

template <int mode>
inline float integral(float x) {
  if constexpr (mode == kFloor) return __builtin_floorf(x);
  if constexpr (mode == kCeil) return __builtin_ceilf(x);
  if constexpr (mode == kTrunc) return __builtin_truncf(x);
  if constexpr (mode == kRound) {
    const float down = __builtin_truncf(x);
    const float away = down + __builtin_copysignf(1.0F, x);
    return __builtin_fabsf(x - down) >= 0.5F ? away : down;
  }
  return __builtin_rintf(x);
}

template <typename T>
inline T integer_from(float integral) {
  if constexpr (sizeof(T) == 8) {
    if (integral != integral) return 0;
    if (integral >= 0x1p63F) return static_cast<T>(~(1ULL << 63));
    if (integral < -0x1p63F) return static_cast<T>(1ULL << 63);
    return static_cast<T>(integral);
  } else if constexpr (sizeof(T) == 4) {
    float bounded = integral >= 0x1p31F ? 0.0F : integral;
    bounded = bounded < -0x1p31F ? -0x1p31F : bounded;
    bounded = bounded != bounded ? 0.0F : bounded;
    const auto whole = static_cast<std::int32_t>(bounded);
    return integral >= 0x1p31F ? 0x7fffffff : whole;
  } else {
    constexpr float kLeast = std::is_signed_v<T> ? -static_cast<float>(1 << (sizeof(T) * 8 - 1)) : 0;
    constexpr float kMost =
        static_cast<float>((1 << (sizeof(T) * 8 - (std::is_signed_v<T> ? 1 : 0))) - 1);
    float bounded = integral < kLeast ? kLeast : integral;
    bounded = bounded > kMost ? kMost : bounded;
    bounded = bounded != bounded ? 0.0F : bounded;
    return static_cast<T>(static_cast<std::int32_t>(bounded));
  }
}

template <typename Format, typename T, int mode>
void to_integer_as(std::uint8_t* const* at, std::size_t lanes) {
  T* d = result<T>(at);
  for (std::size_t from = 0; from < lanes; from += kStage) {
    const std::size_t here = lanes - from < kStage ? lanes - from : kStage;
    float stage[kStage];
    const float* a = widened<Format>(at[1], from, here, stage);
    for (std::size_t i = 0; i < here; ++i) d[from + i] = integer_from<T>(integral<mode>(a[i]));
  }
}

template <typename Format, typename T>
void to_integer(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  switch (setting.mode) {
    case kFloor: return to_integer_as<Format, T, kFloor>(at, lanes);
    case kCeil: return to_integer_as<Format, T, kCeil>(at, lanes);
    case kRound: return to_integer_as<Format, T, kRound>(at, lanes);
    case kTrunc: return to_integer_as<Format, T, kTrunc>(at, lanes);
    default: return to_integer_as<Format, T, kRint>(at, lanes);
  }
}

template <typename Format, int mode>
void to_integral_as(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  staged<Format>(at[0], lanes, setting, [=](float* to, std::size_t from, std::size_t here) {
    float stage[kStage];
    const float* a = widened<Format>(at[1], from, here, stage);
    for (std::size_t i = 0; i < here; ++i) to[i] = integral<mode>(a[i]);
  });
}

template <typename Format>
void to_integral(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  switch (setting.mode) {
    case kFloor: return to_integral_as<Format, kFloor>(at, lanes, setting);
    case kCeil: return to_integral_as<Format, kCeil>(at, lanes, setting);
    case kRound: return to_integral_as<Format, kRound>(at, lanes, setting);
    case kTrunc: return to_integral_as<Format, kTrunc>(at, lanes, setting);
    default: return to_integral_as<Format, kRint>(at, lanes, setting);
  }
}

// int4b: two in a byte, the low four bits first.
template <typename Format>
void to_int4(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  for (std::size_t i = 0; i < lanes; i += kStage) {
    const std::size_t here = lanes - i < kStage ? lanes - i : kStage;
    std::int8_t whole[kStage];
    std::uint8_t* const part[2] = {reinterpret_cast<std::uint8_t*>(whole), at[1] + i * 2};
    to_integer<Format, std::int8_t>(part, here, setting);
    for (std::size_t k = 0; k < here; ++k) {
      const int value = whole[k] < -8 ? -8 : whole[k] > 7 ? 7 : whole[k];
      std::uint8_t& byte = at[0][(i + k) / 2];
      byte = static_cast<std::uint8_t>(k % 2 == 0 ? (byte & 0xf0) | (value & 0xf)
                                                  : (byte & 0x0f) | (value & 0xf) << 4);
    }
  }
}
inline int int4_at(const std::uint8_t* from, std::size_t lane) {
  const int bits = from[lane / 2] >> lane % 2 * 4 & 0xf;
  return bits >= 8 ? bits - 16 : bits;
}
template <typename Format>
void from_int4(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  staged<Format>(at[0], lanes, setting, [=](float* to, std::size_t from, std::size_t here) {
    for (std::size_t i = 0; i < here; ++i) to[i] = static_cast<float>(int4_at(at[1], from + i));
  });
}
inline void int4_to_int16(std::uint8_t* const* at, std::size_t lanes, const Setting&) {
  auto* d = result<std::int16_t>(at);
  for (std::size_t i = 0; i < lanes; ++i) d[i] = static_cast<std::int16_t>(int4_at(at[1], i));
}
inline void int16_to_int4(std::uint8_t* const* at, std::size_t lanes, const Setting&) {
  const auto* a = source<std::int16_t>(at, 1);
  for (std::size_t i = 0; i < lanes; ++i) {
    const int value = a[i] < -8 ? -8 : a[i] > 7 ? 7 : a[i];
    std::uint8_t& byte = at[0][i / 2];
    byte = static_cast<std::uint8_t>(i % 2 == 0 ? (byte & 0xf0) | (value & 0xf)
                                                : (byte & 0x0f) | (value & 0xf) << 4);
  }
}

// ---- to fewer bits, by every mode ----------------------------------------------------------------

/// Whether a magnitude whose dropped part is `rest`, of which `half` is the tie, goes one up.
inline bool goes_up(std::int32_t mode, bool negative, bool odd, std::uint64_t rest,
                    std::uint64_t half) {
  if (rest == 0) return false;
  switch (mode) {
    case kFloor: return negative;
    case kCeil: return !negative;
    case kRound: return rest >= half;
    case kTrunc: return false;
    case kOdd: return !odd;
    default: return rest > half || (rest == half && odd);
  }
}

/// A number of `significand` times 2^`exponent` in a format of 16 or 32 bits with `digits` digits (the
/// first of them hidden) and least normal exponent `least` (of the value 2^least).
struct Target {
  int digits;
  int least;
  int bias;
  std::uint32_t infinity;
};
constexpr Target kHalfTarget = {11, -14, 15, 0x7c00};
constexpr Target kBfloat16Target = {8, -126, 127, 0x7f80};
constexpr Target kFloatTarget = {24, -126, 127, 0x7f800000};

inline std::uint32_t rounded(std::uint64_t significand, int exponent, bool negative,
                             std::int32_t mode, const Target& target) {
  if (significand == 0) return 0;
  const int top = 63 - __builtin_clzll(significand) + exponent;  // the value is in [2^top, 2^(top+1))
  const int scale = (top < target.least ? target.least : top) - target.digits + 1;
  const int drop = scale - exponent;
  std::uint64_t kept = 0;
  if (drop <= 0) {
    kept = significand << -drop;
  } else if (drop > 63) {
    kept = goes_up(mode, negative, false, 1, 2) ? 1 : 0;
  } else {
    kept = significand >> drop;
    const std::uint64_t rest = significand & ((1ULL << drop) - 1);
    kept += goes_up(mode, negative, (kept & 1U) != 0, rest, 1ULL << (drop - 1)) ? 1 : 0;
  }
  // The hidden digit adds one to the exponent's field; so does a carry out of the digits.
  const std::int64_t field = top < target.least ? 0 : top + target.bias - 1;
  const std::uint64_t bits = (static_cast<std::uint64_t>(field) << (target.digits - 1)) + kept;
  if (bits < target.infinity) return static_cast<std::uint32_t>(bits);
  const bool stays = mode == kTrunc || mode == kOdd || (mode == kFloor && !negative) ||
                     (mode == kCeil && negative);
  return stays ? target.infinity - 1 : target.infinity;
}

inline std::uint32_t narrowed(std::uint32_t bits, std::int32_t mode, const Target& target,
                              unsigned sign_bit) {
  const bool negative = bits >> 31 != 0;
  const std::uint32_t size = bits & 0x7fffffffU;
  const std::uint32_t sign = negative ? 1U << sign_bit : 0U;
  if (size > 0x7f800000U) {
    const int drop = 24 - target.digits;
    return sign | target.infinity | 1U << (target.digits - 2) |
           ((size >> drop) & ((1U << (target.digits - 1)) - 1));
  }
  if (size == 0x7f800000U) return sign | target.infinity;
  const int exponent = size < 0x00800000U ? -149 : static_cast<int>(size >> 23) - 150;
  const std::uint64_t significand =
      size < 0x00800000U ? size : (size & 0x7fffffU) | 0x800000U;
  return sign | rounded(significand, exponent, negative, mode, target);
}

template <typename Format>
constexpr const Target& target_of() {
  return std::is_same_v<Format, Half> ? kHalfTarget : kBfloat16Target;
}

/// From a floating format to one of 16 bits.
template <typename To, typename From>
void to_sixteen(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  auto* stored = result<std::uint16_t>(at);
  for (std::size_t from = 0; from < lanes; from += kStage) {
    const std::size_t here = lanes - from < kStage ? lanes - from : kStage;
    float stage[kStage];
    const float* a = widened<From>(at[1], from, here, stage);
    if (setting.mode == kNone || setting.mode == kRint) {
      finish<To>(a, stored + from, here, setting);
      continue;
    }
    for (std::size_t i = 0; i < here; ++i) {
      const auto bits = static_cast<std::uint16_t>(
          narrowed(as<std::uint32_t>(a[i]), setting.mode, target_of<To>(), 15));
      stored[from + i] = setting.saturate ? To::saturated(bits) : bits;
    }
  }
}

template <typename Format>
void to_float(std::uint8_t* const* at, std::size_t lanes, const Setting&) {
  Format::load(source<std::uint16_t>(at, 1), result<float>(at), lanes);
}

template <typename T>
std::uint32_t integer_bits(T value, std::int32_t mode, const Target& target, unsigned sign_bit) {
  const bool negative = value < 0;
  const auto size = static_cast<std::uint64_t>(value);
  const std::uint32_t bits = rounded(negative ? 0 - size : size, 0, negative, mode, target);
  return bits | (negative ? 1U << sign_bit : 0U);
}

template <typename T>
void integer_to_float(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  float* d = result<float>(at);
  const T* a = source<T>(at, 1);
  if (sizeof(T) < 4 || setting.mode == kNone || setting.mode == kRint) {
    for (std::size_t i = 0; i < lanes; ++i) d[i] = static_cast<float>(a[i]);
    return;
  }
  for (std::size_t i = 0; i < lanes; ++i) {
    d[i] = as<float>(integer_bits(a[i], setting.mode, kFloatTarget, 31));
  }
}

template <typename T>
void integer_to_half(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  auto* d = result<std::uint16_t>(at);
  const T* a = source<T>(at, 1);
  for (std::size_t i = 0; i < lanes; ++i) {
    d[i] = static_cast<std::uint16_t>(integer_bits(a[i], setting.mode, kHalfTarget, 15));
  }
}

/// By way of 2^-17, so that the product with the scale does not overflow before it is small.
template <typename Finish>
inline void scaled_to_half(std::uint8_t* const* at, std::size_t lanes, const Setting& setting,
                           Finish value) {
  const float scale = setting.deq;
  staged<Half>(at[0], lanes, setting, [=](float* to, std::size_t from, std::size_t here) {
    for (std::size_t i = 0; i < here; ++i) {
      to[i] = static_cast<float>(value(from + i)) * 0x1p-17F * scale * 0x1p17F;
    }
  });
}
inline void int32_to_half(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  const auto* a = source<std::int32_t>(at, 1);
  scaled_to_half(at, lanes, setting, [a](std::size_t i) { return a[i]; });
}
inline void add_deq_relu(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  const auto* a = source<std::int32_t>(at, 1);
  const auto* b = source<std::int32_t>(at, 2);
  const float scale = setting.deq;
  staged<Half>(at[0], lanes, setting, [=](float* to, std::size_t from, std::size_t here) {
    for (std::size_t i = 0; i < here; ++i) {
      const auto sum = static_cast<float>(add(a[from + i], b[from + i]));
      to[i] = relu(sum * 0x1p-17F * scale * 0x1p17F);
    }
  });
}

/// The nearest number of the target; widening keeps the value.
template <typename To, typename From>
void to_other_integer(std::uint8_t* const* at, std::size_t lanes, const Setting&) {
  To* d = result<To>(at);
  const From* a = source<From>(at, 1);
  constexpr bool kLowBits = std::is_same_v<From, std::int16_t> && std::is_same_v<To, std::uint8_t>;
  for (std::size_t i = 0; i < lanes; ++i) {
    if constexpr (kLowBits) {
      d[i] = static_cast<To>(a[i]);
    } else {
      const auto value = static_cast<std::int64_t>(a[i]);
      constexpr auto kLeast = static_cast<std::int64_t>(std::numeric_limits<To>::min());
      constexpr auto kMost = static_cast<std::int64_t>(std::numeric_limits<To>::max());
      d[i] = static_cast<To>(value < kLeast ? kLeast : value > kMost ? kMost : value);
    }
  }
}

// ---- several steps -------------------------------------------------------------------------------

/// cast(op(a, b)): the step is rounded to the sources' type, then converted (to nearest).
template <typename Source, typename To, typename Op>
void computed_to_integer(std::uint8_t* const* at, std::size_t lanes, const Setting&) {
  To* d = result<To>(at);
  for (std::size_t from = 0; from < lanes; from += kStage) {
    const std::size_t here = lanes - from < kStage ? lanes - from : kStage;
    float stages[2][kStage];
    const float* a = widened<Source>(at[1], from, here, stages[0]);
    const float* b = widened<Source>(at[2], from, here, stages[1]);
    for (std::size_t i = 0; i < here; ++i) {
      const float step = Source::round(Op::template two<Source>(a[i], b[i]));
      d[from + i] = integer_from<To>(integral<kRint>(step));
    }
  }
}
template <typename Op>
void computed_to_half(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  staged<Half>(at[0], lanes, setting, [=](float* to, std::size_t from, std::size_t here) {
    const float* a = source<float>(at, 1) + from;
    const float* b = source<float>(at, 2) + from;
    for (std::size_t i = 0; i < here; ++i) to[i] = Op::template two<Float>(a[i], b[i]);
  });
}
template <typename Op>
void computed_int16_to_int8(std::uint8_t* const* at, std::size_t lanes, const Setting&) {
  auto* d = result<std::int8_t>(at);
  const auto* a = source<std::int16_t>(at, 1);
  const auto* b = source<std::int16_t>(at, 2);
  for (std::size_t i = 0; i < lanes; ++i) {
    const std::int16_t step = Op::template two<Exact>(a[i], b[i]);
    d[i] = static_cast<std::int8_t>(step > 127 ? 127 : step < -128 ? -128 : step);
  }
}
inline void muls_cast(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  const float scalar = scalar_of<Float>(setting);
  staged<Half>(at[0], lanes, setting, [=](float* to, std::size_t from, std::size_t here) {
    const float* a = source<float>(at, 1) + from;
    for (std::size_t i = 0; i < here; ++i) to[i] = a[i] * scalar;
  });
}
inline void exp_sub_half(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  staged<Float>(at[0], lanes, setting, [=](float* to, std::size_t from, std::size_t here) {
    for (std::size_t i = 0; i < here; ++i) {
      const float a = Half::unpack(source<std::uint16_t>(at, 1)[from + i]);
      const float b = Half::unpack(source<std::uint16_t>(at, 2)[from + i]);
      to[i] = exponential(a - b);
    }
  });
}

/// Scaled, rounded to nearest, moved by the offset, and the nearest number of the target.
template <typename To>
void cast_dequant(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  To* d = result<To>(at);
  const auto* a = source<std::int16_t>(at, 1);
  for (std::size_t i = 0; i < lanes; ++i) {
    const std::size_t k = (setting.position + i) % 16;
    const float scaled = __builtin_rintf(static_cast<float>(a[i]) * setting.deq_scale[k]);
    d[i] = integer_from<To>(scaled + static_cast<float>(setting.deq_offset[k]));
  }
}

// ---- which ---------------------------------------------------------------------------------------

constexpr unsigned both(unsigned dst, unsigned src) { return dst * 64 + src; }

Loop find_cast_to_real(unsigned pair) {
  switch (pair) {
    case both(ACLSIM_HALF, ACLSIM_INT4): return from_int4<Half>;
    case both(ACLSIM_BFLOAT16, ACLSIM_INT4): return from_int4<Bfloat16>;
    case both(ACLSIM_HALF, ACLSIM_INT8): return integer_to_half<std::int8_t>;
    case both(ACLSIM_HALF, ACLSIM_UINT8): return integer_to_half<std::uint8_t>;
    case both(ACLSIM_HALF, ACLSIM_INT16): return integer_to_half<std::int16_t>;
    case both(ACLSIM_HALF, ACLSIM_INT32): return int32_to_half;
    case both(ACLSIM_HALF, ACLSIM_BFLOAT16): return to_sixteen<Half, Bfloat16>;
    case both(ACLSIM_HALF, ACLSIM_FLOAT): return to_sixteen<Half, Float>;
    case both(ACLSIM_BFLOAT16, ACLSIM_HALF): return to_sixteen<Bfloat16, Half>;
    case both(ACLSIM_BFLOAT16, ACLSIM_FLOAT): return to_sixteen<Bfloat16, Float>;
    case both(ACLSIM_FLOAT, ACLSIM_INT16): return integer_to_float<std::int16_t>;
    case both(ACLSIM_FLOAT, ACLSIM_INT32): return integer_to_float<std::int32_t>;
    case both(ACLSIM_FLOAT, ACLSIM_INT64): return integer_to_float<std::int64_t>;
    case both(ACLSIM_FLOAT, ACLSIM_HALF): return to_float<Half>;
    case both(ACLSIM_FLOAT, ACLSIM_BFLOAT16): return to_float<Bfloat16>;
    case both(ACLSIM_FLOAT, ACLSIM_FLOAT): return to_integral<Float>;
    default: return nullptr;
  }
}

Loop find_cast_to_integer(unsigned pair) {
  switch (pair) {
    case both(ACLSIM_INT4, ACLSIM_HALF): return to_int4<Half>;
    case both(ACLSIM_INT4, ACLSIM_INT16): return int16_to_int4;
    case both(ACLSIM_INT8, ACLSIM_HALF): return to_integer<Half, std::int8_t>;
    case both(ACLSIM_UINT8, ACLSIM_HALF): return to_integer<Half, std::uint8_t>;
    case both(ACLSIM_INT16, ACLSIM_HALF): return to_integer<Half, std::int16_t>;
    case both(ACLSIM_INT32, ACLSIM_HALF): return to_integer<Half, std::int32_t>;
    case both(ACLSIM_INT32, ACLSIM_BFLOAT16): return to_integer<Bfloat16, std::int32_t>;
    case both(ACLSIM_INT16, ACLSIM_FLOAT): return to_integer<Float, std::int16_t>;
    case both(ACLSIM_INT32, ACLSIM_FLOAT): return to_integer<Float, std::int32_t>;
    case both(ACLSIM_INT64, ACLSIM_FLOAT): return to_integer<Float, std::int64_t>;
    case both(ACLSIM_INT16, ACLSIM_INT4): return int4_to_int16;
#define ACLSIM_INTEGERS(TO, to, FROM, from) \
  case both(ACLSIM_##TO, ACLSIM_##FROM): return to_other_integer<std::to, std::from>;
    ACLSIM_INTEGERS(INT16, int16_t, INT8, int8_t)
    ACLSIM_INTEGERS(INT32, int32_t, INT8, int8_t)
    ACLSIM_INTEGERS(UINT16, uint16_t, UINT8, uint8_t)
    ACLSIM_INTEGERS(UINT32, uint32_t, UINT8, uint8_t)
    ACLSIM_INTEGERS(UINT8, uint8_t, INT16, int16_t)
    ACLSIM_INTEGERS(INT8, int8_t, INT16, int16_t)
    ACLSIM_INTEGERS(INT32, int32_t, INT16, int16_t)
    ACLSIM_INTEGERS(UINT32, uint32_t, INT16, int16_t)
    ACLSIM_INTEGERS(UINT8, uint8_t, UINT16, uint16_t)
    ACLSIM_INTEGERS(UINT32, uint32_t, UINT16, uint16_t)
    ACLSIM_INTEGERS(UINT8, uint8_t, INT32, int32_t)
    ACLSIM_INTEGERS(INT16, int16_t, INT32, int32_t)
    ACLSIM_INTEGERS(UINT16, uint16_t, INT32, int32_t)
    ACLSIM_INTEGERS(INT64, int64_t, INT32, int32_t)
    ACLSIM_INTEGERS(UINT8, uint8_t, UINT32, uint32_t)
    ACLSIM_INTEGERS(INT16, int16_t, UINT32, uint32_t)
    ACLSIM_INTEGERS(UINT16, uint16_t, UINT32, uint32_t)
    ACLSIM_INTEGERS(INT32, int32_t, INT64, int64_t)
#undef ACLSIM_INTEGERS
    default: return nullptr;
  }
}

Loop find_three(std::uint16_t opcode, unsigned pair) {
  const bool scalar = opcode == ACLSIM_OP_Axpy;
  switch (pair) {
    case both(ACLSIM_HALF, ACLSIM_HALF):
      return scalar ? real_three_scalar<Half, Half, MulAddDst> : real_three<Half, Half, MulAddDst>;
    case both(ACLSIM_FLOAT, ACLSIM_HALF):
      return scalar ? real_three_scalar<Float, Half, MulAddDst> : real_three<Float, Half, MulAddDst>;
    case both(ACLSIM_FLOAT, ACLSIM_FLOAT):
      return scalar ? real_three_scalar<Float, Float, MulAddDst>
                    : real_three<Float, Float, MulAddDst>;
    default: return nullptr;
  }
}

template <typename Op>
Loop find_relu_cast(unsigned pair) {
  switch (pair) {
    case both(ACLSIM_HALF, ACLSIM_FLOAT): return computed_to_half<Op>;
    case both(ACLSIM_INT8, ACLSIM_HALF): return computed_to_integer<Half, std::int8_t, Op>;
    case both(ACLSIM_INT8, ACLSIM_INT16): return computed_int16_to_int8<Op>;
    default: return nullptr;
  }
}

Loop find_pair(std::uint16_t opcode, std::uint8_t dst, std::uint8_t src) {
  const unsigned pair = both(dst, src);
  switch (opcode) {
    case ACLSIM_OP_Cast: {
      const Loop real_target = find_cast_to_real(pair);
      return real_target != nullptr ? real_target : find_cast_to_integer(pair);
    }
    case ACLSIM_OP_Truncate: return dst == ACLSIM_HALF       ? to_integral<Half>
                                    : dst == ACLSIM_BFLOAT16 ? to_integral<Bfloat16>
                                                             : to_integral<Float>;
    case ACLSIM_OP_MulAddDst:
    case ACLSIM_OP_Axpy: return find_three(opcode, pair);
    case ACLSIM_OP_AddDeqRelu: return add_deq_relu;
    case ACLSIM_OP_CastDequant:
      return dst == ACLSIM_INT8 ? cast_dequant<std::int8_t> : cast_dequant<std::uint8_t>;
    case ACLSIM_OP_MulsCast: return muls_cast;
    case ACLSIM_OP_AddReluCast: return find_relu_cast<AddRelu>(pair);
    case ACLSIM_OP_SubReluCast: return find_relu_cast<SubRelu>(pair);
    case ACLSIM_OP_MulCast:
      return dst == ACLSIM_INT8 ? computed_to_integer<Half, std::int8_t, Mul>
                                : computed_to_integer<Half, std::uint8_t, Mul>;
    case ACLSIM_OP_ExpSub:
      if (pair == both(ACLSIM_FLOAT, ACLSIM_HALF)) return exp_sub_half;
      return dst == ACLSIM_HALF ? real_two<Half, ExpSub> : real_two<Float, ExpSub>;
    default: return nullptr;
  }
}

}  // namespace
}  // namespace ascendc::vector::ACLSIM_LOOPS
