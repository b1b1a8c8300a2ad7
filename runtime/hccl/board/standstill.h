// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/hccl/board/board.h"

namespace hccl {

struct StandingRank {
  int rank;
  Standing standing;
};

/// The ranks that this one waits for, itself among them, where none of them will ever do anything
/// again: each is at rest, and waits for those alone, as they are. In the order in which they are
/// found.
///
/// Each has looked at those that it waits for after they had come to rest. So had one of them done
/// something since, there would be a first to do so, and nobody who let it.
std::optional<std::vector<StandingRank>> find_standstill(std::span<const Board> boards, int me);

}  // namespace hccl
