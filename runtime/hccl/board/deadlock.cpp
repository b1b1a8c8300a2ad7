// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/board/deadlock.h"

#include <algorithm>

namespace hccl {

// The state of each rank is read once: a later state may belong to another epoch.
std::optional<std::vector<WaitingRank>> find_deadlock(std::span<const Board> boards, int me,
                                                      StateOf state) {
  std::vector<WaitingRank> found;
  const auto find = [&](int rank) {
    const auto known =
        std::find_if(found.begin(), found.end(), [&](const auto& one) { return one.rank == rank; });
    if (known != found.end()) return known->wait_state.epoch;
    const auto shown = (boards[static_cast<std::size_t>(rank)].*state)().read(0);
    found.push_back({rank, shown.value_or(WaitState())});
    return found.back().wait_state.epoch;
  };
  find(me);
  for (std::size_t next = 0; next < found.size(); ++next) {
    const WaitState wait_state = found[next].wait_state;
    if (wait_state.epoch == 0 || wait_state.count == 0) return std::nullopt;
    for (std::uint32_t i = 0; i < wait_state.count; ++i) {
      const auto [rank, epoch] = wait_state.awaited[i];
      if (epoch == 0 || find(rank) != epoch) return std::nullopt;
    }
  }
  return found;
}

}  // namespace hccl
