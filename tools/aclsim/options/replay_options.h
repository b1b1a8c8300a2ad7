// SPDX-License-Identifier: Apache-2.0
// What the verbs that replay have in common.
#pragma once

#include <string>

#include "tools/replay/engine/options.h"
#include "tools/replay/topology/topology.h"

namespace CLI {
class App;
}

namespace aclsim {

/// The options of the cost model, as they stand on the command line.
struct ReplayOptions {
  std::string topo;
  std::string cost = "mixed";
  std::string contention = "fifo";
  std::string sends;
  std::string gaps = "recorded";
  double scale = 1;
  double jitter = 0;
  std::uint64_t seed = 0;

  replay::Options values() const;
  /// The file's, or the default one. Throws replay::TopologyError.
  replay::Topology topology() const;
  std::string topology_name() const { return topo.empty() ? "default" : topo; }
};

void add_replay_options(CLI::App& verb, ReplayOptions& options);

}  // namespace aclsim
