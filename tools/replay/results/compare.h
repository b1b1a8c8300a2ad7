// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/replay/engine/options.h"

namespace replay {

/// A number of two runs, side by side.
struct Delta {
  std::string what;  // "makespan_ns", "rank 0 device 0 stream 2 busy_ns", "link 0->1 busy_ns"
  Nanoseconds a = 0;
  Nanoseconds b = 0;
  /// (b - a) as a percentage of the makespan of a.
  double percent = 0;
};

/// The runs of two reports, by their order; differences of makespans, streams and links, the
/// largest first after the makespan. Streams and links that only one report has count as 0 in
/// the other.
std::vector<Delta> compare_reports(const nlohmann::ordered_json& a,
                                   const nlohmann::ordered_json& b);

}  // namespace replay
