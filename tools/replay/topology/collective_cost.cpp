// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/topology/collective_cost.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <vector>

namespace replay {
namespace {

using trace::Collective;

/// Members that lie side by side, and the links between them.
struct Phase {
  Shape shape = Shape::full;
  std::uint32_t n = 1;
  double lat = 0;  // ns
  double bw = 1;   // bytes per ns
  std::array<Algorithm, kExchanges> algorithms{};
  double port = 0;  // bytes per ns of one member over all links; 0: no limit

  double steps() const { return static_cast<double>(n - 1); }
  double log2_up() const { return static_cast<double>(std::bit_width(n - 1)); }

  Algorithm algorithm(Exchange exchange) const {
    const Algorithm wished = algorithms[static_cast<std::size_t>(exchange)];
    const bool halves = std::has_single_bit(n);
    if (wished == Algorithm::halving_doubling && !halves) return Algorithm::ring;
    if (wished != Algorithm::automatic) return wished;
    if (shape == Shape::full || exchange == Exchange::all_to_all) return Algorithm::direct;
    return shape == Shape::switched && halves ? Algorithm::halving_doubling : Algorithm::ring;
  }

  /// Each sends a part of `bytes` to each other one, all at once.
  double direct(double bytes) const {
    const double part = bytes / static_cast<double>(n);
    double through = part / bw;
    double hops = 1;
    if (shape == Shape::switched) through = steps() * part / bw;
    if (shape == Shape::ring) {  // the busiest link carries what passes half of the ring
      const auto pairs = static_cast<double>(std::uint64_t{n} * n / 4);
      through = part * std::max(1.0, pairs / 2) / bw;
      hops = std::max(1.0, std::floor(static_cast<double>(n) / 2));
    }
    if (port > 0) through = std::max(through, steps() * part / port);
    return through + hops * lat;
  }
  /// A reduce-scatter of `bytes`, or an all-gather that ends with them.
  double half(double bytes, Exchange exchange) const {
    const double most = bytes * steps() / static_cast<double>(n);
    switch (algorithm(exchange)) {
      case Algorithm::direct:
        return direct(bytes);
      case Algorithm::halving_doubling:
      case Algorithm::tree:
        return most / bw + log2_up() * lat;  // S/2 + S/4 + ... of n = 2^k are all but S/n
      default:
        return most / bw + steps() * lat;
    }
  }
  double all_to_all(double bytes) const {
    if (algorithm(Exchange::all_to_all) == Algorithm::direct) return direct(bytes);
    return bytes * steps() / static_cast<double>(n) / bw + steps() * lat;
  }
  /// From one to all or back, in a pipeline.
  double spread(double bytes) const {
    return bytes / bw + (shape == Shape::ring ? steps() : log2_up()) * lat;
  }
};

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
  constexpr std::size_t kAllPairs = 64;  // of more the ring stands for all
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
    below *= dimension.count;
    filled *= seen.size();
    if (seen.size() < 2) continue;
    Phase phase;
    phase.shape = dimension.shape;
    phase.n = static_cast<std::uint32_t>(seen.size());
    phase.lat = static_cast<double>(dimension.link.lat_ns);
    phase.bw = dimension.link.bw / 1e9;
    phase.algorithms = dimension.algorithms;
    phases.push_back(phase);
  }
  return filled == members.size() ? phases : std::vector<Phase>();
}

double halves(const std::vector<Phase>& phases, double bytes, Exchange exchange) {
  double ns = 0;
  for (const Phase& phase : phases) {
    ns += phase.half(bytes, exchange);
    bytes /= static_cast<double>(phase.n);
  }
  return ns;
}

double cost_of(const std::vector<Phase>& phases, Collective kind, double bytes) {
  double ns = 0;
  switch (kind) {
    case Collective::all_reduce:
      return 2 * halves(phases, bytes, Exchange::all_reduce);
    case Collective::all_gather:
      return halves(phases, bytes, Exchange::all_gather);
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return halves(phases, bytes, Exchange::reduce_scatter);
    case Collective::all_to_all:
      for (const Phase& phase : phases) ns += phase.all_to_all(bytes);
      return ns;
    case Collective::none:
    case Collective::barrier:
      for (const Phase& phase : phases) ns += 2 * phase.log2_up() * phase.lat;
      return ns;
    default:
      for (const Phase& phase : phases) ns += phase.spread(bytes);
      return ns;
  }
}

}  // namespace

Nanoseconds collective_ns(const Topology& topology, Collective kind,
                          std::span<const std::int32_t> members, std::uint64_t bytes) {
  if (members.size() < 2) return 0;
  std::vector<Phase> phases;
  if (!topology.dimensions.empty()) phases = block(topology, members);
  if (phases.empty()) phases.push_back(slowest_of(topology, members));
  // What rounding of doubles adds is no nanosecond.
  return static_cast<Nanoseconds>(
      std::ceil(cost_of(phases, kind, static_cast<double>(bytes)) - 1e-3));
}

}  // namespace replay
