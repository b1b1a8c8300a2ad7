/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of 8 and 4 bits as kernels store them, and their conversions. The conversions are plain
 * functions of codes, for kernels and for the emulator.
 *
 * Sources of the rules:
 *   formats    the interface's page of built-in data types; OCP 8-bit Floating Point (E4M3, E5M2);
 *              OCP Microscaling Formats (E8M0, E2M1); arXiv 2409.16626 (HiFloat8)
 *   rounding   the interface's page of precision conversion
 *   overflow   the page of the register-level Cast: an infinity or NaN without saturation, else the
 *              largest number, and 0 for NaN; numbers of 4 bits always saturate
 */
#ifndef ASCENDC_IMPL_NARROW_H_
#define ASCENDC_IMPL_NARROW_H_

#include <cstdint>

#include "ascendc/impl/half.h"

namespace aclsim_narrow {

/* As RoundMode numbers them. Hybrid exists for HiFloat8 only. */
enum Rounding : std::int32_t { kNone, kRint, kFloor, kCeil, kRound, kTrunc, kOdd, kHybrid };

/* A format with fields of fixed width. `most` is the code of the largest number, `overflow` the
 * code beyond it (without saturation), `nan` the code that a NaN becomes. */
struct Format {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  std::uint8_t most;
  std::uint8_t overflow;
  std::uint8_t nan;
};
inline constexpr Format kE4M3 = {4, 3, 7, 0x7e, 0x7f, 0x7f}; /* no infinity */
inline constexpr Format kE5M2 = {5, 2, 15, 0x7b, 0x7c, 0x7e};
inline constexpr Format kE2M1 = {2, 1, 1, 0x7, 0x7, 0x0};
/* The page of data types gives the range -1.75 to 1.75: multiples of 1/4, so the bias is 1. */
inline constexpr Format kE1M2 = {1, 2, 1, 0x7, 0x7, 0x0};

inline constexpr float kNaN = __builtin_nanf("");
inline constexpr float kInfinity = __builtin_inff();

/* Whether a magnitude whose dropped digits are `rest`, of which `tie` is one half, is increased. */
constexpr bool goes_up(std::int32_t mode, bool negative, bool odd, std::uint32_t rest,
                       std::uint32_t tie) {
  if (rest == 0) return false;
  switch (mode) {
    case kFloor:
      return negative;
    case kCeil:
      return !negative;
    case kRound:
      return rest >= tie;
    case kTrunc:
      return false;
    case kOdd:
      return !odd;
    default:
      return rest > tie || (rest == tie && odd);
  }
}

/* 2^exponent, in the range of float's normal numbers. */
constexpr float power(int exponent) {
  return aclsim_half::bits_float(static_cast<std::uint32_t>(exponent + 127) << 23);
}

constexpr float decode(const Format& format, std::uint8_t code) {
  const int sign_bit = format.exponent_bits + format.mantissa_bits;
  const std::uint32_t size = code & ((1U << sign_bit) - 1U);
  const float sign = (code >> sign_bit & 1U) != 0 ? -1.0F : 1.0F;
  if (size > format.most) {
    return size == format.overflow && format.overflow != format.nan ? sign * kInfinity : kNaN;
  }
  const std::uint32_t one = 1U << format.mantissa_bits;
  const std::uint32_t field = size >> format.mantissa_bits;
  const std::uint32_t mantissa = size & (one - 1U);
  const int scale = 1 - format.bias - format.mantissa_bits;
  if (field == 0) return sign * static_cast<float>(mantissa) * power(scale);
  return sign * static_cast<float>(one + mantissa) * power(scale + static_cast<int>(field) - 1);
}

constexpr std::uint8_t encode(const Format& format, float value, std::int32_t mode, bool saturate) {
  const std::uint32_t bits = aclsim_half::float_bits(value);
  const std::uint32_t size = bits & 0x7fffffffU;
  const bool negative = bits >> 31 != 0;
  const std::uint32_t sign = negative ? 1U << (format.exponent_bits + format.mantissa_bits) : 0U;
  const auto with_sign = [sign](std::uint32_t code) {
    return static_cast<std::uint8_t>(sign | code);
  };
  const bool bounded = saturate || format.overflow == format.most;
  if (size > 0x7f800000U) return bounded ? std::uint8_t{0} : with_sign(format.nan);
  if (size == 0x7f800000U) return with_sign(bounded ? format.most : format.overflow);
  if (size < 0x00800000U) { /* far below the least number of every format */
    return with_sign(goes_up(mode, negative, false, size != 0 ? 1U : 0U, 2U) ? 1U : 0U);
  }
  const int exponent = static_cast<int>(size >> 23) - 127;
  const int least = 1 - format.bias;
  const int drop = 23 - format.mantissa_bits + (exponent < least ? least - exponent : 0);
  const std::uint32_t significand = (size & 0x7fffffU) | 0x800000U;
  std::uint32_t code = 0;
  if (drop > 24) { /* less than half of the least number */
    code = goes_up(mode, negative, false, 1U, 2U) ? 1U : 0U;
  } else {
    const std::uint32_t kept = significand >> drop;
    const std::uint32_t rest = significand & ((1U << drop) - 1U);
    /* The leading digit adds one to the exponent's field; so does a carry. */
    code = exponent < least ? 0U
                            : static_cast<std::uint32_t>(exponent - least) << format.mantissa_bits;
    code += kept;
    code += goes_up(mode, negative, (kept & 1U) != 0, rest, 1U << (drop - 1)) ? 1U : 0U;
  }
  if (code <= format.most) return with_sign(code);
  const bool stays = mode == kTrunc || mode == kOdd || (mode == kFloor && !negative) ||
                     (mode == kCeil && negative);
  return with_sign(bounded || stays ? format.most : format.overflow);
}

/* ---- E8M0: a scale, 2^(code - 127) without a sign; code 255 is NaN ---- */

constexpr float decode_e8m0(std::uint8_t code) {
  if (code == 0xff) return kNaN;
  return aclsim_half::bits_float(code == 0 ? 0x00400000U : static_cast<std::uint32_t>(code) << 23);
}

/* The exponent's field; sign and mantissa are dropped. Infinities become the largest scale. */
constexpr std::uint8_t encode_e8m0(float value) {
  const std::uint32_t size = aclsim_half::float_bits(value) & 0x7fffffffU;
  if (size > 0x7f800000U) return 0xff;
  return static_cast<std::uint8_t>(size >= 0x7f000000U ? 0xfeU : size >> 23);
}

/*
 * ---- HiFloat8 ----
 * Sign, dot field, exponent (its sign, then its digits after a leading 1), mantissa:
 *   s 11 eeee m | s 10 eee mm | s 01 ee mmm | s 001 e mmm | s 0001 mmm (exponent 0)
 *   s 0000 mmm: 2^(m - 23); 0 and NaN are the codes 0x00 and 0x80
 * The largest code of each sign, 1.5 * 2^15, is an infinity.
 */
inline constexpr std::uint8_t kHifloat8NaN = 0x80;
inline constexpr std::uint8_t kHifloat8Infinity = 0x6f;

/* Digits of the mantissa of numbers with this exponent. */
constexpr int hifloat8_digits(int exponent) {
  const int size = exponent < 0 ? -exponent : exponent;
  if (exponent < -15) return exponent < -22 ? -1 : 0; /* -1: one half of the least number */
  return size < 4 ? 3 : size < 8 ? 2 : 1;
}

constexpr float decode_hifloat8(std::uint8_t code) {
  const std::uint32_t size = code & 0x7fU;
  const float sign = (code & 0x80U) != 0 ? -1.0F : 1.0F;
  if (code == kHifloat8NaN) return kNaN;
  if (size == kHifloat8Infinity) return sign * kInfinity;
  if (size == 0) return 0.0F;
  if (size < 0x08) return sign * power(static_cast<int>(size) - 23);
  if (size < 0x10) return sign * (1.0F + static_cast<float>(size & 7U) * 0.125F);
  /* `width` digits of the exponent without its sign, and the mantissa behind them. */
  const int width = size < 0x20 ? 0 : static_cast<int>(size >> 5);
  const int digits = width < 2 ? 3 : 4 - width;
  const std::uint32_t field = size >> digits;
  const int exponent = static_cast<int>((field & ((1U << width) - 1U)) | 1U << width);
  const bool small = (field >> width & 1U) != 0;
  const std::uint32_t mantissa = size & ((1U << digits) - 1U);
  const float significand = static_cast<float>((1U << digits) + mantissa) * power(-digits);
  return sign * significand * power(small ? -exponent : exponent);
}

/* The code of mantissa * 2^-digits + 1 times 2^exponent, in the range. */
constexpr std::uint32_t pack_hifloat8(int exponent, std::uint32_t mantissa) {
  if (exponent < -15) return static_cast<std::uint32_t>(exponent + 23);
  if (exponent == 0) return 0x08U | mantissa;
  const std::uint32_t small = exponent < 0 ? 1U : 0U;
  const auto size = static_cast<std::uint32_t>(exponent < 0 ? -exponent : exponent);
  if (size < 2) return 0x10U | small << 3 | mantissa;
  if (size < 4) return 0x20U | small << 4 | (size & 1U) << 3 | mantissa;
  if (size < 8) return 0x40U | small << 4 | (size & 3U) << 2 | mantissa;
  return 0x60U | small << 4 | (size & 7U) << 1 | mantissa;
}

/*
 * A number with `bits` digits behind the leading one. Without `hybrid`: to nearest, ties away from
 * 0. Hybrid: numbers of an exponent from -3 to 3 as before; others are increased if the next
 * `width` digits are at least `threshold`, which the last digits of the source give (page of the
 * register-level Cast).
 */
constexpr std::uint32_t round_hifloat8(int exponent, std::uint32_t significand, int bits,
                                       bool hybrid, int width, std::uint32_t threshold) {
  if (exponent > 15) return kHifloat8Infinity;
  if (exponent < -23) return 0;
  const int digits = hifloat8_digits(exponent);
  const int drop = bits - digits;
  const std::uint32_t next = significand >> (drop - width) & ((1U << width) - 1U);
  const bool nearest = !hybrid || (exponent >= -3 && exponent <= 3);
  const bool up = nearest ? next >> (width - 1) != 0 : next >= threshold;
  if (digits <= 0) {
    const int whole = exponent + (up ? 1 : 0);
    return whole < -22 ? 0 : pack_hifloat8(whole, 0);
  }
  const std::uint32_t one = 1U << digits;
  const std::uint32_t mantissa = (significand >> drop) - one + (up ? 1U : 0U);
  if (mantissa < one) return pack_hifloat8(exponent, mantissa);
  return exponent == 15 ? kHifloat8Infinity : pack_hifloat8(exponent + 1, 0);
}

constexpr std::uint8_t finish_hifloat8(std::uint32_t size, bool negative, bool saturate) {
  if (size == 0) return 0; /* there is no -0 */
  if (saturate && size == kHifloat8Infinity) size = kHifloat8Infinity - 1;
  return static_cast<std::uint8_t>((negative ? 0x80U : 0U) | size);
}

constexpr std::uint8_t encode_hifloat8(float value, std::int32_t mode, bool saturate) {
  const std::uint32_t bits = aclsim_half::float_bits(value);
  const std::uint32_t size = bits & 0x7fffffffU;
  if (size > 0x7f800000U) return saturate ? std::uint8_t{0} : kHifloat8NaN;
  const int exponent = static_cast<int>(size >> 23) - 127;
  const std::uint32_t code = round_hifloat8(exponent, (size & 0x7fffffU) | 0x800000U, 23,
                                            mode == kHybrid, 14, bits & 0x3fffU);
  return finish_hifloat8(code, bits >> 31 != 0, saturate);
}

/* From the bits of a half: the threshold of the hybrid mode has two digits. */
constexpr std::uint8_t encode_hifloat8_half(std::uint16_t half, std::int32_t mode, bool saturate) {
  const std::uint32_t size = half & 0x7fffU;
  if (size > 0x7c00U) return saturate ? std::uint8_t{0} : kHifloat8NaN;
  if (size == 0) return 0;
  std::uint32_t significand = size < 0x400U ? size : (size & 0x3ffU) | 0x400U;
  int exponent = size < 0x400U ? -14 : static_cast<int>(size >> 10) - 15;
  for (; significand < 0x400U; significand <<= 1) --exponent;
  const std::uint32_t code =
      round_hifloat8(exponent, significand, 10, mode == kHybrid, 2, (size & 1U) << 1 | 1U);
  return finish_hifloat8(code, half >> 15 != 0, saturate);
}

/* ---- two numbers of 4 bits in a byte: the first in the low bits ---- */

constexpr std::uint8_t half_byte(std::uint8_t byte, std::uint32_t high) {
  return static_cast<std::uint8_t>(byte >> (high * 4U) & 0xfU);
}

}  // namespace aclsim_narrow

