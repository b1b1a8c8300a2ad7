/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of float in SIMT code that the C library lacks. The library itself provides
 * sinf, expf, j0f and the like. Each is computed as a double and rounded once.
 */
#ifndef ASCENDC_IMPL_SIMT_MATH_H_
#define ASCENDC_IMPL_SIMT_MATH_H_

#include <math.h> /* isfinite, isnan, isinf and signbit without std:: */

#include <cmath>

namespace aclsim_simt {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kRoot2 = 1.41421356237309504880;
inline constexpr double kInfinite = __builtin_inf();
inline constexpr double kNaN = __builtin_nan("");

/* The remainder is exact, so large values have the sine of their distance to an even number. */
inline double sine_of_pi(double x) {
  const double rest = std::remainder(x, 2.0);
  if (rest == 0 || rest == 1 || rest == -1) return std::copysign(0.0, x);
  return std::sin(kPi * rest);
}
inline double cosine_of_pi(double x) {
  const double rest = std::fabs(std::remainder(x, 2.0));
  return rest == 0.5 ? 0.0 : std::cos(kPi * rest);
}

/* The x with erfc(x) = p, by steps of Newton from a rough start. */
inline double inverse_of_erfc(double p) {
  if (!(p >= 0 && p <= 2)) return kNaN;
  if (p == 0) return kInfinite;
  if (p == 2) return -kInfinite;
  if (p > 1) return -inverse_of_erfc(2 - p);
  const double tail = std::sqrt(-2 * std::log(p / 2));
  double x = (tail - (2.30753 + 0.27061 * tail) / (1 + (0.99229 + 0.04481 * tail) * tail)) / kRoot2;
  for (int i = 0; i < 4; ++i) {
    const double error = std::erfc(x) - p;
    const double slope = -2 / std::sqrt(kPi) * std::exp(-x * x);
    x -= error / (slope - x * error); /* Halley's step */
  }
  return x;
}
inline double inverse_of_erf(double y) {
  if (std::fabs(y) < 0.5) { /* 1 - y would lose digits */
    double x = y * std::sqrt(kPi) / 2;
    for (int i = 0; i < 6; ++i) {
      const double error = std::erf(x) - y;
      const double slope = 2 / std::sqrt(kPi) * std::exp(-x * x);
      x -= error / (slope + x * error);
    }
    return x;
  }
  return y > 0 ? inverse_of_erfc(1 - y) : -inverse_of_erfc(1 + y);
}

/* exp(x * x) * erfc(x); by its asymptotic series where erfc leaves the normal numbers. */
inline double scaled_erfc(double x) {
  if (x < 25) return std::exp(x * x) * std::erfc(x);
  const double step = 1 / (2 * x * x);
  return (1 - step * (1 - 3 * step * (1 - 5 * step))) / (x * std::sqrt(kPi));
}

inline double square(double x) { return x * x; }
/* An infinity wins over a NaN. */
template <typename... Numbers>
double norm(Numbers... x) {
  if ((std::isinf(x) || ...)) return kInfinite;
  return std::sqrt((square(static_cast<double>(x)) + ...));
}
inline double norm_of(int n, const float* a) {
  double sum = 0;
  bool infinite = false;
  for (int i = 0; i < (n < 1 ? 1 : n); ++i) {
    infinite = infinite || std::isinf(a[i]);
    sum += square(static_cast<double>(a[i]));
  }
  return infinite ? kInfinite : std::sqrt(sum);
}

/* The sum of the series of the modified Bessel function; all terms have the same sign. */
inline double modified_bessel(int order, double x) {
  const double size = std::fabs(x);
  if (std::isnan(x)) return x;
  if (size > 100) return order == 1 && x < 0 ? -kInfinite : kInfinite;
  const double quarter = x * x / 4;
  double term = order == 0 ? 1 : x / 2;
  double sum = term;
  for (int k = 1; std::fabs(term) > std::fabs(sum) * 1e-18; ++k) {
    term *= quarter / (static_cast<double>(k) * (k + order));
    sum += term;
  }
  return sum;
}

/* Rows: name, value of the double x. */
#define ACLSIM_SIMT_UNARY_ROWS(R)                 \
  R(rsqrtf, 1 / std::sqrt(x))                     \
  R(rcbrtf, 1 / std::cbrt(x))                     \
  R(sinpif, sine_of_pi(x))                        \
  R(cospif, cosine_of_pi(x))                      \
  R(tanpif, sine_of_pi(x) / cosine_of_pi(x))      \
  R(erfinvf, inverse_of_erf(x))                   \
  R(erfcinvf, inverse_of_erfc(x))                 \
  R(erfcxf, scaled_erfc(x))                       \
  R(normcdff, std::erfc(-x / kRoot2) / 2)         \
  R(normcdfinvf, -kRoot2* inverse_of_erfc(2 * x)) \
  R(cyl_bessel_i0f, modified_bessel(0, x))        \
  R(cyl_bessel_i1f, modified_bessel(1, x))        \
  R(__saturatef, x >= 1 ? 1.0 : (x > 0 ? x : 0.0))
#define ACLSIM_SIMT_UNARY(NAME, VALUE) \
  inline float NAME(float given) {     \
    const double x = given;            \
    return static_cast<float>(VALUE);  \
  }
/* In a namespace of their own: a later C library may have some of them. */
namespace math {
ACLSIM_SIMT_UNARY_ROWS(ACLSIM_SIMT_UNARY)
inline float rhypotf(float x, float y) { return static_cast<float>(1 / norm(x, y)); }
inline float norm3df(float a, float b, float c) { return static_cast<float>(norm(a, b, c)); }
inline float rnorm3df(float a, float b, float c) { return static_cast<float>(1 / norm(a, b, c)); }
inline float norm4df(float a, float b, float c, float d) {
  return static_cast<float>(norm(a, b, c, d));
}
inline float rnorm4df(float a, float b, float c, float d) {
  return static_cast<float>(1 / norm(a, b, c, d));
}
inline float normf(int n, const float* a) { return static_cast<float>(norm_of(n, a)); }
inline float rnormf(int n, const float* a) { return static_cast<float>(1 / norm_of(n, a)); }
inline float fdividef(float x, float y) { return x / y; }
inline float __fdividef(float x, float y) { return x / y; }
inline void sincospif(float x, float* s, float* c) {
  *s = sinpif(x);
  *c = cospif(x);
}
}  // namespace math
#undef ACLSIM_SIMT_UNARY

}  // namespace aclsim_simt

