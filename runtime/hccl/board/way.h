// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "runtime/hccl/board/hosts.h"
#include "runtime/hccl/board/request.h"

namespace hccl {

/// The algorithm of a collective.
enum class Way : std::uint8_t {
  barrier,
  board,             // with the entry: small
  direct,            // each rank to each other that wants it
  shares,            // each rank reduces its share, for all or for the root
  hierarchical,      // by one rank of each host, which hands it on
  halving_doubling,  // between hosts, in steps whose partners are ever further away
  ring,              // between hosts, each rank to the next
  // The last two between hosts with several ranks: these are reduced on their host, and some of
  // them deal with the other hosts, each with a part of the bytes.
  hierarchical_halving_doubling,
  hierarchical_ring,
};

/// It follows a `Schedule`.
constexpr bool is_scheduled(Way way) noexcept { return way >= Way::halving_doubling; }

/// "HCCL_RING": as timelines show it.
const char* name_of(Way way) noexcept;

/// What the choice depends on, alike on all ranks (but `bytes` of the kinds with a count for each
/// rank).
struct Task {
  Kind kind = Kind::barrier;
  std::uint64_t bytes = 0;      // brought by the rank that brings most
  std::uint64_t all_bytes = 0;  // of the buffers: what is reduced, or gathered
  bool any_order = false;       // the result does not depend on the order of the ranks
  bool rounds_once = false;     // partial results are wider than elements: 16-bit floats
  std::uint32_t ranks = 1;
  std::uint32_t hosts = 1;
  bool in_order = true;  // the ranks of each host follow each other
};
Task task_of(const Request& request, const Hosts& hosts) noexcept;

Way choose_way(const Task& task) noexcept;

/// Below this, messages cost more than bytes, and halving and doubling sends fewer of them than the
/// shares. With four ranks over TCP on two cores it took 8 % longer for 64 and 512 KiB.
constexpr std::uint64_t kDoublingBytes = 1 << 20;
/// From here on a ring is quicker than the shares: measured with four ranks over TCP on two cores,
/// it takes 1.3 times as long for 8 MiB, and 0.84 times for 16 MiB.
constexpr std::uint64_t kRingBytes = 16 << 20;
/// The same for floats between hosts of several ranks: with two hosts of two and of four ranks, on
/// two cores, the ring takes 0.6 to 0.8 times as long for 1 MiB, and 0.4 times for 16 MiB.
constexpr std::uint64_t kSumRingBytes = 1 << 20;

}  // namespace hccl
