// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/board/standstill.h"

#include <algorithm>

namespace hccl {
namespace {

std::uint32_t epoch_of(const Board& board) noexcept {
  const auto standing = board.standing().read(0);
  return standing ? standing->epoch : 0;
}

}  // namespace

std::optional<std::vector<int>> find_standstill(std::span<const Board> boards, int me) {
  std::vector<int> found{me};
  for (std::size_t next = 0; next < found.size(); ++next) {
    const auto standing = boards[static_cast<std::size_t>(found[next])].standing().read(0);
    if (!standing || standing->epoch == 0 || standing->count == 0) return std::nullopt;
    for (std::uint32_t i = 0; i < standing->count; ++i) {
      const auto [rank, epoch] = standing->awaited[i];
      if (epoch == 0 || epoch_of(boards[static_cast<std::size_t>(rank)]) != epoch) return std::nullopt;
      if (std::find(found.begin(), found.end(), rank) == found.end()) found.push_back(rank);
    }
  }
  return found;
}

}  // namespace hccl
