// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/replay/engine/run.h"

namespace replay {

struct TraceWithRun {
  const trace::Trace& trace;
  const Run& run;
};

struct OpDelta {
  std::string name;
  Nanoseconds start_a = 0, start_b = 0;
  Nanoseconds length_a = 0, length_b = 0;
};

struct TraceDifference {
  std::uint64_t matched = 0;
  std::uint64_t only_a = 0;
  std::uint64_t only_b = 0;
  std::optional<OpDelta> first;  // the earliest that takes another time
  std::vector<OpDelta> largest;  // by the difference of what they take, at most 1000
};

/// Two traces of one job, stream by stream. The ops of a stream are matched in order by kind and
/// name; where they part, up to 64 are left out on either side to find together again. `recorded`:
/// recorded times, counted from the first; else those of the runs.
TraceDifference compare_traces(const TraceWithRun& a, const TraceWithRun& b, bool recorded);

/// Whether any op has a recorded start.
bool has_times(const trace::Trace& trace);

}  // namespace replay
