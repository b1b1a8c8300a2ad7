// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/board/rails.h"

#include <algorithm>

namespace hccl {
namespace {

/// The rail of a rank: the ranks with the same index on their hosts.
struct Rail {
  Rail(const Hosts& all, int rank)
      : count(all.fewest_ranks()),
        index(all.place_on_host(rank)),
        host(static_cast<int>(all.host_of(rank))),
        hosts(static_cast<int>(all.count())) {}
  bool none() const noexcept { return index >= count; }

  const std::size_t count;
  const std::size_t index;
  const int host;
  const int hosts;
};

/// The rail's share of a buffer that is divided among all rails.
Range share_of(const Rail& rail, std::uint64_t bytes) {
  const std::uint64_t each = (bytes / rail.count + kGrain) / kGrain * kGrain;
  return {std::min(bytes, rail.index * each), std::min(bytes, (rail.index + 1) * each)};
}

/// Converts a schedule among hosts into one among the ranks of a rail. The rail's share of the
/// buffer begins at `begin`.
Schedule among_ranks(Schedule schedule, const Hosts& hosts, const Rail& rail, std::uint64_t begin) {
  for (Step& step : schedule.steps) {
    for (Step::Part* const part : {&step.taken, &step.given}) {
      if (part->peer < 0) continue;
      part->peer = hosts.ranks_of(static_cast<std::uint32_t>(part->peer))[rail.index];
      part->offset += begin;
    }
  }
  return schedule;
}

using MakeAllReduce = Schedule (*)(int me, int ranks, std::uint64_t bytes);

Schedule on_rail(MakeAllReduce make, const Hosts& hosts, int me, std::uint64_t bytes) {
  const Rail rail(hosts, me);
  if (rail.none()) return {};
  const Range mine = share_of(rail, bytes);
  return among_ranks(make(rail.host, rail.hosts, mine.end - mine.begin), hosts, rail, mine.begin);
}

}  // namespace

Schedule ring_all_reduce(const Hosts& hosts, int me, std::uint64_t bytes) {
  return on_rail(ring_all_reduce, hosts, me, bytes);
}

Schedule halving_doubling_all_reduce(const Hosts& hosts, int me, std::uint64_t bytes) {
  return on_rail(halving_doubling_all_reduce, hosts, me, bytes);
}

Schedule ring_all_gather(const Hosts& hosts, int me, std::uint64_t bytes) {
  const Rail rail(hosts, me);
  if (rail.none()) return {};
  std::vector<std::vector<Range>> ranges(hosts.count());
  for (std::uint32_t rank = 0; rank < hosts.ranks(); ++rank) {
    const int owner = static_cast<int>(rank);
    if (hosts.place_on_host(owner) % rail.count != rail.index) continue;
    ranges[hosts.host_of(owner)].push_back({rank * bytes, (rank + 1) * bytes});
  }
  return among_ranks(ring_all_gather(rail.host, ranges), hosts, rail, 0);
}

}  // namespace hccl
