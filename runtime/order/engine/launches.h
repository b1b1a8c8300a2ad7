// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "runtime/order/engine/op_info.h"

namespace order {

/// The latest launches of graphs, and of functions of streams that accessed memory. A finding about
/// an access of a graph or a function names the launch too, because a repair belongs there.
class Launches {
 public:
  void add(const OpInfo& launch) {
    if (launch.called == 0 || launches_[last_].called == launch.called) return;
    last_ = (last_ + 1) % launches_.size();
    launches_[last_] = launch;
  }
  /// The launch of an operation of a graph, or of an access in a function.
  std::optional<OpInfo> find(const OpInfo& op_info) const {
    const bool launched = op_info.in_graph || op_info.stream == OpInfo::kNoStream;
    if (!launched || op_info.called == 0) return std::nullopt;
    for (const OpInfo& launch : launches_) {
      if (launch.called == op_info.called) return launch;
    }
    return std::nullopt;
  }

 private:
  std::array<OpInfo, 256> launches_{};
  std::size_t last_ = 0;
};

}  // namespace order