using aclsim_simt::math::__fdividef;
using aclsim_simt::math::__saturatef;
using aclsim_simt::math::cyl_bessel_i0f;
using aclsim_simt::math::cyl_bessel_i1f;
using aclsim_simt::math::erfcinvf;
using aclsim_simt::math::erfcxf;
using aclsim_simt::math::erfinvf;
using aclsim_simt::math::fdividef;
using aclsim_simt::math::norm3df;
using aclsim_simt::math::norm4df;
using aclsim_simt::math::normcdff;
using aclsim_simt::math::normcdfinvf;
using aclsim_simt::math::normf;
using aclsim_simt::math::rcbrtf;
using aclsim_simt::math::rhypotf;
using aclsim_simt::math::rnorm3df;
using aclsim_simt::math::rnorm4df;
using aclsim_simt::math::rnormf;
using aclsim_simt::math::sincospif;
#if !defined(__GLIBC_PREREQ)
#define ACLSIM_LIBRARY_HAS(major, minor) 0
#else
#define ACLSIM_LIBRARY_HAS(major, minor) __GLIBC_PREREQ(major, minor)
#endif
#if !ACLSIM_LIBRARY_HAS(2, 41)
using aclsim_simt::math::cospif;
using aclsim_simt::math::sinpif;
using aclsim_simt::math::tanpif;
#endif
#if !ACLSIM_LIBRARY_HAS(2, 42)
using aclsim_simt::math::rsqrtf;
#endif
#undef ACLSIM_LIBRARY_HAS

#endif /* ASCENDC_IMPL_SIMT_MATH_H_ */
