/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of half and bfloat16_t, and of pairs of them, in SIMT code. A result is computed as a
 * double and rounded once.
 */
#ifndef ASCENDC_IMPL_SIMT_HALF_H_
#define ASCENDC_IMPL_SIMT_HALF_H_

#include "ascendc/impl/simt_round.h"
#include "ascendc/impl/simt_vectors.h"

namespace aclsim_simt {

/* The sum as a double that rounds to fewer digits as the exact sum does: lost digits leave a trace
 * in its last bit. */
inline double sum_to_odd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double part = sum - a;
  const double lost = (a - (sum - part)) + (b - part);
  const bool even = (__builtin_bit_cast(uint64_t, sum) & 1U) == 0;
  if (lost == 0 || !even) return sum;
  return std::nextafter(sum, lost > 0 ? __builtin_inf() : -__builtin_inf());
}

/* Rounded to nearest; `limited`: the control register may limit it to the largest number. */
template <typename T>
T nearest(double value, bool limited) {
  const bool saturated = limited && all_saturate();
  if (!std::isfinite(value)) return finish<T>(value, saturated);
  int exponent = 0;
  const double part = std::frexp(std::fabs(value), &exponent);
  const Exact exact{std::signbit(value), static_cast<uint64_t>(std::ldexp(part, 53)),
                    exponent - 53};
  return finish<T>(with_digits(exact, Binary<T>::digits, Binary<T>::least, mode::rn), saturated);
}
template <typename T>
double wide(T x) {
  return static_cast<double>(static_cast<float>(x));
}
template <typename T>
bool is_nan(T x) {
  return std::isnan(static_cast<float>(x));
}

template <typename T>
T multiply_add(T x, T y, T z) {
  return nearest<T>(sum_to_odd(wide(x) * wide(y), wide(z)), std::is_same_v<T, half>);
}
/* Numbers that are not above 0 become 0. */
template <typename T>
T positive(T x) {
  return is_nan(x) || static_cast<float>(x) > 0 ? x : T(0.0F);
}
template <typename T>
T size_of(T x) {
  return T::aclsim_from_bits(static_cast<uint16_t>(x.aclsim_bits & 0x7fffU));
}
/* +0 is above -0. `strict`: a NaN is the result, else the other number is. */
template <typename T>
T above(T x, T y, bool strict) {
  if (is_nan(x)) return strict ? x : y;
  if (is_nan(y)) return strict ? y : x;
  if (static_cast<float>(x) == static_cast<float>(y)) return x.aclsim_bits >> 15 != 0 ? y : x;
  return static_cast<float>(x) < static_cast<float>(y) ? y : x;
}
template <typename T>
T below(T x, T y, bool strict) {
  if (is_nan(x)) return strict ? x : y;
  if (is_nan(y)) return strict ? y : x;
  if (static_cast<float>(x) == static_cast<float>(y)) return x.aclsim_bits >> 15 != 0 ? x : y;
  return static_cast<float>(y) < static_cast<float>(x) ? y : x;
}
/* A half with saturation: an infinity becomes the largest number, and a NaN 0. */
template <typename T>
T limited_infinity(T x) {
  const bool infinite = !std::isfinite(static_cast<float>(x));
  if (!infinite || !std::is_same_v<T, half> || !all_saturate()) return x;
  return is_nan(x) ? T(0.0F) : T(std::copysign(Binary<T>::most, static_cast<float>(x)));
}

}  // namespace aclsim_simt

