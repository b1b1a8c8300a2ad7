// SPDX-License-Identifier: Apache-2.0
// The summary of a run: streams, links, edges, and its difference from the recording.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/replay/engine/cost.h"
#include "tools/replay/engine/execution.h"
#include "tools/replay/results/critical_path.h"
#include "tools/trace/pairing/evidence.h"

namespace replay {

struct StreamSummary {
  TrackIndex track = trace::kNone;
  std::uint64_t ops = 0;
  Nanoseconds busy_ns = 0;
  Nanoseconds wait_ns = 0;
  Nanoseconds idle_ns = 0;  // the rest of the makespan
  OpIndex longest_wait = trace::kNone;
  Nanoseconds longest_wait_ns = 0;
};

/// One direction of a link.
struct LinkSummary {
  Route route;
  const char* kind = "";  // of the link, in a word
  std::uint64_t transfers = 0;
  std::uint64_t bytes = 0;
  Nanoseconds busy_ns = 0;      // with at least one transfer
  double peak_bytes_per_s = 0;  // of all transfers at one time
  std::uint32_t peak_transfers = 0;
};

/// The number of edges between tracks, by Provenance.
struct EdgeSummary {
  std::array<std::uint64_t, 6> by_origin{};
  std::uint64_t ambiguous = 0;
  std::uint64_t missing = 0;  // waits whose other side is not in the trace
  std::uint64_t unrecorded = 0;
};

/// The difference from the recording: |start - recorded start| of ops on streams.
struct Accuracy {
  std::uint64_t ops = 0;
  Nanoseconds p50_ns = 0;
  Nanoseconds p99_ns = 0;
  Nanoseconds max_ns = 0;
  OpIndex worst = trace::kNone;
  Nanoseconds makespan_ns = 0;  // recorded
};

struct Summary {
  std::vector<StreamSummary> streams;  // those with ops
  std::vector<LinkSummary> links;      // those with bytes, the busiest first
  EdgeSummary edges;
  std::optional<Accuracy> accuracy;  // if starts were recorded
  trace::Evidence evidence;
  CriticalPath path;
};

Summary summarise(const trace::Trace& trace, const Execution& run, const Cost& cost);

}  // namespace replay
