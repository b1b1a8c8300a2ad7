// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tools/replay/topology/topology.h"
#include "tools/trace/trace.h"

namespace replay {

/// A number that a recording told.
struct FitLine {
  std::string what;  // "link.HCCS", "sync.wake_ns", ...
  std::uint64_t samples = 0;
  LinkCost link;           // of links
  double off_percent = 0;  // links: median difference of the recorded durations from the fit
  Nanoseconds ns = 0;      // of the others
};

struct Fit {
  Topology topology;  // `base` with what was found
  std::vector<FitLine> lines;
};

/// Latency and bandwidth of each kind of link, and what signals cost, from recorded durations.
/// What the recording does not tell stays as in `base`.
Fit fit_topology(const trace::Trace& trace, const Topology& base);

}  // namespace replay
