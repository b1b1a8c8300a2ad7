// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tools/trace/op.h"

namespace trace {

/// Spreads what ran side by side over lanes: each to the first one that is free when it begins.
class FirstFit {
 public:
  /// `slack`: how much two of one lane may overlap, for clocks that are read a little late.
  explicit FirstFit(Nanoseconds slack = 0) : slack_(slack) {}

  /// The lane of what runs from `start` to `end`; starts ascend.
  std::size_t take(Nanoseconds start, Nanoseconds end) {
    std::size_t lane = 0;
    while (lane < busy_until_.size() && busy_until_[lane] > start + slack_) ++lane;
    if (lane == busy_until_.size()) busy_until_.push_back(end);
    if (busy_until_[lane] < end) busy_until_[lane] = end;
    return lane;
  }

 private:
  Nanoseconds slack_;
  std::vector<Nanoseconds> busy_until_;
};

}  // namespace trace
