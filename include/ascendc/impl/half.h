/* SPDX-License-Identifier: Apache-2.0 */
/*
 * half (IEEE binary16) and bfloat16_t as scalars of a kernel: two bytes each, arithmetic through
 * float, one rounding to nearest even a step. NaN stays NaN (made quiet), subnormal numbers are
 * kept. Everything is constexpr; where the compiler targets F16C, conversions at run time are one
 * instruction.
 */
#ifndef ASCENDC_IMPL_HALF_H_
#define ASCENDC_IMPL_HALF_H_

#include <cstdint>
#include <type_traits>

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace aclsim_half {

constexpr std::uint32_t float_bits(float value) { return __builtin_bit_cast(std::uint32_t, value); }
constexpr float bits_float(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

/* The bits of the binary16 that is nearest to `value`. */
constexpr std::uint16_t half_bits(float value) {
#if defined(__F16C__)
  if (!__builtin_is_constant_evaluated()) {
    return static_cast<std::uint16_t>(_cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT));
  }
#endif
  const std::uint32_t bits = float_bits(value);
  const std::uint32_t sign = bits >> 16 & 0x8000U;
  const std::uint32_t size = bits & 0x7fffffffU;
  if (size > 0x7f800000U) return static_cast<std::uint16_t>(sign | 0x7e00U | (size >> 13 & 0x3ffU));
  if (size >= 0x477ff000U) return static_cast<std::uint16_t>(sign | 0x7c00U);  // 65520 and more
  if (size < 0x38800000U) {  // below 2^-14: a multiple of 2^-24
    if (size <= 0x33000000U) return static_cast<std::uint16_t>(sign);
    const std::uint32_t significand = (size & 0x7fffffU) | 0x800000U;
    const std::uint32_t shift = 126U - (size >> 23);
    const std::uint32_t down = significand >> shift;
    const std::uint32_t rest = significand & ((1U << shift) - 1U);
    const std::uint32_t tie = 1U << (shift - 1U);
    return static_cast<std::uint16_t>(sign |
                                      (down + (rest > tie || (rest == tie && (down & 1U) != 0))));
  }
  const std::uint32_t rounded = size + 0xfffU + (size >> 13 & 1U);
  return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000U) >> 13));
}

constexpr float half_value(std::uint16_t half) {
#if defined(__F16C__)
  if (!__builtin_is_constant_evaluated()) return _cvtsh_ss(half);
#endif
  const std::uint32_t sign = (half & 0x8000U) << 16;
  const std::uint32_t exponent = half >> 10 & 0x1fU;
  const std::uint32_t fraction = half & 0x3ffU;
  if (exponent == 31) {
    return bits_float(sign | 0x7f800000U | fraction << 13 | (fraction != 0 ? 0x400000U : 0U));
  }
  if (exponent == 0) {
    const float size = static_cast<float>(fraction) * 0x1p-24F;
    return bits_float(sign | float_bits(size));
  }
  return bits_float(sign | (exponent + 112U) << 23 | fraction << 13);
}

/* The bits of the bfloat16 that is nearest to `value`. */
constexpr std::uint16_t bfloat16_bits(float value) {
  const std::uint32_t bits = float_bits(value);
  if ((bits & 0x7fffffffU) > 0x7f800000U) return static_cast<std::uint16_t>(bits >> 16 | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}

constexpr float bfloat16_value(std::uint16_t bits) {
  return bits_float(static_cast<std::uint32_t>(bits) << 16);
}

/* A double or an integer as the float whose rounding to 16 bits is the rounding of the value
   itself: what does not fit into a float leaves a trace in its last bit. */
constexpr float to_odd(double value) {
  const float near = static_cast<float>(value);
  if (!(static_cast<double>(near) != value) || value != value) return near;
  std::uint32_t bits = float_bits(near);
  if ((bits & 0x7fffffffU) == 0x7f800000U) return near;
  if ((bits & 1U) == 0) {
    const bool up = static_cast<double>(near) < value;
    const bool negative = value < 0;
    bits = (up != negative) ? bits + 1U : bits - 1U;
    if ((bits & 0x7fffffffU) > 0x7f800000U || near == 0.0F) bits = negative ? 0x80000001U : 1U;
  }
  return bits_float(bits);
}

template <typename Number>
constexpr float narrow(Number value) {
  if constexpr (std::is_same_v<Number, float>) {
    return value;
  } else if constexpr (std::is_floating_point_v<Number>) {
    return to_odd(static_cast<double>(value));
  } else {
    /* 64-bit integers beyond 2^53 are far from ties of 16-bit types, save at overflow: not lost. */
    return to_odd(static_cast<double>(value));
  }
}

template <typename Number>
using IfNumber = std::enable_if_t<std::is_arithmetic_v<Number>, int>;

}  // namespace aclsim_half

struct half {
  std::uint16_t aclsim_bits;

  half() = default;
  template <typename Number, aclsim_half::IfNumber<Number> = 0>
  constexpr half(Number value) : aclsim_bits(aclsim_half::half_bits(aclsim_half::narrow(value))) {}

