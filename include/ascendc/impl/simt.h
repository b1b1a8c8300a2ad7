/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMT: functions of many threads on a vector core, launched as kernels of their own or called from
 * one.
 */
#ifndef ASCENDC_IMPL_SIMT_H_
#define ASCENDC_IMPL_SIMT_H_

#include <cmath>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "acl/acl.h" /* dim3; first, as kernel_operator.h: functions have parameters of the names below */
#include "ascendc/impl/half.h"
#include "ascendc/impl/qualifiers.h"
#include "ascendc/impl/simt_constants.h"
#include "ascendc/impl/simt_machine.h"
#include "ascendc/impl/simt_vectors.h"
#include "ascendc/kernel_operator.h"

#define __simt_vf__
#define __simt_callee__
#define __SIMT_DEVICE_FUNCTIONS_DECL__ inline

namespace aclsim_simt {

inline dim3 of(const uint32_t (&values)[3]) { return dim3{values[0], values[1], values[2]}; }
inline uint32_t lane() { return aclsimThisThread()->number % 32; }

template <auto function, typename Tuple>
void enter(const void* args) {
  std::apply(function, *static_cast<const Tuple*>(args));
}

template <typename T>
uint64_t bits(T value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8,
                "values of warps have up to 8 bytes");
  uint64_t all = 0;
  std::memcpy(&all, static_cast<const void*>(&value), sizeof value);
  return all;
}
template <typename T>
T value(uint64_t all) {
  T made;
  std::memcpy(static_cast<void*>(&made), &all, sizeof made);
  return made;
}

/* The value of the lane `source` of the part of the warp; the calling lane's own value if that lane
 * does not take part. */
template <typename T>
T shuffle(T own, int32_t source, bool within, const void* site) {
  uint64_t lanes[32];
  const uint32_t mask = aclsimShareInWarp(bits(own), lanes, site);
  if (!within || source < 0 || source > 31 || (mask >> source & 1U) == 0) return own;
  return value<T>(lanes[source]);
}
template <typename T, typename Combine>
T reduce(T own, const Combine& combine, const void* site) {
  uint64_t lanes[32];
  const uint32_t mask = aclsimShareInWarp(bits(own), lanes, site);
  bool first = true;
  T result = own;
  for (uint32_t i = 0; i < 32; ++i) {
    if ((mask >> i & 1U) == 0) continue;
    result = first ? value<T>(lanes[i]) : combine(result, value<T>(lanes[i]));
    first = false;
  }
  return result;
}

/* Reads, computes and writes in one atomic step. Returns the old value. */
template <typename T, typename Step>
T atomic(T* address, const Step& step) {
  using Word =
      std::conditional_t<sizeof(T) == 8, uint64_t,
                         std::conditional_t<sizeof(T) == 4, uint32_t,
                                            std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>>>;
  Word* const word = reinterpret_cast<Word*>(address);
  Word before = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  for (;;) {
    T old;
    std::memcpy(static_cast<void*>(&old), &before, sizeof old);
    const T next = step(old);
    Word after;
    std::memcpy(&after, static_cast<const void*>(&next), sizeof after);
    if (__atomic_compare_exchange_n(word, &before, after, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
      return old;
    }
  }
}

/* Runs a function of threads; cores of the cube unit have none. */
template <auto funcPtr, typename... Args>
void call(dim3 wanted, const void* site, Args&&... args) {
  if (aclsimThisCore()->kind == ACLSIM_AIC) return;
  std::tuple<std::decay_t<Args>...> all(std::forward<Args>(args)...);
  const uint32_t threads[3] = {wanted.x, wanted.y ? wanted.y : 1, wanted.z ? wanted.z : 1};
  aclsimRunThreads(&enter<funcPtr, decltype(all)>, &all, threads, site);
}

}  // namespace aclsim_simt

/* Words of SIMT code only: kernels have variables of these names. */
#define threadIdx (::aclsim_simt::of(aclsimThisThread()->index))
#define blockIdx (::aclsim_simt::of(aclsimThisThread()->block))
#define blockDim (::aclsim_simt::of(aclsimThisThread()->block_dim))
#define gridDim (::aclsim_simt::of(aclsimThisThread()->grid_dim))
inline constexpr int32_t warpSize = 32;

template <auto funcPtr, typename... Args>
ACLSIM_API void asc_vf_call(dim3 threadNums, Args&&... args) {
  aclsim_simt::call<funcPtr>(threadNums, ACLSIM_SITE, std::forward<Args>(args)...);
}