/*
 * The types. A number is made from a float to nearest with saturation. Types with x2 in their names
 * hold two numbers; a tensor counts these numbers one by one, and reading or writing a scalar of it
 * moves the byte of both.
 */
#define ACLSIM_NARROW_TYPE(name, DECODE, ENCODE)                                         \
  struct name {                                                                          \
    std::uint8_t aclsim_bits;                                                            \
    name() = default;                                                                    \
    explicit constexpr name(float value) : aclsim_bits(ENCODE) {}                        \
    static constexpr name aclsim_from_bits(std::uint8_t bits) {                          \
      name made(0.0F);                                                                   \
      made.aclsim_bits = bits;                                                           \
      return made;                                                                       \
    }                                                                                    \
    explicit constexpr operator float() const { return DECODE; }                         \
    constexpr bool operator==(name other) const { return float(*this) == float(other); } \
    constexpr bool operator!=(name other) const { return float(*this) != float(other); } \
  };
ACLSIM_NARROW_TYPE(fp8_e4m3fn_t, aclsim_narrow::decode(aclsim_narrow::kE4M3, aclsim_bits),
                   aclsim_narrow::encode(aclsim_narrow::kE4M3, value, aclsim_narrow::kRint, true))
ACLSIM_NARROW_TYPE(fp8_e5m2_t, aclsim_narrow::decode(aclsim_narrow::kE5M2, aclsim_bits),
                   aclsim_narrow::encode(aclsim_narrow::kE5M2, value, aclsim_narrow::kRint, true))
