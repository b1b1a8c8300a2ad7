// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tools/trace/op.h"

namespace trace {

/// Spreads tasks that ran side by side over tracks: each to the first track that is free when it
/// begins.
class FirstFit {
 public:
  /// `slack`: the longest overlap of two tasks on one track, since clocks are read a little late.
  explicit FirstFit(Nanoseconds slack = 0) : slack_(slack) {}

  /// The track of a task that runs from `start` to `end`; calls come in the order of starts.
  std::size_t take(Nanoseconds start, Nanoseconds end) {
    std::size_t track = 0;
    while (track < busy_until_.size() && busy_until_[track] > start + slack_) ++track;
    if (track == busy_until_.size()) busy_until_.push_back(end);
    if (busy_until_[track] < end) busy_until_[track] = end;
    return track;
  }

 private:
  Nanoseconds slack_;
  std::vector<Nanoseconds> busy_until_;
};

}  // namespace trace
