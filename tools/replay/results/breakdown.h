// SPDX-License-Identifier: Apache-2.0
// How each rank spends its time: the work of its device, and the reasons for its idle time.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/replay/engine/execution.h"
#include "tools/trace/trace.h"

namespace replay {

/// The time of one rank, from the first start of work on its devices to the last end. Compute,
/// exposed communication, exposed copies and idle add up to the span: work that runs beside work of
/// a category named earlier is not counted again.
struct RankBreakdown {
  std::uint32_t rank = 0;  // index
  Nanoseconds span_ns = 0;
  Nanoseconds compute_ns = 0;
  Nanoseconds exposed_ns = 0;      // communication while nothing was computed
  Nanoseconds overlapped_ns = 0;   // communication beside compute
  Nanoseconds copies_ns = 0;       // beside neither
  Nanoseconds idle_ns = 0;         // the sum of the following
  Nanoseconds idle_host_ns = 0;    // the host had not called for the next op
  Nanoseconds idle_stream_ns = 0;  // the next op waited for another stream
  Nanoseconds idle_rank_ns = 0;    // ... for another rank
  Nanoseconds idle_other_ns = 0;   // unknown
  // from the host's call to the start, if calls are known
  std::uint64_t launches = 0;
  Nanoseconds delay_median_ns = 0;
  Nanoseconds delay_p99_ns = 0;
  std::uint64_t queue_most = 0;  // ops that were issued and had not begun
  double queue_mean = 0;         // over time
};

/// Kernels of one name, over all ranks.
struct KernelRow {
  trace::StringIndex name = 0;
  std::uint64_t count = 0;
  Nanoseconds sum_ns = 0;
  Nanoseconds median_ns = 0;
};

/// Copies from one device to another one.
struct LinkRow {
  std::int32_t from = 0;  // indices into Trace::devices()
  std::int32_t to = 0;
  std::uint64_t copies = 0;
  std::uint64_t bytes = 0;
  Nanoseconds sum_ns = 0;
  double bytes_per_s() const {
    return sum_ns == 0 ? 0 : static_cast<double>(bytes) * 1e9 / static_cast<double>(sum_ns);
  }
};

struct Breakdown {
  bool recorded = true;  // false: the trace has no times; these are the times of a replay
  std::vector<RankBreakdown> ranks;
  std::vector<KernelRow> kernels;  // the longest sum first
  Nanoseconds kernels_ns = 0;      // of all
  std::vector<LinkRow> links;      // the slowest first
  /// The rank that computes longest: index into `ranks`. Others wait for it in collectives.
  std::size_t slowest = 0;
  /// Ops that are counted nowhere above: each begins during the recorded time of another op of its
  /// track, by more than the inaccuracy of clocks, and ends after it.
  std::uint64_t excluded = 0;
};

/// `run`: the source of times if the trace has none; may be null if it has.
Breakdown break_down(const trace::Trace& trace, const Execution* run);

}  // namespace replay
