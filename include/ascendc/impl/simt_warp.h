/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the threads of a warp, and of the threads of a block that wait for each other. The
 * threads that call one of them at the same place are active together.
 */
#ifndef ASCENDC_IMPL_SIMT_WARP_H_
#define ASCENDC_IMPL_SIMT_WARP_H_

#include <cstring>
#include <type_traits>

#include "ascendc/impl/qualifiers.h"
#include "ascendc/impl/simt_machine.h"

/* A call that the compiler may not copy into branches: its place decides which threads are active
 * together. */
#if defined(__clang__)
#define ACLSIM_WARP __attribute__((noinline, convergent))
#else
#define ACLSIM_WARP __attribute__((noinline))
#endif

inline constexpr int32_t warpSize = 32;

namespace aclsim_simt {

inline uint32_t lane() { return aclsimThisThread()->number % 32; }

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

/* The values of some lanes of a warp. */
struct Lanes {
  uint64_t values[32];
  uint32_t mask;
  bool has(int32_t lane) const { return lane >= 0 && lane < 32 && (mask >> lane & 1U) != 0; }
};
template <typename T>
Lanes share(T own, const void* site) {
  Lanes lanes;
  lanes.mask = aclsimShareInWarp(bits(own), lanes.values, site);
  return lanes;
}
/* The same of the lanes `wanted`. */
template <typename T>
Lanes share_in(uint32_t wanted, T own, const void* site) {
  Lanes lanes;
  lanes.mask = aclsimShareInTile(wanted, bits(own), lanes.values, site);
  return lanes;
}

/* The value of the lane `source`, if it is `within` the part of the warp, else the own one. */
template <typename T>
T take(const Lanes& lanes, T own, int32_t source, bool within, const void* site) {
  if (!within) return own;
  if (lanes.has(source)) return value<T>(lanes.values[source]);
  aclsimInactiveLane(static_cast<uint32_t>(source), site);
  return own;
}
template <typename T>
T shuffle(T own, int32_t source, bool within, const void* site) {
  return take(share(own, site), own, source, within, site);
}

/* By halves, as hardware does: neighbours first. */
template <typename T, typename Combine>
T reduce(T own, const Combine& combine, const void* site) {
  const Lanes lanes = share(own, site);
  T results[32];
  bool there[32];
  for (int32_t i = 0; i < 32; ++i) {
    there[i] = lanes.has(i);
    results[i] = there[i] ? value<T>(lanes.values[i]) : own;
  }
  for (int32_t step = 1; step < 32; step *= 2) {
    for (int32_t i = 0; i < 32; i += 2 * step) {
      if (!there[i + step]) continue;
      results[i] = there[i] ? combine(results[i], results[i + step]) : results[i + step];
      there[i] = true;
    }
  }
  return results[0];
}

/* The lanes that take part and whose predicate is not 0. */
struct Votes {
  uint32_t yes;
  uint32_t there;
};
inline Votes votes(const Lanes& lanes) {
  Votes made{0, lanes.mask};
  for (int32_t i = 0; i < 32; ++i) {
    if (lanes.has(i) && lanes.values[i] != 0) made.yes |= 1U << i;
  }
  return made;
}
inline Votes vote(bool own, const void* site) { return votes(share(own ? 1 : 0, site)); }

}  // namespace aclsim_simt

ACLSIM_WARP inline void asc_syncthreads() { aclsimSyncThreads(ACLSIM_SITE); }
inline void asc_threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void asc_threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
ACLSIM_WARP inline void asc_syncwarp() { aclsim_simt::share(0, ACLSIM_SITE); }

inline int32_t laneid() { return static_cast<int32_t>(aclsim_simt::lane()); }
inline int32_t lanemask_eq() { return static_cast<int32_t>(1U << aclsim_simt::lane()); }
inline int32_t lanemask_lt() { return static_cast<int32_t>((1U << aclsim_simt::lane()) - 1U); }
inline int32_t lanemask_le() { return lanemask_lt() | lanemask_eq(); }
inline int32_t lanemask_gt() { return ~lanemask_le(); }
inline int32_t lanemask_ge() { return ~lanemask_lt(); }

ACLSIM_WARP inline uint32_t asc_activemask() { return aclsim_simt::share(0, ACLSIM_SITE).mask; }
ACLSIM_WARP inline uint32_t asc_ballot(int32_t predicate) {
  return aclsim_simt::vote(predicate != 0, ACLSIM_SITE).yes;
}
ACLSIM_WARP inline int32_t asc_all(int32_t predicate) {
  const aclsim_simt::Votes votes = aclsim_simt::vote(predicate != 0, ACLSIM_SITE);
  return votes.yes == votes.there ? 1 : 0;
}
ACLSIM_WARP inline int32_t asc_any(int32_t predicate) {
  return aclsim_simt::vote(predicate != 0, ACLSIM_SITE).yes != 0 ? 1 : 0;
}

/* `width` lanes are a part: 32, or a smaller power of 2. */
template <typename T>
ACLSIM_WARP T asc_shfl(T var, int32_t src_lane, int32_t width = warpSize) {
  const int32_t first = laneid() / width * width;
  return aclsim_simt::shuffle(var, first + (src_lane & (width - 1)), true, ACLSIM_SITE);
}
template <typename T>
ACLSIM_WARP T asc_shfl_up(T var, uint32_t delta, int32_t width = warpSize) {
  const int32_t first = laneid() / width * width;
  const bool within = delta <= static_cast<uint32_t>(laneid() - first);
  return aclsim_simt::shuffle(var, laneid() - static_cast<int32_t>(delta), within, ACLSIM_SITE);
}
template <typename T>
ACLSIM_WARP T asc_shfl_down(T var, uint32_t delta, int32_t width = warpSize) {
  const int32_t end = laneid() / width * width + width;
  const bool within = delta < static_cast<uint32_t>(end - laneid());
  return aclsim_simt::shuffle(var, laneid() + static_cast<int32_t>(delta), within, ACLSIM_SITE);
}
template <typename T>
ACLSIM_WARP T asc_shfl_xor(T var, int32_t lane_mask, int32_t width = warpSize) {
  const int32_t source = laneid() ^ lane_mask;
  return aclsim_simt::shuffle(var, source, source / width <= laneid() / width, ACLSIM_SITE);
}
template <typename T>
ACLSIM_WARP T asc_reduce_add(T val) {
  return aclsim_simt::reduce(
      val, [](T a, T b) { return T(a + b); }, ACLSIM_SITE);
}
template <typename T>
ACLSIM_WARP T asc_reduce_max(T val) {
  return aclsim_simt::reduce(
      val, [](T a, T b) { return a < b ? b : a; }, ACLSIM_SITE);
}
template <typename T>
ACLSIM_WARP T asc_reduce_min(T val) {
  return aclsim_simt::reduce(
      val, [](T a, T b) { return b < a ? b : a; }, ACLSIM_SITE);
}

#endif /* ASCENDC_IMPL_SIMT_WARP_H_ */