/* The same function of the pair: F of the elements. */
#define ACLSIM_OF_PAIRS_1(NAME, F, PAIR) \
  inline PAIR NAME(const PAIR x) { return make_##PAIR(F(x.x), F(x.y)); }
#define ACLSIM_OF_PAIRS_2(NAME, F, PAIR) \
  inline PAIR NAME(const PAIR x, const PAIR y) { return make_##PAIR(F(x.x, y.x), F(x.y, y.y)); }
#define ACLSIM_OF_PAIRS_3(NAME, F, PAIR)                       \
  inline PAIR NAME(const PAIR x, const PAIR y, const PAIR z) { \
    return make_##PAIR(F(x.x, y.x, z.x), F(x.y, y.y, z.y));    \
  }

/* ---- arithmetic; LIMITED: of half, bfloat16_t keeps infinities save in a division ---- */

#define ACLSIM_HALF_STEP(NAME, op, LIMITED, T, PAIR)                                       \
  inline T NAME(const T x, const T y) {                                                    \
    return aclsim_simt::nearest<T>(aclsim_simt::wide(x) op aclsim_simt::wide(y), LIMITED); \
  }                                                                                        \
  ACLSIM_OF_PAIRS_2(NAME##x2, NAME, PAIR)
#define ACLSIM_HALF_ARITHMETIC(T, PAIR)                                                           \
  ACLSIM_HALF_STEP(__hadd, +, (std::is_same_v<T, half>), T, PAIR)                                 \
  ACLSIM_HALF_STEP(__hsub, -, (std::is_same_v<T, half>), T, PAIR)                                 \
  ACLSIM_HALF_STEP(__hmul, *, (std::is_same_v<T, half>), T, PAIR)                                 \
  ACLSIM_HALF_STEP(__hdiv, /, true, T, PAIR)                                                      \
  inline T __hneg(const T x) { return aclsim_simt::limited_infinity(-x); }                        \
  inline T __habs(const T x) { return aclsim_simt::size_of(x); }                                  \
  inline PAIR __hnegx2(const PAIR x) { return make_##PAIR(__hneg(x.x), __hneg(x.y)); }            \
  inline PAIR __habsx2(const PAIR x) {                                                            \
    return make_##PAIR(aclsim_simt::limited_infinity(__habs(x.x)),                                \
                       aclsim_simt::limited_infinity(__habs(x.y)));                               \
  }                                                                                               \
  inline T __hfma(const T x, const T y, const T z) { return aclsim_simt::multiply_add(x, y, z); } \
  inline T __hfma_relu(const T x, const T y, const T z) {                                         \
    return aclsim_simt::positive(__hfma(x, y, z));                                                \
  }                                                                                               \
  ACLSIM_OF_PAIRS_3(__hfmax2, __hfma, PAIR)                                                       \
  ACLSIM_OF_PAIRS_3(__hfmax2_relu, __hfma_relu, PAIR)                                             \
  /* As complex numbers: x * y + z. */                                                            \
  inline PAIR __hcmadd(const PAIR x, const PAIR y, const PAIR z) {                                \
    return make_##PAIR(__hfma(-x.y, y.y, __hfma(x.x, y.x, z.x)),                                  \
                       __hfma(x.y, y.x, __hfma(x.x, y.y, z.y)));                                  \
  }
ACLSIM_HALF_ARITHMETIC(half, half2)
ACLSIM_HALF_ARITHMETIC(bfloat16_t, bfloat16x2_t)
#undef ACLSIM_HALF_ARITHMETIC
#undef ACLSIM_HALF_STEP

/* ---- comparisons; with u in the name they hold for a NaN, else only != does ---- */

#define ACLSIM_HALF_PREDICATE(NAME, U, HOLDS, T, PAIR)                                            \
  inline bool __h##NAME##U(const T x, const T y) { return HOLDS; }                                \
  inline bool __hb##NAME##U##x2(const PAIR x, const PAIR y) {                                     \
    return __h##NAME##U(x.x, y.x) && __h##NAME##U(x.y, y.y);                                      \
  }                                                                                               \
  inline PAIR __h##NAME##U##x2(const PAIR x, const PAIR y) {                                      \
    return make_##PAIR(T(__h##NAME##U(x.x, y.x) ? 1.0F : 0.0F),                                   \
                       T(__h##NAME##U(x.y, y.y) ? 1.0F : 0.0F));                                  \
  }                                                                                               \
  inline unsigned int __h##NAME##U##x2_mask(const PAIR x, const PAIR y) {                         \
    return (__h##NAME##U(x.x, y.x) ? 0xffffU : 0U) | (__h##NAME##U(x.y, y.y) ? 0xffff0000U : 0U); \
  }
#define ACLSIM_HALF_PREDICATES(NAME, op, T, PAIR)                                        \
  ACLSIM_HALF_PREDICATE(NAME, , static_cast<float>(x) op static_cast<float>(y), T, PAIR) \
  ACLSIM_HALF_PREDICATE(NAME, u,                                                         \
                        aclsim_simt::is_nan(x) || aclsim_simt::is_nan(y) ||              \
                            static_cast<float>(x) op static_cast<float>(y),              \
                        T, PAIR)
#define ACLSIM_HALF_ORDER(T, PAIR)                                                      \
  ACLSIM_HALF_PREDICATES(eq, ==, T, PAIR)                                               \
  ACLSIM_HALF_PREDICATES(ne, !=, T, PAIR)                                               \
  ACLSIM_HALF_PREDICATES(le, <=, T, PAIR)                                               \
  ACLSIM_HALF_PREDICATES(ge, >=, T, PAIR)                                               \
  ACLSIM_HALF_PREDICATES(lt, <, T, PAIR)                                                \
  ACLSIM_HALF_PREDICATES(gt, >, T, PAIR)                                                \
  inline bool __hisnan(const T x) { return aclsim_simt::is_nan(x); }                    \
  inline bool __hisinf(const T x) { return std::isinf(static_cast<float>(x)); }         \
  inline PAIR __isnanx2(const PAIR x) {                                                 \
    return make_##PAIR(T(__hisnan(x.x) ? 1.0F : 0.0F), T(__hisnan(x.y) ? 1.0F : 0.0F)); \
  }                                                                                     \
  inline T __hmax(const T x, const T y) { return aclsim_simt::above(x, y, false); }     \
  inline T __hmin(const T x, const T y) { return aclsim_simt::below(x, y, false); }     \
  inline T __hmax_nan(const T x, const T y) { return aclsim_simt::above(x, y, true); }  \
  inline T __hmin_nan(const T x, const T y) { return aclsim_simt::below(x, y, true); }  \
  ACLSIM_OF_PAIRS_2(__hmaxx2_nan, __hmax_nan, PAIR)                                     \
  ACLSIM_OF_PAIRS_2(__hminx2_nan, __hmin_nan, PAIR)                                     \
  inline PAIR __hmaxx2(const PAIR x, const PAIR y) {                                    \
    return make_##PAIR(aclsim_simt::limited_infinity(__hmax_nan(x.x, y.x)),             \
                       aclsim_simt::limited_infinity(__hmax_nan(x.y, y.y)));            \
  }                                                                                     \
  inline PAIR __hminx2(const PAIR x, const PAIR y) {                                    \
    return make_##PAIR(aclsim_simt::limited_infinity(__hmin_nan(x.x, y.x)),             \
                       aclsim_simt::limited_infinity(__hmin_nan(x.y, y.y)));            \
  }
