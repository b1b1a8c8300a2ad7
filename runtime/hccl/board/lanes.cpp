// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/board/lanes.h"

#include <algorithm>

namespace hccl {
namespace {

/// The rail of a rank: the ranks with the same index on their hosts.
struct Lane {
  Lane(const Hosts& all, int rank)
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
Range share_of(const Lane& lane, std::uint64_t bytes) {
  const std::uint64_t each = (bytes / lane.count + kGrain) / kGrain * kGrain;
  return {std::min(bytes, lane.index * each), std::min(bytes, (lane.index + 1) * each)};
}

/// Converts a schedule among hosts into one among the ranks of a rail. The rail's share of the
/// buffer begins at `begin`.
Schedule among_ranks(Schedule schedule, const Hosts& hosts, const Lane& lane, std::uint64_t begin) {
  for (Step& step : schedule.steps) {
    for (Step::Part* const part : {&step.taken, &step.given}) {
      if (part->peer < 0) continue;
      part->peer = hosts.ranks_of(static_cast<std::uint32_t>(part->peer))[lane.index];
      part->offset += begin;
    }
  }
  return schedule;
}

using MakeAllReduce = Schedule (*)(int me, int ranks, std::uint64_t bytes);

Schedule in_lane(MakeAllReduce make, const Hosts& hosts, int me, std::uint64_t bytes) {
  const Lane lane(hosts, me);
  if (lane.none()) return {};
  const Range mine = share_of(lane, bytes);
  return among_ranks(make(lane.host, lane.hosts, mine.end - mine.begin), hosts, lane, mine.begin);
}

}  // namespace

Schedule ring_all_reduce(const Hosts& hosts, int me, std::uint64_t bytes) {
  return in_lane(ring_all_reduce, hosts, me, bytes);
}

Schedule halving_doubling_all_reduce(const Hosts& hosts, int me, std::uint64_t bytes) {
  return in_lane(halving_doubling_all_reduce, hosts, me, bytes);
}

Schedule ring_all_gather(const Hosts& hosts, int me, std::uint64_t bytes) {
  const Lane lane(hosts, me);
  if (lane.none()) return {};
  std::vector<std::vector<Range>> ranges(hosts.count());
  for (std::uint32_t rank = 0; rank < hosts.ranks(); ++rank) {
    const int owner = static_cast<int>(rank);
    if (hosts.place_on_host(owner) % lane.count != lane.index) continue;
    ranges[hosts.host_of(owner)].push_back({rank * bytes, (rank + 1) * bytes});
  }
  return among_ranks(ring_all_gather(lane.host, ranges), hosts, lane, 0);
}

}  // namespace hccl
