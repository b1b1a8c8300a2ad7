// SPDX-License-Identifier: Apache-2.0
// Options of all verbs that replay traces.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/replay/engine/options.h"
#include "tools/replay/topology/topology.h"
#include "tools/trace/trace.h"

namespace CLI {
class App;
}

namespace aclsim {

/// The options of the cost model, as text of the command line.
struct ReplayOptions {
  std::string topo;
  std::string cost = "mixed";
  std::string contention = "fifo";
  std::string sends;
  std::string gaps = "recorded";
  std::string system;
  std::vector<std::string> scales, links, removed;
  std::uint32_t ranks = 0;  // 0: the ranks of the trace
  double jitter = 0;
  std::uint64_t seed = 0;

  /// Whether an option changes the recorded work.
  bool what_if() const;
  replay::Options values() const;
  /// With --ranks, the trace to run instead of `trace`. Throws if no op has a name that is to be
  /// scaled or removed, or if the topology has too few ranks.
  std::optional<trace::Trace> shaped(const trace::Trace& trace,
                                     const replay::Topology& topology) const;
  /// The topology of the file, or the default topology. Throws replay::TopologyError.
  replay::Topology topology() const;
  std::string topology_name() const { return topo.empty() ? "default" : topo; }
};

void add_replay_options(CLI::App& verb, ReplayOptions& options);

}  // namespace aclsim
