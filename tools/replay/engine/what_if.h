// SPDX-License-Identifier: Apache-2.0
// Changes that a replay applies to the recording.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace replay {

struct WhatIf {
  /// A factor of durations. `what`: kernels, copies, communication, host (the pace of the host's
  /// threads), or a name of ops, in which * matches any text. For links: a kind, or "" for all.
  struct Factor {
    std::string what;
    double factor = 1;
  };
  std::vector<Factor> scales;
  std::vector<Factor> links;         // of their bandwidth
  std::vector<std::string> removed;  // names of ops that take no time and delay no op
  /// Costs that the topology file sets are modelled, even if a duration was recorded.
  bool topology = false;
  /// Collectives are modelled, because the number of ranks differs from the recording.
  bool collectives = false;

  bool any() const {
    return !scales.empty() || !links.empty() || !removed.empty() || topology || collectives;
  }
};

/// Whether a name matches a pattern, in which * matches any text.
bool meant(std::string_view pattern, std::string_view name);

}  // namespace replay
