/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of SIMT threads: the block, tiles of it, and threads of a warp that are active together. A
 * collective operation waits for the threads of its group alone.
 */
#ifndef ASCENDC_SIMT_API_COOPERATIVE_GROUPS_H_
#define ASCENDC_SIMT_API_COOPERATIVE_GROUPS_H_

#include "ascendc/impl/refused.h"
#include "ascendc/impl/simt.h"

namespace cooperative_groups {

enum class group_type : unsigned int {
  thread_block_type = 0,
  tiled_group_type = 1,
  coalesced_group_type = 2
};

/* Any group. All but blocks are `lanes` of the warp of the calling thread. */
class thread_group {
 public:
  explicit thread_group(group_type type) : type_(type) {}
  group_type get_type() const { return type_; }
  unsigned long long size() const { return num_threads(); }
  unsigned long long num_threads() const {
    if (type_ != group_type::thread_block_type) return static_cast<unsigned>(__popc(lanes_));
    const uint32_t(&dim)[3] = aclsimThisThread()->block_dim;
    return dim[0] * dim[1] * dim[2];
  }
  unsigned long long thread_rank() const {
    if (type_ == group_type::thread_block_type) return aclsimThisThread()->number;
    return static_cast<unsigned>(__popc(lanes_ & ((1U << aclsim_simt::lane()) - 1U)));
  }
  ACLSIM_WARP void sync() const { wait(ACLSIM_SITE); }

 protected:
  thread_group(group_type type, uint32_t lanes) : type_(type), lanes_(lanes) {}
  uint32_t lanes() const { return lanes_; }
  void wait(const void* site) const {
    if (type_ == group_type::thread_block_type) {
      aclsimSyncThreads(site);
    } else {
      aclsim_simt::share_in(lanes_, 0, site);
    }
  }
  /* The lanes of the part of the group with `size` threads that holds the calling one. */
  uint32_t part(uint32_t size) const {
    const auto mine = static_cast<uint32_t>(thread_group::thread_rank()) / size;
    uint32_t made = 0, rank = 0;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      if ((lanes_ >> lane & 1U) == 0) continue;
      if (rank++ / size == mine) made |= 1U << lane;
    }
    return made;
  }
  friend thread_group tiled_partition(const thread_group& parent, unsigned int tilesz);

 private:
  group_type type_;
  uint32_t lanes_ = 0xffffffffU;
};

/* Memory for tiles of more than a warp, which need it on hardware. Nothing is stored here. */
template <unsigned int MaxBlockSize = 1024>
struct block_tile_memory {
  static_assert(MaxBlockSize > 0 && MaxBlockSize <= 2048 && MaxBlockSize % 32 == 0,
                "cooperative_groups::block_tile_memory: MaxBlockSize is a multiple of 32 to 2048");
  uint64_t words[MaxBlockSize / 32 + 1];
};

class thread_block : public thread_group {
 public:
  thread_block(const thread_block&) = default;
  ACLSIM_WARP static void sync() { aclsimSyncThreads(ACLSIM_SITE); }
  static unsigned int thread_rank() { return aclsimThisThread()->number; }
  static unsigned int num_threads() {
    const uint32_t(&dim)[3] = aclsimThisThread()->block_dim;
    return dim[0] * dim[1] * dim[2];
  }
  static unsigned int size() { return num_threads(); }
  static dim3 group_index() { return aclsim_simt::of(aclsimThisThread()->block); }
  static dim3 thread_index() { return aclsim_simt::of(aclsimThisThread()->index); }
  static dim3 dim_threads() { return aclsim_simt::of(aclsimThisThread()->block_dim); }
  static dim3 group_dim() { return dim_threads(); }
  bool aclsim_memory() const { return memory_; }

