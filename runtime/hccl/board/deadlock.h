// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/hccl/board/board.h"

namespace hccl {

struct WaitingRank {
  int rank;
  WaitState wait_state;
};

/// Returns the ranks of a deadlock that this rank is part of, in the order in which they are found:
/// each is at rest, and waits only for these ranks, in their present epochs. Returns nothing if
/// this rank may still continue.
///
/// Each rank has read the states of the ranks that it waits for after they had come to rest. If one
/// of them had made progress since then, one would have been the first, but only the progress of
/// another one could have let it.
///
/// `state`: the states to read, of the communicator or of whole processes.
using StateOf = Published<WaitState>& (Board::*)() const;
std::optional<std::vector<WaitingRank>> find_deadlock(std::span<const Board> boards, int me,
                                                      StateOf state = &Board::wait_state);

}  // namespace hccl
