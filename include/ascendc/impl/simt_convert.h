/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions by name: __<from>2<to>_<mode>, and _sat at the end for saturation. The modes: rn to
 * nearest even, rz towards zero, rd down, ru up, rna to nearest and ties away from zero, ro to odd.
 */
#ifndef ASCENDC_IMPL_SIMT_CONVERT_H_
#define ASCENDC_IMPL_SIMT_CONVERT_H_

#include "ascendc/impl/simt_round.h"
#include "ascendc/impl/simt_vectors.h"

#define ACLSIM_CAST(FROM, S, TO, D, MODE)                       \
  inline D __##FROM##2##TO##_##MODE(const S x) {                \
    return aclsim_simt::convert<D>(x, aclsim_simt::mode::MODE); \
  }
#define ACLSIM_CAST_SAT(FROM, S, TO, D, MODE)                         \
  inline D __##FROM##2##TO##_##MODE##_sat(const S x) {                \
    return aclsim_simt::convert<D>(x, aclsim_simt::mode::MODE, true); \
  }
#define ACLSIM_MODES(R, FROM, S, TO, D) \
  R(FROM, S, TO, D, rn)                 \
  R(FROM, S, TO, D, rz)                 \
  R(FROM, S, TO, D, rd)                 \
  R(FROM, S, TO, D, ru)                 \
  R(FROM, S, TO, D, rna)
#define ACLSIM_CASTS(FROM, S, TO, D) ACLSIM_MODES(ACLSIM_CAST, FROM, S, TO, D)
#define ACLSIM_CASTS_SAT(FROM, S, TO, D) \
  ACLSIM_CASTS(FROM, S, TO, D)           \
  ACLSIM_MODES(ACLSIM_CAST_SAT, FROM, S, TO, D)

/* Between a real type and each type of integer. */
#define ACLSIM_INTEGER_CASTS(NAME, T)            \
  ACLSIM_CASTS(NAME, T, int, int)                \
  ACLSIM_CASTS(NAME, T, uint, unsigned int)      \
  ACLSIM_CASTS(NAME, T, ll, long long)           \
  ACLSIM_CASTS(NAME, T, ull, unsigned long long) \
  ACLSIM_CASTS(ll, long long, NAME, T)           \
  ACLSIM_CASTS(ull, unsigned long long, NAME, T)
ACLSIM_INTEGER_CASTS(float, float)
ACLSIM_INTEGER_CASTS(half, half)
ACLSIM_INTEGER_CASTS(bfloat16, bfloat16_t)
ACLSIM_CASTS(int, int, float, float)
ACLSIM_CASTS(uint, unsigned int, float, float)
ACLSIM_CASTS_SAT(int, int, half, half)
ACLSIM_CASTS_SAT(uint, unsigned int, half, half)
ACLSIM_CASTS(int, int, bfloat16, bfloat16_t)
ACLSIM_CASTS(uint, unsigned int, bfloat16, bfloat16_t)

/* Between two real types; within one type a number becomes whole. */
ACLSIM_CASTS(float, float, float, float)
ACLSIM_CASTS(half, half, half, half)
ACLSIM_CASTS(bfloat16, bfloat16_t, bfloat16, bfloat16_t)
ACLSIM_CASTS(half, half, bfloat16, bfloat16_t)
ACLSIM_CASTS_SAT(bfloat16, bfloat16_t, half, half)
ACLSIM_CASTS_SAT(float, float, half, half)
ACLSIM_CASTS_SAT(float, float, bfloat16, bfloat16_t)
ACLSIM_CAST(float, float, half, half, ro)
ACLSIM_CAST_SAT(float, float, half, half, ro)
inline half __float2half(const float x) { return __float2half_rn(x); }
inline bfloat16_t __float2bfloat16(const float x) { return __float2bfloat16_rn(x); }
inline float __half2float(const half x) { return static_cast<float>(x); }
inline float __bfloat162float(const bfloat16_t x) { return static_cast<float>(x); }

