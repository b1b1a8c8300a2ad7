// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/range_tracks.h"

#include <algorithm>
#include <utility>

namespace acl::trace_output {

using sim::Nanoseconds;

std::uint32_t RangeTracks::track_of(const Range& range) {
  if (range.thread != 0) return kThreads | range.thread;
  std::uint32_t track = kShared;
  while (tracks_[track].taken) ++track;
  tracks_[track].taken = true;
  return track;
}

Nanoseconds RangeTracks::next(Track& track, Nanoseconds time) {
  track.last = std::max(time, track.last + 1);
  return track.last;
}

Nanoseconds RangeTracks::end_of(const Open& open, Nanoseconds now) const {
  return std::max(now, tracks_.at(open.track).last + 1);
}

const RangeTracks::Open& RangeTracks::open(const Range& range) {
  const std::uint32_t track = track_of(range);
  return open_.insert_or_assign(range.id, Open{range, track, next(tracks_[track], range.start)})
      .first->second;
}

std::optional<std::pair<RangeTracks::Open, RangeTracks::Slice>> RangeTracks::close(
    std::uint64_t id, Nanoseconds end) {
  const auto found = open_.find(id);
  if (found == open_.end()) return std::nullopt;
  Open open = std::move(found->second);
  open_.erase(found);
  Track& track = tracks_[open.track];
  track.taken = false;
  const Slice slice{open.track, open.start, next(track, end)};
  return std::pair(std::move(open), slice);
}

RangeTracks::Slice RangeTracks::mark(const Range& mark, Nanoseconds length) {
  const std::uint32_t id = kThreads | mark.thread;
  Track& track = tracks_[id];
  const Nanoseconds start = next(track, mark.start);
  track.last = start + length;
  return {id, start, track.last};
}

bool RangeTracks::first_use(std::uint32_t track) {
  return !std::exchange(tracks_[track].seen, true);
}

}  // namespace acl::trace_output
