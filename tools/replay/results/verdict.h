// SPDX-License-Identifier: Apache-2.0
// Whether the result of a replay is reliable.
#pragma once

#include <string>
#include <vector>

#include "tools/replay/engine/options.h"
#include "tools/replay/results/summary.h"

namespace replay {

/// The default limit, in %, for the difference between makespan and recorded makespan.
inline constexpr double kUsualTolerance = 5;

/// Whether the options change the recording.
bool deviates(const Options& options, bool other_topology);

struct Verdict {
  std::string why;  // of a FAIL; empty: none
  std::vector<std::string> warnings;
};
/// `tolerance` in % of the recorded makespan; negative: kUsualTolerance, or none if the options
/// deviate.
Verdict verdict_of(const Execution& run, const Summary& summary, double tolerance, bool deviates);

}  // namespace replay
