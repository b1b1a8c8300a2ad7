// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hccl {

constexpr std::uint64_t kGrain = 64;  // lines of the cache, and whole elements

/// A part of a buffer.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// One step of a rank: it takes what a peer has put for it, then puts something for a peer. Offsets
/// are those of the receive buffer, the same on all ranks.
struct Step {
  struct Part {
    int peer = -1;             // -1: nothing
    std::uint64_t number = 0;  // among those between the two, from 1
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    bool staged = false;      // put into the receiver's staging, to be reduced there
    std::uint64_t place = 0;  // in that
  };
  Part taken{};
  Part given{};
  // With what is taken, this part of the result is complete.
  bool completes = false;
  // The other operand of what is taken to be reduced, or what is given, is the rank's own as the
  // program brought it; otherwise it is in the receive buffer.
  bool own = false;
};

/// All steps of one rank. Each is done in its turn; ranks go through theirs as they can.
struct Schedule {
  std::vector<Step> steps{};
  std::uint64_t staging_bytes = 0;
};

/// Partial results go from rank 0 to the last, piece by piece, and the results from there around:
/// so each element is reduced in the order of the ranks.
Schedule ring_all_reduce(int me, int ranks, std::uint64_t bytes);

/// For a power of two of ranks, and what may be reduced in any order. Each rank exchanges the half
/// of its part with a partner and reduces the other half, then the results come back the same way.
Schedule halving_doubling_all_reduce(int me, int ranks, std::uint64_t bytes);

/// What each rank has, by rank, goes around. The own ranges are in the receive buffer.
Schedule ring_all_gather(int me, const std::vector<std::vector<Range>>& ranges);

}  // namespace hccl
