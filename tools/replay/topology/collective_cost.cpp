// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/topology/collective_cost.h"

#include <cmath>
#include <vector>

#include "tools/replay/topology/collective_phases.h"

namespace replay {
namespace {

using trace::Collective;

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
  const std::vector<Phase> phases = phases_of(topology, members);
  // Rounding errors of doubles do not add a nanosecond.
  return static_cast<Nanoseconds>(
      std::ceil(cost_of(phases, kind, static_cast<double>(bytes)) - 1e-3));
}

}  // namespace replay
