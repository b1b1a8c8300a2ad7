// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>

#include "runtime/trace/sink.h"

namespace acl::trace_output {

/// The tracks of ranges and marks: each thread has a track in which its ranges nest; ranges that
/// any thread may close share tracks in which they follow each other. No two slices of a track
/// begin at one time, and none crosses the end of another, even if the clock returns equal times.
class RangeTracks {
 public:
  struct Slice {
    std::uint32_t track;
    sim::Nanoseconds start;
    sim::Nanoseconds end;
  };
  struct Open {
    Range range;
    std::uint32_t track;
    sim::Nanoseconds start;
  };
  static constexpr std::uint32_t kThreads = 1u << 24;  // above all thread ids: track of thread N
  static constexpr std::uint32_t kShared = 1u << 25;

  const Open& open(const Range& range);
  /// Ends an open range; nullopt if no open range has that id.
  std::optional<std::pair<Open, Slice>> close(std::uint64_t id, sim::Nanoseconds end);
  Slice mark(const Range& mark, sim::Nanoseconds length);
  /// True the first time for each track.
  bool first_use(std::uint32_t track);

  /// All ranges that are open, in the order of opening, as if they ended at `now`.
  template <class F>
  void for_each_open(sim::Nanoseconds now, F&& f) const {
    for (const auto& [id, open] : open_) f(open, Slice{open.track, open.start, end_of(open, now)});
  }

 private:
  struct Track {
    sim::Nanoseconds last = 0;  // that was used in it
    bool taken = false;         // a shared track that holds an open range
    bool seen = false;
  };
  std::uint32_t track_of(const Range& range);
  sim::Nanoseconds next(Track& track, sim::Nanoseconds time);
  sim::Nanoseconds end_of(const Open& open, sim::Nanoseconds now) const;

  std::unordered_map<std::uint32_t, Track> tracks_;
  std::map<std::uint64_t, Open> open_;
};

}  // namespace acl::trace_output
