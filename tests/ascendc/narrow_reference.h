// SPDX-License-Identifier: Apache-2.0
// Numbers of 8 and 4 bits, for tests: values from the fields of the formats, codes from a search
// among all values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "ascendc/impl/narrow.h"

namespace narrowtest {

namespace nr = aclsim_narrow;
inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline const double kNan = std::numeric_limits<double>::quiet_NaN();

inline bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

struct Small {
  const char* name;
  nr::Format format;
  int bits;
  int digits;
  int least;        // the exponent of the least number: least = 1 unit
  unsigned finite;  // codes of one sign below this number are finite
};
inline constexpr Small kSmall[] = {
    {"fp8_e4m3fn_t", nr::kE4M3, 8, 3, -9, 0x7f},
    {"fp8_e5m2_t", nr::kE5M2, 8, 2, -16, 0x7c},
    {"fp4x2_e2m1_t", nr::kE2M1, 4, 1, -1, 8},
    {"fp4x2_e1m2_t", nr::kE1M2, 4, 2, -2, 8},
};

/// The value of a code without its sign, also of the code after the largest number.
inline double size_of(const Small& small, unsigned code) {
  const unsigned field = code >> small.digits;
  const double mantissa = code & ((1U << small.digits) - 1U);
  if (field == 0) return std::ldexp(mantissa, small.least);
  return std::ldexp(mantissa + (1 << small.digits), small.least + static_cast<int>(field) - 1);
}

/// The numbers of HiFloat8 by the paper's table: dot field, digits of the exponent, mantissa.
inline double hifloat8_of(unsigned code) {
  if (code == 0x80) return kNan;
  if ((code & 0x7f) == 0x6f) return (code & 0x80) != 0 ? -kInf : kInf;
  if (code == 0) return 0;
  const double sign = (code & 0x80) != 0 ? -1 : 1;
  struct Row {
    unsigned dot, dot_bits;
    int exponent_bits, mantissa_bits;
  };
  for (const Row row : {Row{3, 2, 4, 1}, Row{2, 2, 3, 2}, Row{1, 2, 2, 3}, Row{1, 3, 1, 3},
                        Row{1, 4, 0, 3}, Row{0, 4, 0, 3}}) {
    if ((code & 0x7f) >> (7 - row.dot_bits) != row.dot) continue;
    const double mantissa = code & ((1U << row.mantissa_bits) - 1U);
    if (row.dot == 0) return sign * std::ldexp(1.0, static_cast<int>(mantissa) - 23);
    int exponent = 0;
    if (row.exponent_bits > 0) {
      const unsigned field = code >> row.mantissa_bits & ((1U << row.exponent_bits) - 1U);
      const unsigned one = 1U << (row.exponent_bits - 1);
      exponent = static_cast<int>(one | (field & (one - 1U)));
      if ((field & one) != 0) exponent = -exponent;
    }
    return sign * std::ldexp(1 + std::ldexp(mantissa, -row.mantissa_bits), exponent);
  }
  return kNan;
}

/// Between `low` and `high` of one sign: whether the number `at` (0 to 1) becomes `high`.
inline bool up(int mode, bool negative, bool odd, double at) {
  switch (mode) {
    case nr::kFloor:
      return negative && at > 0;
    case nr::kCeil:
      return !negative && at > 0;
    case nr::kRound:
      return at >= 0.5;
    case nr::kTrunc:
      return false;
    case nr::kOdd:
      return at > 0 && !odd;
    default:
      return at > 0.5 || (at == 0.5 && odd);
  }
}

inline std::uint8_t wanted_code(const Small& small, float x, int mode, bool saturate) {
  const unsigned sign = std::signbit(x) ? 1U << (small.bits - 1) : 0;
  const double size = std::fabs(static_cast<double>(x));
  const bool bounded = saturate || small.bits == 4;
  unsigned code = 0;
  while (code < small.finite && size_of(small, code + 1) <= size) ++code;
  if (code < small.finite) {
    const double low = size_of(small, code), high = size_of(small, code + 1);
    code += up(mode, sign != 0, (code & 1U) != 0, (size - low) / (high - low)) ? 1 : 0;
  }
  const bool inward = mode == nr::kTrunc || mode == nr::kOdd || (mode == nr::kFloor && sign == 0) ||
                      (mode == nr::kCeil && sign != 0);
  const bool back = code == small.finite && (bounded || inward);
  return static_cast<std::uint8_t>(sign | (back ? code - 1 : code));
}

/// The numbers of HiFloat8 from 0 to the infinity in order, this as the number that its code would
/// have, and one more.
inline std::vector<double> ladder() {
  std::vector<double> all;
  for (unsigned code = 0; code < 0x80; ++code) {
    all.push_back(code == 0x6f ? 1.5 * 32768 : hifloat8_of(code));
  }
  std::sort(all.begin(), all.end());
  return all;
}

template <class Up>
double hifloat8_near(double x, bool saturate, Up goes_up) {
  static const std::vector<double> steps = ladder();
  const double size = std::fabs(x);
  const auto high = std::upper_bound(steps.begin(), steps.end(), size);
  double result = kInf;
  if (high != steps.end()) {
    const double low = *(high - 1);
    result = goes_up((size - low) / (*high - low)) ? *high : low;
  }
  if (result > 32768) result = saturate ? 32768 : kInf;
  return result == 0 ? 0 : std::copysign(result, x);
}

/// The value of a code with its sign.
inline double value_of(const Small& small, unsigned code) {
  const unsigned sign = 1U << (small.bits - 1), size = code & (sign - 1U);
  double value = size < small.finite ? size_of(small, size) : kNan;
  if (small.bits == 8 && small.digits == 2 && size == 0x7c) value = kInf;
  return (code & sign) != 0 ? -value : value;
}

/// The number that a float becomes.
inline double converted(const Small& small, float x, int mode, bool saturate) {
  const bool bounded = saturate || small.bits == 4;
  if (std::isnan(x)) return bounded ? 0 : kNan;
  if (std::isinf(x)) {
    const double size = bounded             ? size_of(small, small.finite - 1)
                        : small.digits == 2 ? kInf
                                            : kNan;
    return std::copysign(size, x);
  }
  return value_of(small, wanted_code(small, x, mode, saturate));
}
inline double to_hifloat8(float x, int mode, bool saturate) {
  if (std::isnan(x)) return saturate ? 0 : kNan;
  const int power = x == 0 ? -99 : std::ilogb(x);
  const std::uint32_t last = aclsim_half::float_bits(x) & 0x3fff;
  return hifloat8_near(x, saturate, [=](double at) {
    if (mode != nr::kHybrid || (power >= -3 && power <= 3)) return at >= 0.5;
    return power >= -23 && std::floor(at * 16384) >= last;
  });
}
inline double half_to_hifloat8(std::uint16_t bits, int mode, bool saturate) {
  const double x = half::aclsim_from_bits(bits);
  if (std::isnan(x)) return saturate ? 0 : kNan;
  const int power = x == 0 ? -99 : std::ilogb(x);
  return hifloat8_near(x, saturate, [=](double at) {
    if (mode != nr::kHybrid || (power >= -3 && power <= 3)) return at >= 0.5;
    return power >= -23 && std::floor(at * 4) >= ((bits & 1) != 0 ? 3 : 1);
  });
}

/// Numbers in and around the interval from `low` to `high`.
inline std::vector<float> around(double low, double high) {
  std::vector<float> all;
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const auto x = static_cast<float>(low + (high - low) * part);
    all.insert(all.end(), {x, std::nextafterf(x, 0), std::nextafterf(x, 1e30F)});
  }
  return all;
}

}  // namespace narrowtest
