// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace launch {

/// A timeline that a rank has written.
struct RankTimeline {
  std::string path;
  int rank = 0;
};

/// Writes the timelines of several ranks as one: the names of tracks begin with the rank, and times
/// count from the start of the rank that began first. Throws std::runtime_error for a file that
/// cannot be read or written.
void join_timelines(const std::vector<RankTimeline>& timelines, const std::string& to);

}  // namespace launch
