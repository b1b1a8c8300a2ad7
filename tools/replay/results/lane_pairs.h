// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/trace/trace.h"

namespace replay {

/// Lanes of two traces that do the same; kNone: the other trace has none.
struct LanePairs {
  std::vector<std::pair<trace::LaneIndex, trace::LaneIndex>> lanes;
  std::vector<std::string> renamed;  // what is compared under two numbers
};
LanePairs pair_lanes(const trace::Trace& a, const trace::Trace& b);

}  // namespace replay
