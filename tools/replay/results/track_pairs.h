// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/trace/trace.h"

namespace replay {

/// Tracks of two traces that do the same; kNone: the other trace has none.
struct TrackPairs {
  std::vector<std::pair<trace::TrackIndex, trace::TrackIndex>> tracks;
  std::vector<std::string> renamed;  // ranks and devices with different numbers in the two traces
};
TrackPairs pair_tracks(const trace::Trace& a, const trace::Trace& b);

}  // namespace replay
