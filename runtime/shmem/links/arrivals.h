// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/shmem/links/connections.h"
#include "runtime/shmem/links/symmetric_memory.h"
#include "shmem/host_device/shmem_common_types.h"

namespace shmem {

/// Each PE's block counts how often each other PE has arrived at a barrier with it. PEs call the
/// barriers that they share in the same order, so one count for each pair is enough for all teams.
class Arrivals {
 public:
  static constexpr std::size_t kOffset = 4096;  // offset in the block
  static constexpr std::size_t kStride = 64;    // one cache line for each PE
  /// The radix of the dissemination barrier: a round has at most kRadix - 1 partners. The public
  /// ACLSHMEM_BARRIER_TG_DISSEM_KVAL.
  static constexpr int kRadix = ACLSHMEM_BARRIER_TG_DISSEM_KVAL;

  Arrivals(const SymmetricMemory& memory, Connections& connections, int me, int n_pes)
      : memory_(memory),
        connections_(connections),
        me_(me),
        met_(static_cast<std::size_t>(n_pes)),
        notified_(met_) {}

  /// A PE, and the number of arrivals up to and including this barrier.
  struct Count {
    int pe;
    std::uint64_t count;
  };
  /// A PE that a round notifies, and a PE that the round waits for.
  struct Pair {
    Count tells;
    Count awaits;
  };
  /// PEs start, start + stride, ... of the world.
  struct Members {
    int start = 0;
    int stride = 1;
    int size = 1;
    int at(long long index) const noexcept { return start + static_cast<int>(index) * stride; }
  };

  /// One dissemination barrier from the view of this PE. In each round it notifies some PEs and
  /// waits for others.
  class Passage {
   public:
    /// The partners of the current round.
    std::span<const Pair> round() const noexcept;
    /// Notifies the PEs of the round. PEs of other hosts are woken too.
    void tell() const;
    /// Whether all PEs that the round waits for have arrived.
    bool round_is_over() const;
    /// Goes to the next round. Returns false after the last.
    bool advance();
    bool has_one_round() const noexcept { return pairs_.size() < kRadix; }
    /// The PEs that have not arrived in this round.
    std::vector<int> missing() const;

   private:
    friend class Arrivals;
    Arrivals* of_ = nullptr;
    std::vector<Pair> pairs_;  // kRadix - 1 for each round; the last round may have fewer
    std::size_t begin_ = 0;
  };
  /// `index`: of this PE among the members. Counts are taken by the call, so calls must have the
  /// same order on all PEs.
  Passage begin(const Members& members, int index);

 private:
  /// A count in the block of this PE.
  std::atomic_ref<std::uint64_t> count(int of) const;
  void tell(int pe) const;

  const SymmetricMemory& memory_;
  Connections& connections_;
  const int me_;
  sim::Mutex mutex_;
  std::vector<std::uint64_t> met_ GUARDED_BY(mutex_);
  std::vector<std::uint64_t> notified_ GUARDED_BY(mutex_);
};

}  // namespace shmem
