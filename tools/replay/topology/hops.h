// SPDX-License-Identifier: Apache-2.0
// The links that bytes pass, which transfers and collectives share if they run at the same time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tools/replay/topology/topology.h"

namespace replay {

/// One direction of a link. In a ring: from a member to the next; in a full mesh: between two
/// members; with a switch: from a member to it or back; without dimensions: from one device to
/// another.
struct Hop {
  std::uint64_t key = 0;  // unique
  double bw = 0;          // bytes per second
};

/// The part of a transfer that passes a hop.
struct Load {
  Hop hop;
  double bytes = 0;
};

/// The key of the link between two devices; -1 is the host.
constexpr std::uint64_t pair_key(std::int32_t from, std::int32_t to) {
  return (std::uint64_t{static_cast<std::uint32_t>(from + 1)} << 32) |
         static_cast<std::uint32_t>(to + 1);
}

/// The hops that a message passes, one dimension after the other and the shorter way round a ring.
/// If both ways are equally long, it goes up.
std::vector<Hop> hops_between(const Topology& topology, std::int32_t from, std::int32_t to);

/// The loads of a collective of one byte on its hops, sorted by key: the sum over all phases of its
/// algorithms. A ring goes through the members in their order; if two ways are equally long, each
/// carries half. Empty if no byte moves, and if there would be more than kMostLoads.
std::vector<Load> loads_of(const Topology& topology, trace::Collective kind,
                           std::span<const std::int32_t> members);
inline constexpr std::size_t kMostLoads = 65536;

}  // namespace replay
