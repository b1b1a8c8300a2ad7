// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "runtime/hccl/board/hosts.h"
#include "runtime/hccl/board/request.h"

namespace hccl {

/// The algorithm of a collective.
enum class Algorithm : std::uint8_t {
  barrier,
  board,             // small: the data is on the board
  direct,            // each rank transfers to each other rank
  shares,            // each rank reduces its share, for all ranks or for the root
  hierarchical,      // one rank of each host receives the data and forwards it
  halving_doubling,  // between hosts: the distance to the partner doubles with each step
  ring,              // between hosts: each rank sends to the next
  // The same two between hosts with several ranks: operands are reduced within the host, and some
  // of its ranks communicate with the other hosts, each for a share of the bytes.
  hierarchical_halving_doubling,
  hierarchical_ring,
};

/// Whether the algorithm follows a `Schedule`.
constexpr bool is_scheduled(Algorithm algorithm) noexcept {
  return algorithm >= Algorithm::halving_doubling;
}

/// Whether each rank sends the same data to all others.
constexpr bool is_same_for_all(Kind kind) noexcept {
  return kind == Kind::broadcast || kind == Kind::all_gather || kind == Kind::all_gather_v;
}

/// "HCCL_RING": the name in timelines.
const char* name_of(Algorithm algorithm) noexcept;

/// The inputs of the choice. They are equal on all ranks, except `bytes` for kinds with a count for
/// each rank.
struct Task {
  Kind kind = Kind::barrier;
  std::uint64_t bytes = 0;      // the largest contribution of a rank
  std::uint64_t all_bytes = 0;  // size of the buffer that is reduced or gathered
  bool any_order = false;       // the result does not depend on the order of the ranks
  bool rounds_once = false;     // partial results are wider than elements: 16-bit floats
  std::uint32_t ranks = 1;
  std::uint32_t hosts = 1;
  bool in_order = true;  // the ranks of each host are consecutive
};
Task task_of(const Request& request, const Hosts& hosts) noexcept;

Algorithm choose_algorithm(const Task& task) noexcept;

/// Below this size messages cost more than bytes, and halving and doubling sends fewer messages
/// than the shares. With four ranks over TCP on two cores it took 8 % longer for 64 and 512 KiB.
constexpr std::uint64_t kDoublingBytes = 1 << 20;
/// From this size on a ring is faster than the shares: measured with four ranks over TCP on two
/// cores, it takes 1.3 times as long for 8 MiB, and 0.84 times for 16 MiB.
constexpr std::uint64_t kRingBytes = 16 << 20;
/// The same limit for floats between hosts of several ranks: with two hosts of two and of four
/// ranks, on two cores, the ring takes 0.6 to 0.8 times as long for 1 MiB, and 0.4 times for 16
/// MiB.
constexpr std::uint64_t kSumRingBytes = 1 << 20;

}  // namespace hccl
