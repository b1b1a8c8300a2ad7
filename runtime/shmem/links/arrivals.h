// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

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

  /// Of a PE, the how manieth time.
  struct Count {
    int pe;
    std::uint64_t count;
  };

  /// One barrier of some PEs, as this one goes through it: in rounds, each of which tells PEs and
  /// waits for others (a dissemination barrier).
  class Passage {
   public:
    /// Tells the PEs of the round that begins, and says which they are. Those of other hosts are
    /// woken too.
    std::vector<int> tell();
    /// Whether all that the round waits for have come.
    bool round_is_over() const;
    /// The next round; false behind the last.
    bool advance();
    /// Whom this round tells, and whom it waits for.
    std::vector<Count> telling() const { return round_ < tells_.size() ? tells_[round_] : kNobody; }
    std::vector<Count> awaiting() const {
      return round_ < awaits_.size() ? awaits_[round_] : kNobody;
    }
    bool has_one_round() const noexcept { return tells_.size() <= 1; }
    /// Who has not come in this round.
    std::vector<int> missing() const;

   private:
    friend class Arrivals;
    static inline const std::vector<Count> kNobody{};
    Arrivals* of_ = nullptr;
    std::vector<std::vector<Count>> tells_;
    std::vector<std::vector<Count>> awaits_;
    std::size_t round_ = 0;
  };
  /// `members`: world PEs, this one at `index`. Counts are taken now: in the order of the calls.
  Passage begin(const std::vector<int>& members, int index);

 private:
  /// Of this PE.
  std::atomic_ref<std::uint64_t> count(int of) const;
  void tell(int pe) const;

  const SymmetricMemory& memory_;
  Ways& ways_;
  const int me_;
  std::mutex mutex_;
  std::vector<std::uint64_t> met_;
  std::vector<std::uint64_t> told_;
};

}  // namespace shmem
