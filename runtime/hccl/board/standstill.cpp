// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/board/standstill.h"

#include <algorithm>

namespace hccl {

// The state of each rank is read once: a later state may belong to another epoch.
std::optional<std::vector<StandingRank>> find_standstill(std::span<const Board> boards, int me) {
  std::vector<StandingRank> found;
  const auto find = [&](int rank) {
    const auto known =
        std::find_if(found.begin(), found.end(), [&](const auto& one) { return one.rank == rank; });
    if (known != found.end()) return known->standing.epoch;
    const auto shown = boards[static_cast<std::size_t>(rank)].standing().read(0);
    found.push_back({rank, shown.value_or(Standing())});
    return found.back().standing.epoch;
  };
  find(me);
  for (std::size_t next = 0; next < found.size(); ++next) {
    const Standing standing = found[next].standing;
    if (standing.epoch == 0 || standing.count == 0) return std::nullopt;
    for (std::uint32_t i = 0; i < standing.count; ++i) {
      const auto [rank, epoch] = standing.awaited[i];
      if (epoch == 0 || find(rank) != epoch) return std::nullopt;
    }
  }
  return found;
}

}  // namespace hccl
