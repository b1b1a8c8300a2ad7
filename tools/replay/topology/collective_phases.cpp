// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/topology/collective_phases.h"

#include <set>
#include <utility>

namespace replay {
namespace {

Shape shape_of(LinkKind kind) {
  if (kind == LinkKind::hccs || kind == LinkKind::sio) return Shape::full;
  return kind == LinkKind::hccs_sw ? Shape::switched : Shape::ring;
}

/// One phase with the slowest link of all pairs, which matter where each has its own, else of the
/// ring.
Phase slowest_of(const Topology& topology, std::span<const std::int32_t> members) {
  Phase phase;
  phase.n = static_cast<std::uint32_t>(members.size());
  phase.bw = 1e9;
  LinkKind worst = LinkKind::hccs;
  const auto see = [&](std::int32_t a, std::int32_t b) {
    const LinkCost link = topology.cost(a, b);
    phase.lat = std::max(phase.lat, static_cast<double>(link.lat_ns));
    if (link.bw / 1e9 >= phase.bw) return;
    phase.bw = link.bw / 1e9;
    worst = topology.kind(a, b);
  };
  constexpr std::size_t kAllPairs = 64;  // of more members only the ring is examined
  for (std::size_t i = 0; i < members.size(); ++i) {
    see(members[i], members[(i + 1) % members.size()]);
    for (std::size_t k = i + 2; members.size() <= kAllPairs && k < members.size(); ++k) {
      see(members[i], members[k]);
    }
  }
  phase.shape = topology.dimensions.empty() ? shape_of(worst) : Shape::ring;
  phase.algorithms.fill(topology.collectives);
  if (topology.dimensions.empty()) phase.port = std::max(topology.port_out, topology.port_in) / 1e9;
  if (topology.port_out > 0 && topology.port_in > 0) {
    phase.port = std::min(topology.port_out, topology.port_in) / 1e9;
  }
  return phase;
}

/// The dimensions in which members differ; empty: they do not fill a block.
std::vector<Phase> block(const Topology& topology, std::span<const std::int32_t> members) {
  std::vector<Phase> phases;
  std::uint64_t filled = 1;
  std::uint32_t below = 1;
  for (const Dimension& dimension : topology.dimensions) {
    std::set<std::uint32_t> seen;
    for (const std::int32_t member : members) {
      if (member < 0) return {};
      seen.insert(static_cast<std::uint32_t>(member) / below % dimension.count);
    }
    const std::uint32_t stride = std::exchange(below, below * dimension.count);
    filled *= seen.size();
    if (seen.size() < 2) continue;
    Phase phase;
    phase.shape = dimension.shape;
    phase.n = static_cast<std::uint32_t>(seen.size());
    phase.lat = static_cast<double>(dimension.link.lat_ns);
    phase.bw = dimension.link.bw / 1e9;
    phase.algorithms = dimension.algorithms;
    phase.stride = stride;
    phase.count = dimension.count;
    phases.push_back(phase);
  }
  return filled == members.size() ? phases : std::vector<Phase>();
}

}  // namespace

std::vector<Phase> phases_of(const Topology& topology, std::span<const std::int32_t> members) {
  std::vector<Phase> phases;
  if (!topology.dimensions.empty()) phases = block(topology, members);
  if (phases.empty()) phases.push_back(slowest_of(topology, members));
  return phases;
}

}  // namespace replay
