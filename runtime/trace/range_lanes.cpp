// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/range_lanes.h"

#include <algorithm>
#include <utility>

namespace acl::trace_output {

using sim::Nanoseconds;

std::uint32_t RangeLanes::lane_of(const Range& range) {
  if (range.thread != 0) return kThreads | range.thread;
  std::uint32_t lane = kShared;
  while (lanes_[lane].taken) ++lane;
  lanes_[lane].taken = true;
  return lane;
}

Nanoseconds RangeLanes::next(Lane& lane, Nanoseconds time) {
  lane.last = std::max(time, lane.last + 1);
  return lane.last;
}

Nanoseconds RangeLanes::end_of(const Open& open, Nanoseconds now) const {
  return std::max(now, lanes_.at(open.lane).last + 1);
}

const RangeLanes::Open& RangeLanes::open(const Range& range) {
  const std::uint32_t lane = lane_of(range);
  return open_.insert_or_assign(range.id, Open{range, lane, next(lanes_[lane], range.start)})
      .first->second;
}

std::optional<std::pair<RangeLanes::Open, RangeLanes::Slice>> RangeLanes::close(std::uint64_t id,
                                                                                Nanoseconds end) {
  const auto found = open_.find(id);
  if (found == open_.end()) return std::nullopt;
  Open open = std::move(found->second);
  open_.erase(found);
  Lane& lane = lanes_[open.lane];
  lane.taken = false;
  const Slice slice{open.lane, open.start, next(lane, end)};
  return std::pair(std::move(open), slice);
}

RangeLanes::Slice RangeLanes::mark(const Range& mark, Nanoseconds length) {
  const std::uint32_t id = kThreads | mark.thread;
  Lane& lane = lanes_[id];
  const Nanoseconds start = next(lane, mark.start);
  lane.last = start + length;
  return {id, start, lane.last};
}

bool RangeLanes::first_use(std::uint32_t lane) { return !std::exchange(lanes_[lane].seen, true); }

}  // namespace acl::trace_output
