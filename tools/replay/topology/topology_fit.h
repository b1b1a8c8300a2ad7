// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tools/replay/topology/topology.h"
#include "tools/trace/trace.h"

namespace replay {

/// A cost derived from a recording.
struct FitLine {
  std::string what;  // "link.hccs", "sync.wake_ns", ...
  std::uint64_t samples = 0;
  LinkCost link;           // of links
  double off_percent = 0;  // links: median difference of the recorded durations from the fit
  Nanoseconds ns = 0;      // of the others
};

struct Fit {
  Topology topology;  // `base` with the fitted costs
  std::vector<FitLine> lines;
};

/// Derives latency and bandwidth of each kind of link, and the costs of signals, from recorded
/// durations. Costs that the recording does not show stay as in `base`.
Fit fit_topology(const trace::Trace& trace, const Topology& base);

}  // namespace replay