 private:
  explicit thread_block(bool memory)
      : thread_group(group_type::thread_block_type), memory_(memory) {}
  bool memory_;
  friend thread_block this_thread_block();
  template <unsigned int MaxBlockSize>
  friend thread_block this_thread_block(block_tile_memory<MaxBlockSize>& scratch);
};
inline thread_block this_thread_block() { return thread_block(false); }
template <unsigned int MaxBlockSize>
thread_block this_thread_block(block_tile_memory<MaxBlockSize>& /*scratch*/) {
  return thread_block(true);
}

class coalesced_group;

/* Operations of a group of threads of one warp. */
class aclsim_lanes : public thread_group {
 public:
  unsigned long long meta_group_rank() const { return meta_rank_; }
  unsigned long long meta_group_size() const { return meta_size_; }
  template <typename T>
  ACLSIM_WARP T shfl(T var, int src_rank) const {
    const auto rank = static_cast<uint32_t>(src_rank) % static_cast<uint32_t>(num_threads());
    return get(var, rank, true, ACLSIM_SITE);
  }
  template <typename T>
  ACLSIM_WARP T shfl_up(T var, unsigned int delta) const {
    const auto rank = static_cast<uint32_t>(thread_rank());
    return get(var, rank - delta, delta <= rank, ACLSIM_SITE);
  }
  template <typename T>
  ACLSIM_WARP T shfl_down(T var, unsigned int delta) const {
    const auto rank = static_cast<uint32_t>(thread_rank());
    return get(var, rank + delta, delta < num_threads() - rank, ACLSIM_SITE);
  }
  ACLSIM_WARP unsigned int ballot(int predicate) const {
    return ranks(votes(predicate, ACLSIM_SITE).yes);
  }
  ACLSIM_WARP int any(int predicate) const { return votes(predicate, ACLSIM_SITE).yes != 0; }
  ACLSIM_WARP int all(int predicate) const {
    const aclsim_simt::Votes made = votes(predicate, ACLSIM_SITE);
    return made.yes == made.there;
  }
  coalesced_group divide(bool pred, const void* site) const;

 protected:
  aclsim_lanes(group_type type, uint32_t lanes, uint32_t meta_rank, uint32_t meta_size)
      : thread_group(type, lanes), meta_rank_(meta_rank), meta_size_(meta_size) {}
  /* The value of the thread with that rank, or the own one. */
  template <typename T>
  T get(T own, uint32_t rank, bool within, const void* site) const {
    uint32_t rest = lanes();
    for (uint32_t i = 0; within && i < rank; ++i) rest &= rest - 1;
    return aclsim_simt::take(aclsim_simt::share_in(lanes(), own, site), own,
                             within ? __ffs(static_cast<int>(rest)) - 1 : 0, within, site);
  }
  aclsim_simt::Votes votes(int own, const void* site) const {
    return aclsim_simt::votes(aclsim_simt::share_in(lanes(), own != 0 ? 1 : 0, site));
  }
  /* Bits of lanes as bits of ranks. */
  uint32_t ranks(uint32_t of_lanes) const {
    uint32_t made = 0, rank = 0;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      if ((lanes() >> lane & 1U) == 0) continue;
      made |= (of_lanes >> lane & 1U) << rank++;
    }
    return made;
  }

 private:
  uint32_t meta_rank_;
  uint32_t meta_size_;
};

class coalesced_group : public aclsim_lanes {
 public:
  explicit coalesced_group(uint32_t lanes, uint32_t meta_rank = 0, uint32_t meta_size = 1)
      : aclsim_lanes(group_type::coalesced_group_type, lanes, meta_rank, meta_size) {}

 private:
  friend coalesced_group tiled_partition(const coalesced_group& parent, unsigned int tilesz);
};
ACLSIM_WARP inline coalesced_group coalesced_threads() {
  return coalesced_group(aclsim_simt::share(0, ACLSIM_SITE).mask);
}