ACLSIM_HALF_ORDER(half, half2)
ACLSIM_HALF_ORDER(bfloat16_t, bfloat16x2_t)
#undef ACLSIM_HALF_ORDER
#undef ACLSIM_HALF_PREDICATES
#undef ACLSIM_HALF_PREDICATE

/* ---- functions: name, value of the double x ---- */

#define ACLSIM_HALF_FUNCTIONS(R) \
  R(cos, std::cos(x))            \
  R(sin, std::sin(x))            \
  R(tanh, std::tanh(x))          \
  R(exp, std::exp(x))            \
  R(exp2, std::exp2(x))          \
  R(exp10, std::pow(10.0, x))    \
  R(log, std::log(x))            \
  R(log2, std::log2(x))          \
  R(log10, std::log10(x))        \
  R(sqrt, std::sqrt(x))          \
  R(rsqrt, 1 / std::sqrt(x))     \
  R(rcp, 1 / x)                  \
  R(floor, std::floor(x))        \
  R(rint, std::nearbyint(x))     \
  R(ceil, std::ceil(x))          \
  R(trunc, std::trunc(x))
#define ACLSIM_HALF_FUNCTION_OF(NAME, VALUE, T, PAIR) \
  inline T h##NAME(const T given) {                   \
    const double x = aclsim_simt::wide(given);        \
    return aclsim_simt::nearest<T>(VALUE, true);      \
  }                                                   \
  ACLSIM_OF_PAIRS_1(h2##NAME, h##NAME, PAIR)
#define ACLSIM_HALF_FUNCTION(NAME, VALUE)           \
  ACLSIM_HALF_FUNCTION_OF(NAME, VALUE, half, half2) \
  ACLSIM_HALF_FUNCTION_OF(NAME, VALUE, bfloat16_t, bfloat16x2_t)
ACLSIM_HALF_FUNCTIONS(ACLSIM_HALF_FUNCTION)
#undef ACLSIM_HALF_FUNCTION
#undef ACLSIM_HALF_FUNCTION_OF
#undef ACLSIM_HALF_FUNCTIONS
#undef ACLSIM_OF_PAIRS_3
#undef ACLSIM_OF_PAIRS_2
#undef ACLSIM_OF_PAIRS_1

#endif /* ASCENDC_IMPL_SIMT_HALF_H_ */
