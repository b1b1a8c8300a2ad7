/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of SIMT threads: the block, and tiles of a warp. A collective operation of a tile waits
 * for its whole warp.
 */
#ifndef ASCENDC_SIMT_API_COOPERATIVE_GROUPS_H_
#define ASCENDC_SIMT_API_COOPERATIVE_GROUPS_H_

#include "ascendc/impl/refused.h"
#include "ascendc/impl/simt.h"

namespace cooperative_groups {

class thread_block {
 public:
  ACLSIM_API static void sync() { aclsimSyncThreads(ACLSIM_SITE); }
  static uint32_t thread_rank() { return aclsimThisThread()->number; }
  static uint32_t num_threads() {
    const uint32_t(&dim)[3] = aclsimThisThread()->block_dim;
    return dim[0] * dim[1] * dim[2];
  }
  static uint32_t size() { return num_threads(); }
  static dim3 group_index() { return aclsim_simt::of(aclsimThisThread()->block); }
  static dim3 thread_index() { return aclsim_simt::of(aclsimThisThread()->index); }
  static dim3 dim_threads() { return aclsim_simt::of(aclsimThisThread()->block_dim); }
  static dim3 group_dim() { return dim_threads(); }
};
inline thread_block this_thread_block() { return {}; }

/* `Size` lanes of a warp, one behind the other. */
template <uint32_t Size, typename ParentT = void>
class thread_block_tile {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "cooperative_groups::tiled_partition: a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  static uint32_t thread_rank() { return aclsim_simt::lane() % Size; }
  static constexpr uint32_t num_threads() { return Size; }
  static constexpr uint32_t size() { return Size; }
  static uint32_t meta_group_rank() { return aclsimThisThread()->number / Size; }
  static uint32_t meta_group_size() { return (thread_block::num_threads() + Size - 1) / Size; }

  ACLSIM_API static void sync() { votes(false, ACLSIM_SITE); }
  template <typename T>
  ACLSIM_API static T shfl(T var, uint32_t src_rank) {
    return aclsim_simt::shuffle(var, lane_of(src_rank % Size), true, ACLSIM_SITE);
  }
  template <typename T>
  ACLSIM_API static T shfl_up(T var, uint32_t delta) {
    return aclsim_simt::shuffle(var, lane_of(thread_rank() - delta), delta <= thread_rank(),
                                ACLSIM_SITE);
  }
  template <typename T>
  ACLSIM_API static T shfl_down(T var, uint32_t delta) {
    return aclsim_simt::shuffle(var, lane_of(thread_rank() + delta), delta < Size - thread_rank(),
                                ACLSIM_SITE);
  }
  template <typename T>
  ACLSIM_API static T shfl_xor(T var, uint32_t mask) {
    const uint32_t other = thread_rank() ^ mask;
    return aclsim_simt::shuffle(var, lane_of(other), other < Size, ACLSIM_SITE);
  }
  ACLSIM_API static uint32_t ballot(int predicate) {
    return votes(predicate != 0, ACLSIM_SITE).yes;
  }
  ACLSIM_API static int any(int predicate) { return votes(predicate != 0, ACLSIM_SITE).yes != 0; }
  ACLSIM_API static int all(int predicate) {
    const Votes made = votes(predicate != 0, ACLSIM_SITE);
    return made.yes == made.there;
  }

 private:
  struct Votes {
    uint32_t yes;
    uint32_t there; /* the threads that are not over */
  };
  static int32_t lane_of(uint32_t rank) {
    return static_cast<int32_t>(aclsim_simt::lane() / Size * Size + rank);
  }
  static Votes votes(bool own, const void* site) {
    uint64_t lanes[32];
    const uint32_t mask = aclsimShareInWarp(own ? 1 : 0, lanes, site);
    Votes made{0, 0};
    for (uint32_t rank = 0; rank < Size; ++rank) {
      const auto lane = static_cast<uint32_t>(lane_of(rank));
      if ((mask >> lane & 1U) == 0) continue;
      made.there |= 1U << rank;
      if (lanes[lane] != 0) made.yes |= 1U << rank;
    }
    return made;
  }
};

template <uint32_t Size, typename ParentT>
thread_block_tile<Size, ParentT> tiled_partition(const ParentT& /*group*/) {
  return {};
}
template <typename Group>
ACLSIM_THROUGH void sync(const Group& group) {
  group.sync();
}
template <typename Group>
uint32_t thread_rank(const Group& group) {
  return group.thread_rank();
}

/* Groups that threads of one block after the other cannot make. */
#define ACLSIM_NO_GROUP(NAME)                                                                  \
  template <typename... T>                                                                     \
  thread_block NAME(const T&...) {                                                             \
    static_assert(aclsim_refused::no<T...>, "cooperative_groups::" #NAME                       \
                                            " is not emulated; expected this_thread_block or " \
                                            "tiled_partition (docs/kernels.md)");              \
    return {};                                                                                 \
  }
ACLSIM_NO_GROUP(this_grid)
ACLSIM_NO_GROUP(this_cluster)
ACLSIM_NO_GROUP(coalesced_threads)
ACLSIM_NO_GROUP(binary_partition)
ACLSIM_NO_GROUP(labeled_partition)
#undef ACLSIM_NO_GROUP

}  // namespace cooperative_groups

#endif /* ASCENDC_SIMT_API_COOPERATIVE_GROUPS_H_ */