/* Threads with a power of 2 as their number, one behind the other; of a warp, or of several. */
template <unsigned int Size, typename ParentT = void>
class thread_block_tile : public aclsim_lanes {
  static_assert(Size >= 1 && Size <= 2048 && (Size & (Size - 1)) == 0,
                "cooperative_groups::tiled_partition: Size is a power of 2 to 2048");
  using Base = aclsim_lanes;

 public:
  thread_block_tile(uint32_t meta_rank, uint32_t meta_size)
      : Base(group_type::tiled_group_type, own_lanes(), meta_rank, meta_size) {}
  template <typename Other>
  thread_block_tile(const thread_block_tile<Size, Other>& tile)
      : thread_block_tile(static_cast<uint32_t>(tile.meta_group_rank()),
                          static_cast<uint32_t>(tile.meta_group_size())) {}
  static constexpr unsigned long long num_threads() { return Size; }
  static constexpr unsigned long long size() { return Size; }
  static unsigned long long thread_rank() { return aclsimThisThread()->number % Size; }

  ACLSIM_WARP void sync() const { votes(0, ACLSIM_SITE); }
  template <typename T>
  ACLSIM_WARP T shfl(T var, int src_rank) const {
    const uint32_t rank = static_cast<uint32_t>(src_rank) % Size;
    if constexpr (Size <= 32) {
      return Base::get(var, rank, true, ACLSIM_SITE);
    } else {
      uint64_t values[Size];
      aclsimShareInThreads(first(), Size, aclsim_simt::bits(var), values, ACLSIM_SITE);
      return aclsim_simt::value<T>(values[rank]);
    }
  }
  template <typename T>
  ACLSIM_WARP T shfl_up(T var, unsigned int delta) const {
    of_one_warp();
    const auto rank = static_cast<uint32_t>(thread_rank());
    return Base::get(var, rank - delta, delta <= rank, ACLSIM_SITE);
  }
  template <typename T>
  ACLSIM_WARP T shfl_down(T var, unsigned int delta) const {
    of_one_warp();
    const auto rank = static_cast<uint32_t>(thread_rank());
    return Base::get(var, rank + delta, delta < Size - rank, ACLSIM_SITE);
  }
  template <typename T>
  ACLSIM_WARP T shfl_xor(T var, unsigned int lane_mask) const {
    of_one_warp();
    const uint32_t rank = static_cast<uint32_t>(thread_rank()) ^ lane_mask;
    return Base::get(var, rank, rank < Size, ACLSIM_SITE);
  }
  ACLSIM_WARP unsigned int ballot(int predicate) const {
    of_one_warp();
    return Base::ranks(Base::votes(predicate, ACLSIM_SITE).yes);
  }
  ACLSIM_WARP int any(int predicate) const { return votes(predicate, ACLSIM_SITE).yes != 0; }
  ACLSIM_WARP int all(int predicate) const {
    const aclsim_simt::Votes made = votes(predicate, ACLSIM_SITE);
    return made.yes == made.there;
  }

 private:
  static constexpr void of_one_warp() {
    static_assert(Size <= 32,
                  "cooperative_groups::thread_block_tile: tiles of more than 32 threads have sync, "
                  "shfl, any and all");
  }
  static uint32_t first() { return aclsimThisThread()->number / Size * Size; }
  static uint32_t own_lanes() {
    if constexpr (Size >= 32) return 0xffffffffU;
    return ((1U << Size % 32) - 1U) << aclsim_simt::lane() / Size * Size;
  }
  /* As bits of lanes, or as numbers of threads. */
  aclsim_simt::Votes votes(int own, const void* site) const {
    if constexpr (Size <= 32) {
      return Base::votes(own, site);
    } else {
      uint64_t values[Size];
      aclsim_simt::Votes made{0, 0};
      made.there = aclsimShareInThreads(first(), Size, own != 0 ? 1 : 0, values, site);
      for (const uint64_t value : values) made.yes += value != 0 ? 1 : 0;
      return made;
    }
  }
};

/* ---- partitions ---- */