namespace AscendC {
namespace Simt {
struct Dim3 {
  uint32_t x, y, z;
  constexpr Dim3(uint32_t first = 1, uint32_t second = 1, uint32_t third = 1)
      : x(first), y(second), z(third) {}
};
template <auto funcPtr, typename... Args>
ACLSIM_API void VF_CALL(Dim3 threadNums, Args&&... args) {
  aclsim_simt::call<funcPtr>(dim3{threadNums.x, threadNums.y, threadNums.z}, ACLSIM_SITE,
                             std::forward<Args>(args)...);
}
}  // namespace Simt
}  // namespace AscendC

ACLSIM_API inline void asc_syncthreads() { aclsimSyncThreads(ACLSIM_SITE); }
inline void asc_threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void asc_threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
ACLSIM_API inline void asc_syncwarp() {
  uint64_t lanes[32];
  aclsimShareInWarp(0, lanes, ACLSIM_SITE);
}

/* ---- warps ---- */

inline int32_t laneid() { return static_cast<int32_t>(aclsim_simt::lane()); }
inline int32_t lanemask_eq() { return static_cast<int32_t>(1U << aclsim_simt::lane()); }
inline int32_t lanemask_lt() { return static_cast<int32_t>((1U << aclsim_simt::lane()) - 1U); }
inline int32_t lanemask_le() { return lanemask_lt() | lanemask_eq(); }
inline int32_t lanemask_gt() { return ~lanemask_le(); }
inline int32_t lanemask_ge() { return ~lanemask_lt(); }

ACLSIM_API inline uint32_t asc_ballot(int32_t predicate) {
  uint64_t lanes[32];
  const uint32_t mask = aclsimShareInWarp(predicate != 0 ? 1 : 0, lanes, ACLSIM_SITE);
  uint32_t bits = 0;
  for (uint32_t i = 0; i < 32; ++i) {
    if ((mask >> i & 1U) != 0 && lanes[i] != 0) bits |= 1U << i;
  }
  return bits;
}
ACLSIM_API inline int32_t asc_all(int32_t predicate) {
  return aclsim_simt::reduce<int32_t>(
      predicate != 0, [](int32_t a, int32_t b) { return a & b; }, ACLSIM_SITE);
}
ACLSIM_API inline int32_t asc_any(int32_t predicate) {
  return aclsim_simt::reduce<int32_t>(
      predicate != 0, [](int32_t a, int32_t b) { return a | b; }, ACLSIM_SITE);
}

/* `width` lanes are a part: 32, or a smaller power of 2. */
template <typename T>
ACLSIM_API T asc_shfl(T var, int32_t src_lane, int32_t width = warpSize) {
  const int32_t first = laneid() / width * width;
  return aclsim_simt::shuffle(var, first + (src_lane & (width - 1)), true, ACLSIM_SITE);
}
template <typename T>
ACLSIM_API T asc_shfl_up(T var, uint32_t delta, int32_t width = warpSize) {
  const int32_t source = laneid() - static_cast<int32_t>(delta);
  return aclsim_simt::shuffle(var, source, source >= laneid() / width * width, ACLSIM_SITE);
}
template <typename T>
ACLSIM_API T asc_shfl_down(T var, uint32_t delta, int32_t width = warpSize) {
  const int32_t source = laneid() + static_cast<int32_t>(delta);
  return aclsim_simt::shuffle(var, source, source < laneid() / width * width + width, ACLSIM_SITE);
}
template <typename T>
ACLSIM_API T asc_shfl_xor(T var, int32_t lane_mask, int32_t width = warpSize) {
  const int32_t source = laneid() ^ lane_mask;
  return aclsim_simt::shuffle(var, source, source / width <= laneid() / width, ACLSIM_SITE);
}
template <typename T>
ACLSIM_API T asc_reduce_add(T val) {
  return aclsim_simt::reduce(
      val, [](T a, T b) { return T(a + b); }, ACLSIM_SITE);
}
template <typename T>
ACLSIM_API T asc_reduce_max(T val) {
  return aclsim_simt::reduce(
      val, [](T a, T b) { return a < b ? b : a; }, ACLSIM_SITE);
}
template <typename T>
ACLSIM_API T asc_reduce_min(T val) {
  return aclsim_simt::reduce(
      val, [](T a, T b) { return b < a ? b : a; }, ACLSIM_SITE);
}

/* ---- atomics: they return the old value ---- */

template <typename T>
struct AclsimSame {
  using type = T;
};
#define ACLSIM_ATOMIC(NAME, EXPRESSION)                                             \
  template <typename T>                                                             \
  T NAME(T* address, typename AclsimSame<T>::type val) {                            \
    return aclsim_simt::atomic(address, [&](T old) -> T { return T(EXPRESSION); }); \
  }
