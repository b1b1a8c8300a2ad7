/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of AscendC::Simt for functions of the other headers of SIMT code. A function of a short
 * type computes with float and rounds once.
 */
#ifndef ASCENDC_IMPL_SIMT_NAMES_H_
#define ASCENDC_IMPL_SIMT_NAMES_H_

#include <cstdio>

#include "ascendc/impl/simt_constants.h"
#include "ascendc/impl/simt_integer.h"
#include "ascendc/impl/simt_math.h"
#include "ascendc/impl/simt_memory.h"
#include "ascendc/impl/simt_round.h"
#include "ascendc/impl/simt_warp.h"
#include "ascendc/impl/types.h"

namespace AscendC {
namespace Simt {

enum class SatMode { NO_SAT = 0, SAT };

inline int32_t GetWarpSize() { return warpSize; }
inline uint32_t GetBlockIdx() { return aclsimThisThread()->block[0]; }
inline uint32_t GetBlockNum() { return aclsimThisThread()->grid_dim[0]; }
template <int32_t dim = 0>
uint32_t GetThreadIdx() {
  static_assert(dim >= 0 && dim < 3, "AscendC::Simt::GetThreadIdx: dim is 0, 1 or 2");
  return aclsimThisThread()->index[dim];
}
template <int32_t dim = 0>
uint32_t GetThreadNum() {
  static_assert(dim >= 0 && dim < 3, "AscendC::Simt::GetThreadNum: dim is 0, 1 or 2");
  return aclsimThisThread()->block_dim[dim];
}
ACLSIM_THROUGH void ThreadBarrier() { asc_syncthreads(); }
inline void ThreadFence() { asc_threadfence(); }
template <class... Args>
void PRINTF(const char* fmt, Args&&... args) {
  ::printf(fmt, args...);
}

/* ---- warps: name, parameters, function and arguments ---- */

#define ACLSIM_SIMT_WARP(RESULT, NAME, FUNCTION) \
  ACLSIM_THROUGH RESULT NAME(int32_t predicate) { return FUNCTION(predicate); }
ACLSIM_SIMT_WARP(int32_t, WarpAllSync, asc_all)
ACLSIM_SIMT_WARP(int32_t, WarpAnySync, asc_any)
ACLSIM_SIMT_WARP(uint32_t, WarpBallotSync, asc_ballot)
#undef ACLSIM_SIMT_WARP
ACLSIM_THROUGH uint32_t WarpActiveMask() { return asc_activemask(); }
/* Whether all predicates are 0, or none is. */
ACLSIM_WARP inline int32_t Uni(int32_t predicate) {
  const aclsim_simt::Votes votes = aclsim_simt::vote(predicate != 0, ACLSIM_SITE);
  return votes.yes == 0 || votes.yes == votes.there ? 1 : 0;
}
#define ACLSIM_SIMT_SHUFFLE(NAME, FUNCTION, OTHER)                       \
  template <typename T>                                                  \
  ACLSIM_THROUGH T NAME(T var, OTHER source, int32_t width = warpSize) { \
    return FUNCTION(var, source, width);                                 \
  }
ACLSIM_SIMT_SHUFFLE(WarpShflSync, asc_shfl, int32_t)
ACLSIM_SIMT_SHUFFLE(WarpShflUpSync, asc_shfl_up, uint32_t)
ACLSIM_SIMT_SHUFFLE(WarpShflDownSync, asc_shfl_down, uint32_t)
ACLSIM_SIMT_SHUFFLE(WarpShflXorSync, asc_shfl_xor, int32_t)
#undef ACLSIM_SIMT_SHUFFLE
#define ACLSIM_SIMT_ONE(NAME, FUNCTION) \
  template <typename T>                 \
  ACLSIM_THROUGH T NAME(T val) {        \
    return FUNCTION(val);               \
  }
ACLSIM_SIMT_ONE(WarpReduceAddSync, asc_reduce_add)
ACLSIM_SIMT_ONE(WarpReduceMaxSync, asc_reduce_max)
ACLSIM_SIMT_ONE(WarpReduceMinSync, asc_reduce_min)
#undef ACLSIM_SIMT_ONE

/* ---- atomics ---- */

#define ACLSIM_SIMT_ATOMIC(NAME, FUNCTION)   \
  template <typename T>                      \
  ACLSIM_THROUGH T NAME(T* address, T val) { \
    return FUNCTION(address, val);           \
  }
ACLSIM_SIMT_ATOMIC(AtomicAdd, asc_atomic_add)
ACLSIM_SIMT_ATOMIC(AtomicSub, asc_atomic_sub)
ACLSIM_SIMT_ATOMIC(AtomicExch, asc_atomic_exch)
ACLSIM_SIMT_ATOMIC(AtomicMax, asc_atomic_max)
ACLSIM_SIMT_ATOMIC(AtomicMin, asc_atomic_min)
ACLSIM_SIMT_ATOMIC(AtomicInc, asc_atomic_inc)
ACLSIM_SIMT_ATOMIC(AtomicDec, asc_atomic_dec)
ACLSIM_SIMT_ATOMIC(AtomicAnd, asc_atomic_and)
ACLSIM_SIMT_ATOMIC(AtomicOr, asc_atomic_or)
ACLSIM_SIMT_ATOMIC(AtomicXor, asc_atomic_xor)
#undef ACLSIM_SIMT_ATOMIC
template <typename T>
ACLSIM_THROUGH T AtomicCas(T* address, T compare, T val) {
  return asc_atomic_cas(address, compare, val);
}

/* ---- functions of real numbers ---- */

#define ACLSIM_SIMT_FUNCTIONS(R)      \
  R(Tan, ::tanf)                      \
  R(Tanh, ::tanhf)                    \
  R(Tanpi, aclsim_simt::math::tanpif) \
  R(Atan, ::atanf)                    \
  R(Atanh, ::atanhf)                  \
  R(Cos, ::cosf)                      \
  R(Cosh, ::coshf)                    \
  R(Cospi, aclsim_simt::math::cospif) \
  R(Asin, ::asinf)                    \
  R(Acos, ::acosf)                    \
  R(Acosh, ::acoshf)                  \
  R(Sin, ::sinf)                      \
  R(Sinh, ::sinhf)                    \
  R(Sinpi, aclsim_simt::math::sinpif) \
  R(Asinh, ::asinhf)                  \
  R(Exp, ::expf)                      \
  R(Exp2, ::exp2f)                    \
  R(Exp10, ::exp10f)                  \
  R(Expm1, ::expm1f)                  \
  R(Sqrt, ::sqrtf)                    \
  R(Rsqrt, aclsim_simt::math::rsqrtf) \
  R(Log, ::logf)                      \
  R(Log2, ::log2f)                    \
  R(Log10, ::log10f)                  \
  R(Log1p, ::log1pf)                  \
  R(Logb, ::logbf)                    \
  R(Cbrt, ::cbrtf)                    \
  R(Rcbrt, ::rcbrtf)                  \
  R(Erf, ::erff)                      \
  R(Erfc, ::erfcf)                    \
  R(Erfinv, ::erfinvf)                \
  R(Erfcinv, ::erfcinvf)              \
  R(Erfcx, ::erfcxf)                  \
  R(Tgamma, ::tgammaf)                \
  R(Lgamma, ::lgammaf)                \
  R(CylBesselI0, ::cyl_bessel_i0f)    \
  R(CylBesselI1, ::cyl_bessel_i1f)    \
  R(Normcdf, ::normcdff)              \
  R(J0, ::j0f)                        \
  R(J1, ::j1f)                        \
  R(Y0, ::y0f)                        \
  R(Y1, ::y1f)                        \
  R(Round, ::roundf)                  \
  R(Rint, ::rintf)                    \
  R(NearbyInt, ::nearbyintf)          \
  R(Floor, ::floorf)                  \
  R(Ceil, ::ceilf)                    \
  R(Trunc, ::truncf)
#define ACLSIM_SIMT_FUNCTION(NAME, FUNCTION)                \
  template <typename T>                                     \
  T NAME(T x) {                                             \
    return static_cast<T>(FUNCTION(static_cast<float>(x))); \
  }
ACLSIM_SIMT_FUNCTIONS(ACLSIM_SIMT_FUNCTION)
#undef ACLSIM_SIMT_FUNCTION
#undef ACLSIM_SIMT_FUNCTIONS

#define ACLSIM_SIMT_FUNCTION_2(NAME, FUNCTION)                                     \
  template <typename T>                                                            \
  T NAME(T x, T y) {                                                               \
    return static_cast<T>(FUNCTION(static_cast<float>(x), static_cast<float>(y))); \
  }
ACLSIM_SIMT_FUNCTION_2(Atan2, ::atan2f)
ACLSIM_SIMT_FUNCTION_2(Hypot, ::hypotf)
ACLSIM_SIMT_FUNCTION_2(Rhypot, ::rhypotf)
ACLSIM_SIMT_FUNCTION_2(Pow, ::powf)
ACLSIM_SIMT_FUNCTION_2(Fdim, ::fdimf)
ACLSIM_SIMT_FUNCTION_2(Mod, ::fmodf)
ACLSIM_SIMT_FUNCTION_2(Remainder, ::remainderf)
ACLSIM_SIMT_FUNCTION_2(CopySign, ::copysignf)
ACLSIM_SIMT_FUNCTION_2(NextAfter, ::nextafterf)
#undef ACLSIM_SIMT_FUNCTION_2

template <typename T>
T Norm3d(T a, T b, T c) {
  return ::norm3df(a, b, c);
}
template <typename T>
T Rnorm3d(T a, T b, T c) {
  return ::rnorm3df(a, b, c);
}
template <typename T>
T Norm4d(T a, T b, T c, T d) {
  return ::norm4df(a, b, c, d);
}
template <typename T>
T Rnorm4d(T a, T b, T c, T d) {
  return ::rnorm4df(a, b, c, d);
}
template <typename T, typename U>
U Norm(T n, U* a) {
  return ::normf(n, a);
}
template <typename T, typename U>
U Rnorm(T n, U* a) {
  return ::rnormf(n, a);
}
template <typename T, typename U>
U Jn(T n, U x) {
  return n < 0 ? ASCRT_NAN_F : ::jnf(n, x);
}
template <typename T, typename U>
U Yn(T n, U x) {
  return n < 0 ? ASCRT_NAN_F : ::ynf(n, x);
}
template <typename T>
void Sincos(T x, T& s, T& c) {
  s = Sin(x);
  c = Cos(x);
}
template <typename T>
void Sincospi(T x, T& s, T& c) {
  s = Sinpi(x);
  c = Cospi(x);
}
template <typename T, typename U>
T Frexp(T x, U& exp) {
  int exponent = 0;
  const T part = ::frexpf(x, &exponent);
  exp = static_cast<U>(exponent);
  return part;
}
template <typename T, typename U>
T Ldexp(T x, U exp) {
  return ::ldexpf(x, static_cast<int>(exp));
}
template <typename T, typename U>
T ScaLbn(T x, U n) {
  return ::scalbnf(x, static_cast<int>(n));
}
template <typename T>
int Ilogb(T x) {
  return ::ilogbf(x);
}
template <typename T, typename U>
T RemQuo(T x, T y, U* quo) {
  int quotient = 0;
  const T rest = ::remquof(x, y, &quotient);
  *quo = static_cast<U>(quotient);
  return rest;
}

/* ---- functions of all numbers ---- */

template <typename T>
T Abs(T x) {
  return x < T(0) ? T(-x) : x;
}
template <typename T>
T Fma(T x, T y, T z) {
  return static_cast<T>(
      std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)));
}
template <typename T>
T Max(T x, T y) {
  return x < y ? y : x;
}
template <typename T>
T Min(T x, T y) {
  return y < x ? y : x;
}
template <typename T>
bool IsFinite(T x) {
  return std::isfinite(static_cast<float>(x));
}
template <typename T>
bool IsNan(T x) {
  return std::isnan(static_cast<float>(x));
}
template <typename T>
bool IsInf(T x) {
  return std::isinf(static_cast<float>(x));
}
template <typename T, typename U, RoundMode roundMode, SatMode satMode = SatMode::NO_SAT>
T Cast(U x) {
  return aclsim_simt::convert<T>(x, static_cast<int32_t>(roundMode), satMode == SatMode::SAT);
}