ACLSIM_NARROW_TYPE(fp8_e8m0_t, aclsim_narrow::decode_e8m0(aclsim_bits),
                   aclsim_narrow::encode_e8m0(value))
ACLSIM_NARROW_TYPE(hifloat8_t, aclsim_narrow::decode_hifloat8(aclsim_bits),
                   aclsim_narrow::encode_hifloat8(value, aclsim_narrow::kRound, true))
#undef ACLSIM_NARROW_TYPE

#define ACLSIM_NARROW_PAIR(name)                                                               \
  struct name {                                                                                \
    std::uint8_t aclsim_bits;                                                                  \
    static constexpr name aclsim_from_bits(std::uint8_t bits) { return name{bits}; }           \
    static name aclsim_nibble(const std::uint8_t* byte, std::uint32_t) { return name{*byte}; } \
    static void aclsim_put(std::uint8_t* byte, std::uint32_t, name value) {                    \
      *byte = value.aclsim_bits;                                                               \
    }                                                                                          \
    constexpr bool operator==(name other) const { return aclsim_bits == other.aclsim_bits; }   \
    constexpr bool operator!=(name other) const { return aclsim_bits != other.aclsim_bits; }   \
  };
ACLSIM_NARROW_PAIR(fp4x2_e1m2_t)
ACLSIM_NARROW_PAIR(fp4x2_e2m1_t)
ACLSIM_NARROW_PAIR(int4x2_t)
#undef ACLSIM_NARROW_PAIR

/* The second spelling, which the SIMT pages use. */
using float8_e4m3_t = fp8_e4m3fn_t;
using float8_e5m2_t = fp8_e5m2_t;
using float8_e8m0_t = fp8_e8m0_t;
using float4_e1m2x2_t = fp4x2_e1m2_t;
using float4_e2m1x2_t = fp4x2_e2m1_t;
/* The names that bisheng itself has for them. */
using __fp8e4m3 = fp8_e4m3fn_t;
using __fp8e5m2 = fp8_e5m2_t;
using __fp4e1m2x2 = fp4x2_e1m2_t;
using __fp4e2m1x2 = fp4x2_e2m1_t;

#endif /* ASCENDC_IMPL_NARROW_H_ */
