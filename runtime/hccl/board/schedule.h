// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hccl {

constexpr std::uint64_t kGrain = 64;  // a multiple of a cache line and of all element sizes

/// A part of a buffer.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// One step of a rank: it takes the part that a peer has put for it, and then puts a part for a
/// peer. Offsets refer to the receive buffer and are the same on all ranks.
struct Step {
  struct Part {
    int peer = -1;             // -1: no transfer
    std::uint64_t number = 0;  // number among the parts between the two ranks, from 1
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    bool staged = false;      // put into the receiver's staging memory, to be reduced there
    std::uint64_t place = 0;  // offset in the staging memory
  };
  Part taken{};
  Part given{};
  // The taken part completes this part of the result.
  bool completes = false;
  // The second operand of a reduction, or the part that is put, is in the send buffer; otherwise in
  // the receive buffer.
  bool own = false;
};

/// All steps of one rank, in order. Ranks advance independently.
struct Schedule {
  std::vector<Step> steps{};
  std::uint64_t staging_bytes = 0;
};

/// Partial results travel in chunks from rank 0 to the last rank, and the results travel around
/// from there. So each element is reduced in the order of the ranks.
Schedule ring_all_reduce(int me, int ranks, std::uint64_t bytes);

/// For a power of two of ranks, and reductions in any order. In each step a rank sends one half of
/// its part to a partner and reduces the other half; then the results travel back the same
/// algorithm.
Schedule halving_doubling_all_reduce(int me, int ranks, std::uint64_t bytes);

/// The ranges of each rank, by rank, travel around the ring. The own ranges are already in the
/// receive buffer.
Schedule ring_all_gather(int me, const std::vector<std::vector<Range>>& ranges);

}  // namespace hccl