/* ---- integers ---- */

template <typename T>
T Brev(T x) {
  return ::__brev(x);
}
template <typename T>
int32_t Clz(T x) {
  return ::__clz(static_cast<std::make_signed_t<T>>(x));
}
template <typename T>
int32_t Popc(T x) {
  return ::__popc(static_cast<std::make_unsigned_t<T>>(x));
}
template <typename T>
int32_t Ffs(T x) {
  return ::__ffs(static_cast<std::make_signed_t<T>>(x));
}
template <typename T>
T BytePerm(T x, T y, T s) {
  static_assert(sizeof(T) == 4, "AscendC::Simt::BytePerm: x is not a 32-bit integer");
  return ::__byte_perm(x, y, s);
}
template <typename T>
T MulHi(T x, T y) {
  if constexpr (sizeof(T) == 4) {
    using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    return static_cast<T>(Wide{x} * y >> 32);
  }
  if constexpr (std::is_signed_v<T>) return static_cast<T>(::__mul64hi(x, y));
  return static_cast<T>(::__umul64hi(x, y));
}
/* The quotient of the divisor that GetUintDivMagicAndShift was given. */
template <typename T>
T UintDiv(T dividend, T magic, T shift) {
  static_assert(std::is_unsigned_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "AscendC::Simt::UintDiv: the type is not uint32_t or uint64_t");
  const T most = MulHi(dividend, magic);
  if (shift == 0) return most + dividend;
  /* The sum may have one bit more. */
  return static_cast<T>((((dividend - most) >> 1) + most) >> (shift - 1));
}

}  // namespace Simt
}  // namespace AscendC

#endif /* ASCENDC_IMPL_SIMT_NAMES_H_ */
