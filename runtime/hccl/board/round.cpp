// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/board/round.h"

#include <algorithm>
#include <cstring>

namespace hccl {

int Round::first_below(Phase phase) const noexcept {
  for (std::size_t rank = 0; rank < boards_.size(); ++rank) {
    if (boards_[rank].phase(number_) < phase) return static_cast<int>(rank);
  }
  return -1;
}

int Round::first_blocking() const noexcept {
  if (number_ < Board::kEntries) return -1;
  for (std::size_t rank = 0; rank < boards_.size(); ++rank) {
    if (!boards_[rank].has_ended(number_ - Board::kEntries)) return static_cast<int>(rank);
  }
  return -1;
}

std::uint64_t Round::ended_by_all() const noexcept {
  std::uint64_t ended = ~std::uint64_t{0};
  for (const Board& board : boards_) ended = std::min(ended, board.ended().load());
  return ended;
}

int Round::first_misfit() const noexcept {
  const std::uint64_t code = line().code;
  for (std::size_t rank = 0; rank < boards_.size(); ++rank) {
    if (boards_[rank].line(number_).code != code) return static_cast<int>(rank);
    if (code != 0) continue;  // calls with equal codes are equal
    if (!entry().call.fits(boards_[rank].entry(number_).call)) return static_cast<int>(rank);
  }
  return -1;
}

// Only these kinds have a count for each pair of ranks.
std::optional<Round::Pair> Round::first_unequal_pair() const noexcept {
  const Kind kind = entry().call.kind;
  if (kind != Kind::all_to_all_v && kind != Kind::all_gather_v) return std::nullopt;
  for (std::size_t from = 0; from < boards_.size(); ++from) {
    for (std::size_t to = 0; to < boards_.size(); ++to) {
      const std::uint64_t sent = boards_[from].parts(number_)[to].bytes;
      const std::uint64_t expected = boards_[to].parts(number_)[from].expected;
      if (sent == expected) continue;
      return Pair{static_cast<int>(from), static_cast<int>(to), sent, expected};
    }
  }
  return std::nullopt;
}

bool show_failure(const Board& board, int code, const std::string& text) noexcept {
  Board::Failure& failure = board.failure();
  std::uint32_t none = 0;
  if (!failure.state.compare_exchange_strong(none, 1)) return false;
  failure.code = code;
  const std::size_t size = std::min(text.size(), sizeof failure.text - 1);
  std::memcpy(failure.text, text.data(), size);
  failure.text[size] = 0;
  failure.state.store(2);
  return true;
}

void show_leaving(const Board& board) noexcept {
  std::uint32_t none = 0;
  board.failure().state.compare_exchange_strong(none, 3);
}

bool has_left(const Board& board) noexcept { return board.failure().state.load() == 3; }

std::optional<ShownFailure> first_failure(std::span<const Board> boards) {
  for (std::size_t rank = 0; rank < boards.size(); ++rank) {
    const Board::Failure& failure = boards[rank].failure();
    if (failure.state.load() != 2) continue;
    return ShownFailure{static_cast<int>(rank), failure.code, failure.text};
  }
  return std::nullopt;
}

}  // namespace hccl
