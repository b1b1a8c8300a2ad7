// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "runtime/hccl/board/board.h"

namespace hccl {

/// One collective on the boards of all ranks, as one of them goes through it: it posts what it
/// brings, waits until all others have, does its share, says that it has finished, and waits until
/// nobody uses its buffers. Holds no state: all of it is on the boards.
class Round {
 public:
  Round(std::span<const Board> boards, int me, std::uint64_t number) noexcept
      : boards_(boards), me_(me), number_(number) {}

  /// The entry that this one takes is still used for an earlier collective by this rank; -1: free.
  int first_in_the_way() const noexcept;
  /// The rank's own entry, to be filled before `post`.
  Entry& entry() const noexcept { return board(me_).entry(number_); }
  Line& line() const noexcept { return board(me_).line(number_); }
  void post() const noexcept { board(me_).set_phase(number_, Phase::posted); }
  /// The first rank that has not posted; -1: all have.
  int first_missing() const noexcept { return first_below(Phase::posted); }
  /// What this rank gets from one of another host has arrived.
  bool delivered_by(int rank) const noexcept { return is_at(rank, Phase::delivered); }
  bool is_at(int rank, Phase phase) const noexcept { return board(rank).phase(number_) >= phase; }
  /// How much that rank of another host has given this one, by its schedule.
  std::uint64_t steps_of(int rank) const noexcept { return entry_of(rank).steps.load(); }
  void show_reduced() const noexcept { board(me_).set_phase(number_, Phase::reduced); }
  /// The first rank whose call does not belong to this one's; -1: all do. After all have posted. Of
  /// small ones the lines tell it.
  int first_misfit() const noexcept;
  /// Two ranks of which one sends something else than the other expects. All ranks look at all
  /// pairs, so that they find the same.
  struct Pair {
    int from;
    int to;
    std::uint64_t sent;
    std::uint64_t expected;
  };
  std::optional<Pair> first_unequal_pair() const noexcept;
  /// For those who wait for it in this collective.
  void finish() const noexcept { board(me_).finish(number_); }
  /// For those who wait for the entry alone. The line stays as the others read it.
  void end() const noexcept { board(me_).end(number_); }
  /// All have finished those below this number, and perhaps more.
  std::uint64_t ended_by_all() const noexcept;
  /// The first rank that may still use what this one brought; -1: none.
  int first_unfinished() const noexcept { return first_below(Phase::finished); }

  /// That rank of another host has shown its entry, not the line alone.
  bool has_told(int rank) const noexcept {
    return line_of(rank).code == 0 || entry_of(rank).told.load() == number_ + 1;
  }
  const Entry& entry_of(int rank) const noexcept { return board(rank).entry(number_); }
  const Line& line_of(int rank) const noexcept { return board(rank).line(number_); }
  std::uint64_t number() const noexcept { return number_; }

 private:
  int first_below(Phase phase) const noexcept;
  const Board& board(int rank) const noexcept { return boards_[static_cast<std::size_t>(rank)]; }

  const std::span<const Board> boards_;
  const int me_;
  const std::uint64_t number_;
};

/// One send on the boards of its two ranks. The sender shows it; the receiver counts it when it has
/// copied.
class Delivery {
 public:
  /// `number`: how many sends from `from` to `to` came before.
  Delivery(std::span<const Board> boards, int from, int to, std::uint64_t number) noexcept
      : sender_(boards[static_cast<std::size_t>(from)]),
        receiver_(boards[static_cast<std::size_t>(to)]),
        from_(from),
        to_(to),
        number_(number) {}

  SendEntry& entry() const noexcept { return sender_.send(to_, number_); }
  /// The sender may fill the entry: the send that had it before was received.
  bool may_show() const noexcept {
    if (number_ < Board::kSendEntries) return true;
    const std::uint64_t before = number_ - Board::kSendEntries;
    // What is received was shown. The second look orders this thread after the one that showed it,
    // where the receiver is another process.
    return count() > before && entry().number.load() == before + 1;
  }
  void show() const noexcept { entry().number.store(number_ + 1); }
  bool shown() const noexcept { return entry().number.load() == number_ + 1; }
  void receive() const noexcept { receiver_.received(from_).store(number_ + 1); }
  bool received() const noexcept { return count() > number_; }
  /// It is the receiver's turn to receive this one.
  bool is_next() const noexcept { return count() == number_; }

 private:
  std::uint64_t count() const noexcept { return receiver_.received(from_).load(); }

  const Board& sender_;
  const Board& receiver_;
  const int from_;
  const int to_;
  const std::uint64_t number_;
};

/// Shows on the rank's board why it does not go on; false when an earlier reason stands there.
bool show_failure(const Board& board, int code, const std::string& text) noexcept;
/// The rank goes in order: only who waits for it is concerned.
void show_leaving(const Board& board) noexcept;
bool has_left(const Board& board) noexcept;
/// The reason of the first rank that shows one: its rank, code and text.
struct ShownFailure {
  int rank;
  int code;
  std::string text;
};
std::optional<ShownFailure> first_failure(std::span<const Board> boards);

}  // namespace hccl