template <unsigned int Size>
thread_block_tile<Size, thread_block> aclsim_tile(const thread_block& group, const void* site) {
  if (Size > 32 && !group.aclsim_memory()) {
    aclsimAssertFailed("tiles of more than 32 threads need this_thread_block(block_tile_memory)",
                       "cooperative_groups.h", 0, "tiled_partition", site);
  }
  return {thread_block::thread_rank() / Size, (thread_block::num_threads() + Size - 1) / Size};
}
template <unsigned int Size, unsigned int Whole, typename ParentT>
thread_block_tile<Size, thread_block_tile<Whole, ParentT>> aclsim_tile(
    const thread_block_tile<Whole, ParentT>& group, const void* /*site*/) {
  static_assert(Size < Whole,
                "cooperative_groups::tiled_partition: Size is below the threads of the parent");
  return {static_cast<uint32_t>(group.thread_rank()) / Size, Whole / Size};
}
template <unsigned int Size, typename ParentT>
ACLSIM_API thread_block_tile<Size, ParentT> tiled_partition(const ParentT& g) {
  return aclsim_tile<Size>(g, ACLSIM_SITE);
}
inline thread_group tiled_partition(const thread_group& parent, unsigned int tilesz) {
  if (parent.get_type() == group_type::thread_block_type) {
    const uint32_t lane = aclsim_simt::lane();
    const uint32_t lanes = tilesz >= 32 ? 0xffffffffU : ((1U << tilesz) - 1U);
    return thread_group(group_type::tiled_group_type, lanes << lane / tilesz * tilesz);
  }
  return thread_group(group_type::tiled_group_type, parent.part(tilesz));
}
inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned int tilesz) {
  const auto rank = static_cast<uint32_t>(parent.thread_rank());
  const auto size = static_cast<uint32_t>(parent.num_threads());
  return coalesced_group(parent.part(tilesz), rank / tilesz, (size + tilesz - 1) / tilesz);
}

/* Two groups, unless one of them is empty: those with `pred` are the second one. */
inline coalesced_group aclsim_lanes::divide(bool pred, const void* site) const {
  const aclsim_simt::Votes made = votes(pred ? 1 : 0, site);
  const uint32_t lanes = pred ? made.yes : made.there & ~made.yes;
  const bool two = made.yes != 0 && made.yes != made.there;
  return coalesced_group(lanes, two && pred ? 1 : 0, two ? 2 : 1);
}
ACLSIM_WARP inline coalesced_group binary_partition(const coalesced_group& g, bool pred) {
  return g.divide(pred, ACLSIM_SITE);
}
template <unsigned int Size, typename ParentT>
ACLSIM_WARP coalesced_group binary_partition(const thread_block_tile<Size, ParentT>& g, bool pred) {
  static_assert(Size <= 32, "cooperative_groups::binary_partition: Size is at most 32");
  return g.divide(pred, ACLSIM_SITE);
}

template <typename Group>
ACLSIM_THROUGH void sync(const Group& group) {
  group.sync();
}
template <typename Group>
auto thread_rank(const Group& group) {
  return group.thread_rank();
}

/* Groups that threads of one block after the other cannot make, and one that is not documented. */
#define ACLSIM_NO_GROUP(NAME)                                                                  \
  template <typename... T>                                                                     \
  thread_block NAME(const T&...) {                                                             \
    static_assert(aclsim_refused::no<T...>, "cooperative_groups::" #NAME                       \
                                            " is not emulated; expected this_thread_block or " \
                                            "tiled_partition (docs/kernels.md)");              \
    return this_thread_block();                                                                \
  }
ACLSIM_NO_GROUP(this_grid)
ACLSIM_NO_GROUP(this_cluster)
ACLSIM_NO_GROUP(labeled_partition)
#undef ACLSIM_NO_GROUP

}  // namespace cooperative_groups

#endif /* ASCENDC_SIMT_API_COOPERATIVE_GROUPS_H_ */
