// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/hccl/board/algorithm.h"
#include "runtime/hccl/board/request.h"

namespace hccl {

/// A collective in which each rank sends the same bytes to all others, few enough for the board.
/// Its code describes the call completely: ranks with equal codes read only each other's lines and
/// data.
struct Small {
  enum class Takes : std::uint8_t { nothing, reduced, from_root, from_all };
  Call call{};
  std::uint64_t code = 0;
  std::size_t element = 1;
  std::uint64_t bytes = 0;  // contribution of a rank that sends
  std::uint64_t sent = 0;   // contribution of this rank: `bytes` or 0
  std::uint64_t received = 0;
  Takes takes = Takes::nothing;

  Algorithm algorithm() const noexcept {
    return call.kind == Kind::barrier ? Algorithm::barrier : Algorithm::board;
  }
};

/// The maximum contribution of a rank to a small collective. Two ranks on two hosts exchange the
/// same number of bytes whether each sends all of its data or they share the work, but the former
/// takes one message instead of three.
constexpr std::size_t most_of_small(std::size_t ranks, std::size_t hosts) noexcept {
  constexpr std::size_t kOfTwo = 64 << 10;
  return ranks == 2 && hosts == 2 ? kOfTwo : Board::kDataBytes;
}

/// Returns nothing if the collective is not small. All ranks get the same answer.
std::optional<Small> small_of(const Shape& shape, std::size_t most = Board::kDataBytes) noexcept;

/// The place in the line or the data of a board that holds the rank's contribution.
std::byte* small_data(const Board& board, std::uint64_t number, std::uint64_t bytes) noexcept;

}  // namespace hccl
