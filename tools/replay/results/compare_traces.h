// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/replay/engine/execution.h"

namespace replay {

struct TraceWithRun {
  const trace::Trace& trace;
  const Execution& run;
};

struct OpDelta {
  std::string name;
  Nanoseconds start_a = 0, start_b = 0;
  Nanoseconds length_a = 0, length_b = 0;
};

/// Ops of one name that only one trace has on a track.
struct OnlyRow {
  bool in_b = false;
  std::uint64_t count = 0;
  std::string what;         // the op's title, with its bytes if it moves any
  std::string where;        // the track
  std::uint32_t first = 0;  // its number
};

struct TraceDifference {
  std::uint64_t matched = 0;
  std::uint64_t only_a = 0;
  std::uint64_t only_b = 0;
  std::vector<OnlyRow> only;         // the most first
  std::string first;                 // the earliest difference of structure; empty: none
  Nanoseconds first_ns = 0;          // its time
  std::vector<std::string> renamed;  // "rank 0 is compared with rank 3"
  std::vector<OpDelta> largest;      // by the difference of their durations, at most 1000
};

/// Compares two traces of one job. Ranks, devices and tracks are paired by their numbers; if these
/// differ, by their order and by their ops. The ops of a track are matched in order by kind, name
/// and bytes; at a mismatch, up to 64 ops are skipped on either side to find the next match. A
/// matched wait for another record is a difference too. `recorded`: use recorded times, counted
/// from the first; else the times of the runs.
TraceDifference compare_traces(const TraceWithRun& a, const TraceWithRun& b, bool recorded);

/// Whether any op has a recorded start.
bool has_times(const trace::Trace& trace);

}  // namespace replay