/* Pairs, element by element. */
#define ACLSIM_PAIR_CAST(FROM, S, TO, D, MODE)                                           \
  inline D __float22##TO##2_##MODE(const float2 x) {                                     \
    return make_##D(__float2##TO##_##MODE(x.x), __float2##TO##_##MODE(x.y));             \
  }                                                                                      \
  inline D __float22##TO##2_##MODE##_sat(const float2 x) {                               \
    return make_##D(__float2##TO##_##MODE##_sat(x.x), __float2##TO##_##MODE##_sat(x.y)); \
  }
ACLSIM_MODES(ACLSIM_PAIR_CAST, float, float2, half, half2)
ACLSIM_PAIR_CAST(float, float2, half, half2, ro)
ACLSIM_MODES(ACLSIM_PAIR_CAST, float, float2, bfloat16, bfloat16x2_t)
inline float2 __half22float2(const half2 x) {
  return make_float2(static_cast<float>(x.x), static_cast<float>(x.y));
}
inline float2 __bfloat1622float2(const bfloat16x2_t x) {
  return make_float2(static_cast<float>(x.x), static_cast<float>(x.y));
}
#undef ACLSIM_PAIR_CAST
#undef ACLSIM_INTEGER_CASTS
#undef ACLSIM_CASTS_SAT
#undef ACLSIM_CASTS
#undef ACLSIM_MODES
#undef ACLSIM_CAST_SAT
#undef ACLSIM_CAST

/* The same bits as another type. */
inline float __int_as_float(const int x) { return __builtin_bit_cast(float, x); }
inline float __uint_as_float(const unsigned int x) { return __builtin_bit_cast(float, x); }
inline int __float_as_int(const float x) { return __builtin_bit_cast(int, x); }
inline unsigned int __float_as_uint(const float x) { return __builtin_bit_cast(unsigned int, x); }
inline half __ushort_as_half(const unsigned short x) { return half::aclsim_from_bits(x); }
inline bfloat16_t __ushort_as_bfloat16(const unsigned short x) {
  return bfloat16_t::aclsim_from_bits(x);
}

/* Pairs from and to their elements: low is x, high is y. */
#define ACLSIM_PAIR_PARTS(NAME, T, PAIR)                                                      \
  inline PAIR __floats2##NAME##2_rn(const float x, const float y) {                           \
    return make_##PAIR(__float2##NAME##_rn(x), __float2##NAME##_rn(y));                       \
  }                                                                                           \
  inline PAIR __float2##NAME##2_rn(const float x) { return __floats2##NAME##2_rn(x, x); }     \
  inline PAIR __##NAME##2##NAME##2(const T x) { return make_##PAIR(x, x); }                   \
  inline PAIR __halves2##NAME##2(const T x, const T y) { return make_##PAIR(x, y); }          \
  inline T __low2##NAME(const PAIR x) { return x.x; }                                         \
  inline T __high2##NAME(const PAIR x) { return x.y; }                                        \
  inline PAIR __low2##NAME##2(const PAIR x) { return make_##PAIR(x.x, x.x); }                 \
  inline PAIR __high2##NAME##2(const PAIR x) { return make_##PAIR(x.y, x.y); }                \
  inline PAIR __lows2##NAME##2(const PAIR x, const PAIR y) { return make_##PAIR(x.x, y.x); }  \
  inline PAIR __highs2##NAME##2(const PAIR x, const PAIR y) { return make_##PAIR(x.y, y.y); } \
  inline PAIR __lowhigh2highlow(const PAIR x) { return make_##PAIR(x.y, x.x); }               \
  inline float __low2float(const PAIR x) { return static_cast<float>(x.x); }                  \
  inline float __high2float(const PAIR x) { return static_cast<float>(x.y); }
ACLSIM_PAIR_PARTS(half, half, half2)
ACLSIM_PAIR_PARTS(bfloat16, bfloat16_t, bfloat16x2_t)
#undef ACLSIM_PAIR_PARTS

#endif /* ASCENDC_IMPL_SIMT_CONVERT_H_ */
