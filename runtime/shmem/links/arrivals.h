// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/shmem/links/symmetric_memory.h"
#include "runtime/shmem/links/ways.h"
#include "shmem/host_device/shmem_common_types.h"

namespace shmem {

/// Counts, in each PE's block, how often each other PE has arrived at a barrier with it. PEs call
/// the barriers that they share in the same order, so one count for each pair is enough for all
/// teams.
class Arrivals {
 public:
  static constexpr std::size_t kOffset = 4096;  // in the block
  static constexpr std::size_t kStride = 64;    // a cache line each
  /// One round of a barrier meets so many PEs. The public ACLSHMEM_BARRIER_TG_DISSEM_KVAL.
  static constexpr int kRadix = ACLSHMEM_BARRIER_TG_DISSEM_KVAL;

  Arrivals(const SymmetricMemory& memory, Ways& ways, int me, int n_pes)
      : memory_(memory), ways_(ways), me_(me), met_(static_cast<std::size_t>(n_pes)), told_(met_) {}

  /// Of a PE: which time it is, counted from the first.
  struct Count {
    int pe;
    std::uint64_t count;
  };
  /// One of those whom a round tells, and one of those it waits for.
  struct Pair {
    Count tells;
    Count awaits;
  };
  /// PEs of the world.
  struct Members {
    int start = 0;
    int stride = 1;
    int size = 1;
    int at(long long index) const noexcept { return start + static_cast<int>(index) * stride; }
  };

  /// One barrier of some PEs, as this one goes through it: in rounds, each of which tells PEs and
  /// waits for others (a dissemination barrier).
  class Passage {
   public:
    /// Of the round that begins.
    std::span<const Pair> round() const noexcept;
    /// Tells its PEs. Those of other hosts are woken too.
    void tell() const;
    /// Whether all that the round waits for have come.
    bool round_is_over() const;
    /// The next round; false behind the last.
    bool advance();
    bool has_one_round() const noexcept { return pairs_.size() < kRadix; }
    /// Who has not come in this round.
    std::vector<int> missing() const;

   private:
    friend class Arrivals;
    Arrivals* of_ = nullptr;
    std::vector<Pair> pairs_;  // kRadix - 1 a round; the last one may have fewer
    std::size_t begin_ = 0;
  };
  /// This PE is at `index` of them. Counts are taken now: in the order of the calls.
  Passage begin(const Members& members, int index);

 private:
  /// Of this PE.
  std::atomic_ref<std::uint64_t> count(int of) const;
  void tell(int pe) const;

  const SymmetricMemory& memory_;
  Ways& ways_;
  const int me_;
  sim::Mutex mutex_;
  std::vector<std::uint64_t> met_;
  std::vector<std::uint64_t> told_;
};

}  // namespace shmem
