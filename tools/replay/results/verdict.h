// SPDX-License-Identifier: Apache-2.0
// Whether a replay can be believed.
#pragma once

#include <string>
#include <vector>

#include "tools/replay/engine/options.h"
#include "tools/replay/results/summary.h"

namespace replay {

/// How far the makespan may be off the recorded one where nothing else is asked for.
inline constexpr double kUsualTolerance = 5;

/// Whether the options ask for something else than the recording.
bool deviates(const Options& options, bool other_topology);

struct Verdict {
  std::string why;  // of a FAIL; empty: none
  std::vector<std::string> warnings;
};
/// `tolerance` in % of the recorded makespan; negative: kUsualTolerance, or none where the options
/// deviate.
Verdict verdict_of(const Execution& run, const Summary& summary, double tolerance, bool deviates);

}  // namespace replay
