/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One conversion between the numbers of SIMT code, in each rounding mode; all named conversions are
 * forms of it. A number that is too large after rounding is an infinity, or the largest number
 * where the control register asks for saturation.
 */
#ifndef ASCENDC_IMPL_SIMT_ROUND_H_
#define ASCENDC_IMPL_SIMT_ROUND_H_

#include <cmath>
#include <limits>
#include <type_traits>

#include "ascendc/impl/half.h"
#include "ascendc/impl/narrow.h"
#include "ascendc/impl/simt_machine.h"

namespace aclsim_simt {

namespace mode {
inline constexpr int32_t rn = aclsim_narrow::kRint, rd = aclsim_narrow::kFloor,
                         ru = aclsim_narrow::kCeil, rna = aclsim_narrow::kRound,
                         rz = aclsim_narrow::kTrunc, ro = aclsim_narrow::kOdd,
                         rh = aclsim_narrow::kHybrid;
}  // namespace mode

/* Bit 60: bit 48 decides for all functions, else the name of each. Bit 48: nothing saturates. */
inline bool all_saturate() { return (aclsimThisThread()->control >> 48 & 1U) == 0; }
inline bool saturates(bool named) {
  return (aclsimThisThread()->control >> 60 & 1U) != 0 ? all_saturate() : named;
}

/* The binary formats: digits with the leading one, the exponent of the least normal number. */
template <typename T>
struct Binary {
  static constexpr int digits = 24, least = -126;
  static constexpr float most = 0x1.fffffep127F;
};
template <>
struct Binary<half> {
  static constexpr int digits = 11, least = -14;
  static constexpr float most = 65504.0F;
};
template <>
struct Binary<bfloat16_t> {
  static constexpr int digits = 8, least = -126;
  static constexpr float most = 0x1.fep127F;
};
template <typename T>
inline constexpr bool is_short = std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>;
template <typename T>
inline constexpr bool is_real = is_short<T> || std::is_same_v<T, float>;

/* significand * 2^exponent. */
struct Exact {
  bool negative;
  uint64_t significand;
  int exponent;
};
template <typename U>
Exact exact(U x) {
  if constexpr (std::is_integral_v<U>) {
    const bool negative = x < 0;
    const auto size = static_cast<uint64_t>(x);
    return {negative, negative ? 0 - size : size, 0};
  } else {
    int exponent = 0;
    const float part = std::frexp(std::fabs(static_cast<float>(x)), &exponent);
    return {std::signbit(static_cast<float>(x)),
            static_cast<uint64_t>(std::ldexp(static_cast<double>(part), 24)), exponent - 24};
  }
}

/* A number with those digits; the exponent has no upper limit. */
inline double with_digits(const Exact& x, int digits, int least, int32_t rounding) {
  const double sign = x.negative ? -1.0 : 1.0;
  if (x.significand == 0) return sign * 0.0;
  const int leading = 63 - __builtin_clzll(x.significand) + x.exponent;
  const int unit = (leading > least ? leading : least) - (digits - 1);
  const int drop = unit - x.exponent;
  if (drop <= 0) return sign * std::ldexp(static_cast<double>(x.significand), x.exponent);
  const uint64_t kept = drop > 63 ? 0 : x.significand >> drop;
  /* The dropped digits: 1 below a tie, 2 a tie, 3 above. */
  uint32_t rest = 1;
  if (drop < 65) {
    const uint64_t tie = uint64_t{1} << (drop - 1);
    const uint64_t dropped = x.significand & (tie - 1 + tie);
    rest = dropped == 0 ? 0 : dropped < tie ? 1 : dropped == tie ? 2 : 3;
  }
  const bool up = aclsim_narrow::goes_up(rounding, x.negative, (kept & 1U) != 0, rest, 2);
  return sign * std::ldexp(static_cast<double>(kept + (up ? 1 : 0)), unit);
}

/* The real number of type T that a result becomes. */
template <typename T>
T finish(double result, bool saturated) {
  constexpr double most = Binary<T>::most;
  if (saturated && result != result) return T(0.0F);
  if (!(std::fabs(result) > most)) return T(static_cast<float>(result));
  const double size = saturated ? most : __builtin_inf();
  return T(static_cast<float>(std::copysign(size, result)));
}

inline float to_whole(float x, int32_t rounding) {
  switch (rounding) {
    case mode::rd:
      return std::floor(x);
    case mode::ru:
      return std::ceil(x);
    case mode::rna:
      return std::round(x);
    case mode::rz:
      return std::trunc(x);
    default:
      return std::nearbyint(x);
  }
}

/* The limits hold for numbers that are too large; NaN is 0. */
template <typename T>
T to_integer(float whole) {
  using Limits = std::numeric_limits<T>;
  if (whole != whole) return 0;
  if (whole >= std::ldexp(1.0F, Limits::digits)) return Limits::max();
  if (whole <= static_cast<float>(Limits::min())) return Limits::min();
  return static_cast<T>(whole);
}

/* `named`: the name of the function asks for saturation. */
template <typename T, typename U>
T convert(U x, int32_t rounding, bool named = false) {
  if constexpr (std::is_integral_v<T> && std::is_integral_v<U>) {
    return static_cast<T>(x);
  } else if constexpr (std::is_integral_v<T>) {
    return to_integer<T>(to_whole(static_cast<float>(x), rounding));
  } else if constexpr (std::is_same_v<T, U>) {
    const float whole = to_whole(static_cast<float>(x), rounding);
    return finish<T>(static_cast<double>(whole), is_short<T> && all_saturate());
  } else {
    constexpr bool wider = std::is_same_v<U, half> && std::is_same_v<T, bfloat16_t>;
    const bool saturated = is_short<T> && (wider ? all_saturate() : saturates(named));
    if constexpr (is_real<U>) {
      const float given = static_cast<float>(x);
      if (!std::isfinite(given)) return finish<T>(static_cast<double>(given), saturated);
    }
    return finish<T>(with_digits(exact(x), Binary<T>::digits, Binary<T>::least, rounding),
                     saturated);
  }
}

}  // namespace aclsim_simt

#endif /* ASCENDC_IMPL_SIMT_ROUND_H_ */
