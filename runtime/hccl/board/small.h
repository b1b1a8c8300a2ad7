// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/hccl/board/request.h"
#include "runtime/hccl/board/way.h"

namespace hccl {

/// A collective in which each rank that brings something shows the same bytes to all, few
/// enough for the board. The call says all about it: ranks whose calls have the same code look at
/// nothing but each other's lines and data.
struct Small {
  enum class Takes : std::uint8_t { nothing, reduced, from_root, from_all };
  Call call{};
  std::uint64_t code = 0;
  std::size_t element = 1;
  std::uint64_t bytes = 0;  // of a rank that brings something
  std::uint64_t sent = 0;   // of this rank: the same, or 0
  std::uint64_t received = 0;
  Takes takes = Takes::nothing;

  Way way() const noexcept { return call.kind == Kind::barrier ? Way::barrier : Way::board; }
};

/// The most bytes that a rank brings to a small one. Two ranks of two hosts send as much when each
/// sends the other all it has as when they share the work, in one message instead of three.
constexpr std::size_t most_of_small(std::size_t ranks, std::size_t hosts) noexcept {
  constexpr std::size_t kOfTwo = 64 << 10;
  return ranks == 2 && hosts == 2 ? kOfTwo : Board::kDataBytes;
}

/// Nothing where it is none: on all ranks alike.
std::optional<Small> small_of(const Shape& shape, std::size_t most = Board::kDataBytes) noexcept;

/// Where the line or the data of a board holds what its rank brings.
std::byte* small_data(const Board& board, std::uint64_t number, std::uint64_t bytes) noexcept;

}  // namespace hccl
