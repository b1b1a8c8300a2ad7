// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tools/trace/trace.h"

namespace trace {

/// How far the recorded times confirm the order of tracks and the pairs of waits.
struct Evidence {
  std::uint64_t timed = 0;         // ops of streams with a start
  std::uint64_t overlaps = 0;      // of these: begin while the one before on their track runs
  std::uint64_t pairs = 0;         // waits with a partner, both with times beside them
  std::uint64_t contradicted = 0;  // of these: the wait ended before its partner

  /// The tracks are not streams: more than one op in a hundred runs beside the op before it.
  bool tracks_overlap() const { return overlaps * 100 > timed; }
};
Evidence weigh(const Trace& trace);

/// Clocks of a profiler differ by this much within one rank.
inline constexpr Nanoseconds kClockSlack = 1000;

}  // namespace trace