  static constexpr half aclsim_from_bits(std::uint16_t bits) {
    half made(0.0F);
    made.aclsim_bits = bits;
    return made;
  }
  constexpr operator float() const { return aclsim_half::half_value(aclsim_bits); }

  constexpr half operator+() const { return *this; }
  constexpr half operator-() const {
    return aclsim_from_bits(static_cast<std::uint16_t>(aclsim_bits ^ 0x8000U));
  }
  half& operator++() { return *this = half(static_cast<float>(*this) + 1.0F); }
  half& operator--() { return *this = half(static_cast<float>(*this) - 1.0F); }
};

struct bfloat16_t {
  std::uint16_t aclsim_bits;

  bfloat16_t() = default;
  template <typename Number, aclsim_half::IfNumber<Number> = 0>
  constexpr bfloat16_t(Number value)
      : aclsim_bits(aclsim_half::bfloat16_bits(aclsim_half::narrow(value))) {}

  static constexpr bfloat16_t aclsim_from_bits(std::uint16_t bits) {
    bfloat16_t made(0.0F);
    made.aclsim_bits = bits;
    return made;
  }
  constexpr explicit operator float() const { return aclsim_half::bfloat16_value(aclsim_bits); }
  template <typename Number, aclsim_half::IfNumber<Number> = 0,
            std::enable_if_t<!std::is_same_v<Number, float>, int> = 0>
  constexpr explicit operator Number() const {
    return static_cast<Number>(static_cast<float>(*this));
  }

  constexpr bfloat16_t operator+() const { return *this; }
  constexpr bfloat16_t operator-() const {
    return aclsim_from_bits(static_cast<std::uint16_t>(aclsim_bits ^ 0x8000U));
  }
};

static_assert(sizeof(half) == 2 && sizeof(bfloat16_t) == 2,
              "two bytes, as in memory of the device");

/*
 * With itself or an integer the result has 16 bits; with a float or a double it has theirs.
 * Templates for the mixed forms: they match exactly, so that the conversions above make nothing
 * ambiguous.
 */
#define ACLSIM_HALF_MIXED(T, Number) std::conditional_t<std::is_floating_point_v<Number>, Number, T>
#define ACLSIM_HALF_OPERATOR(T, op)                                                               \
  constexpr T operator op(T a, T b) { return T(static_cast<float>(a) op static_cast<float>(b)); } \
  template <typename Number, aclsim_half::IfNumber<Number> = 0>                                   \
  constexpr ACLSIM_HALF_MIXED(T, Number) operator op(T a, Number b) {                             \
    if constexpr (std::is_floating_point_v<Number>) {                                             \
      return static_cast<Number>(static_cast<float>(a)) op b;                                     \
    } else {                                                                                      \
      return a op T(b);                                                                           \
    }                                                                                             \
  }                                                                                               \
  template <typename Number, aclsim_half::IfNumber<Number> = 0>                                   \
  constexpr ACLSIM_HALF_MIXED(T, Number) operator op(Number a, T b) {                             \
    if constexpr (std::is_floating_point_v<Number>) {                                             \
      return a op static_cast<Number>(static_cast<float>(b));                                     \
    } else {                                                                                      \
      return T(a) op b;                                                                           \
    }                                                                                             \
  }                                                                                               \
  template <typename Number>                                                                      \
  constexpr T& operator op##=(T& a, Number b) {                                                   \
    return a = T(static_cast<float>(a op b));                                                     \
  }
#define ACLSIM_HALF_COMPARISON(T, op)                                                             \
  constexpr bool operator op(T a, T b) { return static_cast<float>(a) op static_cast<float>(b); } \
  template <typename Number, aclsim_half::IfNumber<Number> = 0>                                   \
  constexpr bool operator op(T a, Number b) {                                                     \
    return static_cast<double>(static_cast<float>(a)) op static_cast<double>(b);                  \
  }                                                                                               \
  template <typename Number, aclsim_half::IfNumber<Number> = 0>                                   \
  constexpr bool operator op(Number a, T b) {                                                     \
    return static_cast<double>(a) op static_cast<double>(static_cast<float>(b));                  \
  }
#define ACLSIM_HALF_OPERATORS(T) \
  ACLSIM_HALF_OPERATOR(T, +)     \
  ACLSIM_HALF_OPERATOR(T, -)     \
  ACLSIM_HALF_OPERATOR(T, *)     \
  ACLSIM_HALF_OPERATOR(T, /)     \
  ACLSIM_HALF_COMPARISON(T, ==)  \
  ACLSIM_HALF_COMPARISON(T, !=)  \
  ACLSIM_HALF_COMPARISON(T, <)   \
  ACLSIM_HALF_COMPARISON(T, <=)  \
  ACLSIM_HALF_COMPARISON(T, >)   \
  ACLSIM_HALF_COMPARISON(T, >=)
ACLSIM_HALF_OPERATORS(half)
ACLSIM_HALF_OPERATORS(bfloat16_t)
#undef ACLSIM_HALF_OPERATORS
#undef ACLSIM_HALF_COMPARISON
#undef ACLSIM_HALF_OPERATOR
#undef ACLSIM_HALF_MIXED

#endif /* ASCENDC_IMPL_HALF_H_ */
