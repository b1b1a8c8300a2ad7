// SPDX-License-Identifier: Apache-2.0
// Rounding by search: all numbers of a short type in order, and the neighbours of a value in them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace simt_test {

enum class Mode { nearest, down, up, away, zero, odd };

struct Shape {
  int exponent_bits, mantissa_bits;
};
inline constexpr Shape kHalf = {5, 10};
inline constexpr Shape kBfloat16 = {8, 7};

/// The value of 16 bits; infinities and NaN too.
inline double decoded(unsigned bits, Shape shape) {
  const unsigned field = bits >> shape.mantissa_bits & ((1U << shape.exponent_bits) - 1U);
  const unsigned mantissa = bits & ((1U << shape.mantissa_bits) - 1U);
  const int bias = (1 << (shape.exponent_bits - 1)) - 1;
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  if (field == (1U << shape.exponent_bits) - 1U) return mantissa != 0 ? NAN : sign * INFINITY;
  const int least = 1 - bias - shape.mantissa_bits;
  if (field == 0) return sign * std::ldexp(mantissa, least);
  return sign *
         std::ldexp((1U << shape.mantissa_bits) + mantissa, least + static_cast<int>(field) - 1);
}

/// The numbers that are not negative, and whether their last digit is odd. The last one
/// would follow if there were more exponents, and is an infinity.
class Numbers {
 public:
  explicit Numbers(Shape shape) {
    const unsigned infinity = ((1U << shape.exponent_bits) - 1U) << shape.mantissa_bits;
    for (unsigned bits = 0; bits < infinity; ++bits) values_.push_back(decoded(bits, shape));
    values_.push_back(2 * values_.back() - values_[values_.size() - 2]);
  }
  template <class Wide>
  double rounded(Wide value, Mode mode) const {
    const bool negative = value < 0;
    const Wide size = negative ? -value : value;
    const double sign = negative ? -1 : 1;
    if (!(size < static_cast<Wide>(values_.back()))) return sign * INFINITY;
    const auto above = std::lower_bound(values_.begin(), values_.end(), size);
    const auto at = static_cast<std::size_t>(above - values_.begin());
    if (static_cast<Wide>(*above) == size) return sign * *above;
    const Wide low = values_[at - 1];
    const Wide high = *above;
    bool up = false;
    if (mode == Mode::down) up = negative;
    if (mode == Mode::up) up = !negative;
    if (mode == Mode::odd) up = at % 2 == 1;
    if (mode == Mode::away) up = size - low >= high - size;
    if (mode == Mode::nearest) {
      up = size - low > high - size || (size - low == high - size && at % 2 == 0);
    }
    const std::size_t taken = up ? at : at - 1;
    return sign * (taken + 1 == values_.size() ? INFINITY : values_[taken]);
  }

 private:
  std::vector<double> values_;  // the index is the bits
};
inline const Numbers& halves() {
  static const Numbers numbers(kHalf);
  return numbers;
}
inline const Numbers& bfloats() {
  static const Numbers numbers(kBfloat16);
  return numbers;
}

/// The same for floats.
inline double rounded_to_float(long double value, Mode mode) {
  const float near = static_cast<float>(value);
  if (static_cast<long double>(near) == value) return static_cast<double>(near);
  const bool above = static_cast<long double>(near) > value;
  const float low = above ? std::nextafter(near, -INFINITY) : near;
  const float high = above ? near : std::nextafter(near, INFINITY);
  const long double below = value - static_cast<long double>(low);
  const long double over = static_cast<long double>(high) - value;
  const float outer = value < 0 ? low : high;
  const float inner = value < 0 ? high : low;
  switch (mode) {
    case Mode::down:
      return static_cast<double>(low);
    case Mode::up:
      return static_cast<double>(high);
    case Mode::zero:
      return static_cast<double>(inner);
    case Mode::away:
      return static_cast<double>(below == over ? outer : near);
    default:
      return static_cast<double>(near);  // conversions of the host round so
  }
}

inline double whole(double x, Mode mode) {
  if (std::isinf(x)) return x;
  switch (mode) {
    case Mode::down:
      return std::floor(x);
    case Mode::up:
      return std::ceil(x);
    case Mode::zero:
      return std::trunc(x);
    case Mode::away:
      return std::round(x);
    default:
      return x - std::remainder(x, 1.0);  // the remainder of a tie is that to the even number
  }
}
template <class T>
T limited(double integral) {
  if (std::isnan(integral)) return 0;
  if (integral >= static_cast<double>(std::numeric_limits<T>::max())) {
    return std::numeric_limits<T>::max();
  }
  if (integral <= static_cast<double>(std::numeric_limits<T>::min())) {
    return std::numeric_limits<T>::min();
  }
  return static_cast<T>(integral);
}

inline bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace simt_test