ACLSIM_ATOMIC(asc_atomic_add, old + val)
ACLSIM_ATOMIC(asc_atomic_sub, old - val)
ACLSIM_ATOMIC(asc_atomic_exch, (static_cast<void>(old), val))
ACLSIM_ATOMIC(asc_atomic_max, old < val ? val : old)
ACLSIM_ATOMIC(asc_atomic_min, val < old ? val : old)
ACLSIM_ATOMIC(asc_atomic_and, old& val)
ACLSIM_ATOMIC(asc_atomic_or, old | val)
ACLSIM_ATOMIC(asc_atomic_xor, old ^ val)
ACLSIM_ATOMIC(asc_atomic_inc, old >= val ? 0 : old + 1)
ACLSIM_ATOMIC(asc_atomic_dec, old == 0 || old > val ? val : old - 1)
#undef ACLSIM_ATOMIC
template <typename T>
T asc_atomic_cas(T* address, typename AclsimSame<T>::type compare,
                 typename AclsimSame<T>::type val) {
  return aclsim_simt::atomic(address, [&](T old) -> T { return old == compare ? val : old; });
}

/* ---- caches change no results; bits ---- */

template <typename T>
T asc_ldcg(const T* address) {
  return *address;
}
template <typename T>
T asc_ldca(const T* address) {
  return *address;
}
template <typename T>
void asc_stcg(T* address, typename AclsimSame<T>::type val) {
  *address = val;
}
/* A template, because programs define a function of this name for older toolkits. */
template <typename T>
uint32_t __umulhi(T x, uint32_t y) {
  static_assert(sizeof(T) == 4, "__umulhi: x is not a 32-bit integer");
  return static_cast<uint32_t>(uint64_t{static_cast<uint32_t>(x)} * y >> 32);
}
inline int __popc(unsigned int x) { return __builtin_popcount(x); }
inline int __popc(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }

namespace AscendC {
namespace Simt {
template <typename T>
ACLSIM_THROUGH T AtomicAdd(T* address, T val) {
  return asc_atomic_add(address, val);
}
template <typename T>
ACLSIM_THROUGH T AtomicExch(T* address, T val) {
  return asc_atomic_exch(address, val);
}
template <typename T>
ACLSIM_THROUGH T AtomicCas(T* address, T compare, T val) {
  return asc_atomic_cas(address, compare, val);
}
template <typename T>
ACLSIM_THROUGH T AtomicMax(T* address, T val) {
  return asc_atomic_max(address, val);
}
template <typename T>
ACLSIM_THROUGH T AtomicMin(T* address, T val) {
  return asc_atomic_min(address, val);
}
inline uint32_t GetBlockIdx() { return aclsimThisThread()->block[0]; }
inline uint32_t GetBlockNum() { return aclsimThisThread()->grid_dim[0]; }
template <int32_t dim = 0>
uint32_t GetThreadIdx() {
  return aclsimThisThread()->index[dim];
}
template <int32_t dim = 0>
uint32_t GetThreadNum() {
  return aclsimThisThread()->block_dim[dim];
}
ACLSIM_API inline void ThreadBarrier() { aclsimSyncThreads(ACLSIM_SITE); }
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
#define ACLSIM_SIMT_MATH(NAME, FUNCTION)                    \
  template <typename T>                                     \
  T NAME(T x) {                                             \
    return static_cast<T>(FUNCTION(static_cast<float>(x))); \
  }
ACLSIM_SIMT_MATH(Rint, std::nearbyint)
ACLSIM_SIMT_MATH(Ceil, std::ceil)
ACLSIM_SIMT_MATH(Floor, std::floor)
ACLSIM_SIMT_MATH(Acosh, std::acosh)
ACLSIM_SIMT_MATH(Exp, std::exp)
ACLSIM_SIMT_MATH(Sqrt, std::sqrt)
ACLSIM_SIMT_MATH(Log, std::log)
ACLSIM_SIMT_MATH(Erf, std::erf)
#undef ACLSIM_SIMT_MATH
template <typename T>
T Abs(T x) {
  return x < T(0) ? T(-x) : x;
}
template <typename T>
bool IsFinite(T x) {
  return std::isfinite(static_cast<float>(x));
}
template <class... Args>
void PRINTF(const char* fmt, Args&&... args) {
  ::printf(fmt, args...);
}
}  // namespace Simt
}  // namespace AscendC

#endif /* ASCENDC_IMPL_SIMT_H_ */
