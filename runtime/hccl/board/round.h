// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "runtime/hccl/board/board.h"

namespace hccl {

/// One collective on the boards of all ranks, from the view of one rank. The rank posts its entry,
/// waits until all others have posted, does its share, publishes that it has finished, and waits
/// until no rank uses its buffers. The object holds no state; all state is on the boards.
class Round {
 public:
  Round(std::span<const Board> boards, int me, std::uint64_t number) noexcept
      : boards_(boards), me_(me), number_(number) {}

  /// The first rank that still uses the entry of this number for an earlier collective; -1: the
  /// entry is free.
  int first_blocking() const noexcept;
  /// The entry of this rank, which is filled before `post`.
  Entry& entry() const noexcept { return board(me_).entry(number_); }
  Line& line() const noexcept { return board(me_).line(number_); }
  void post() const noexcept { board(me_).set_phase(number_, Phase::posted); }
  /// The first rank that has not posted; -1: all have posted.
  int first_missing() const noexcept { return first_below(Phase::posted); }
  /// Whether the data of a rank of another host has arrived.
  bool delivered_by(int rank) const noexcept { return is_at(rank, Phase::delivered); }
  bool is_at(int rank, Phase phase) const noexcept { return board(rank).phase(number_) >= phase; }
  /// How many parts that rank of another host has put for this rank, in a schedule.
  std::uint64_t steps_of(int rank) const noexcept { return entry_of(rank).steps.load(); }
  void show_reduced() const noexcept { board(me_).set_phase(number_, Phase::reduced); }
  /// The first rank whose call does not match this rank's call; -1: all match. To be called after
  /// all have posted. For small collectives it compares the lines.
  int first_misfit() const noexcept;
  /// Two ranks, one of which sends a different number of bytes than the other expects. All ranks
  /// check all pairs, so they find the same one.
  struct Pair {
    int from;
    int to;
    std::uint64_t sent;
    std::uint64_t expected;
  };
  std::optional<Pair> first_unequal_pair() const noexcept;
  /// Notifies ranks that wait for the end of this collective.
  void finish() const noexcept { board(me_).finish(number_); }
  /// Notifies only ranks that wait for the entry. The line keeps its phase.
  void end() const noexcept { board(me_).end(number_); }
  /// All ranks have finished the collectives below this number, and perhaps more.
  std::uint64_t ended_by_all() const noexcept;
  /// The first rank that may still read this rank's buffers; -1: none.
  int first_unfinished() const noexcept { return first_below(Phase::finished); }

  /// Whether that rank of another host has sent its entry, and not only the line.
  bool has_sent_entry(int rank) const noexcept {
    return line_of(rank).code == 0 || entry_of(rank).sent.load() == number_ + 1;
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

/// One send on the boards of its two ranks. The sender publishes it; the receiver increases a count
/// when it has copied the data.
class Delivery {
 public:
  /// `number`: the number of earlier sends from `from` to `to`.
  Delivery(std::span<const Board> boards, int from, int to, std::uint64_t number) noexcept
      : sender_(boards[static_cast<std::size_t>(from)]),
        receiver_(boards[static_cast<std::size_t>(to)]),
        from_(from),
        to_(to),
        number_(number) {}

  SendEntry& entry() const noexcept { return sender_.send(to_, number_); }
  /// Whether the sender may fill the entry: the send that used it before was received.
  bool may_show() const noexcept {
    if (number_ < Board::kSendEntries) return true;
    const std::uint64_t before = number_ - Board::kSendEntries;
    // A received send was published. The second read orders this thread after the thread that
    // published it, if the receiver is another process.
    return count() > before && entry().number.load() == before + 1;
  }
  void show() const noexcept { entry().number.store(number_ + 1); }
  bool shown() const noexcept { return entry().number.load() == number_ + 1; }
  void receive() const noexcept { receiver_.received(from_).store(number_ + 1); }
  bool received() const noexcept { return count() > number_; }
  /// Whether this send is the next one for the receiver.
  bool is_next() const noexcept { return count() == number_; }

 private:
  std::uint64_t count() const noexcept { return receiver_.received(from_).load(); }

  const Board& sender_;
  const Board& receiver_;
  const int from_;
  const int to_;
  const std::uint64_t number_;
};

/// Publishes on the rank's board why it has stopped. Returns false if the board has an earlier
/// reason.
bool show_failure(const Board& board, int code, const std::string& text) noexcept;
/// The rank leaves in order. Only ranks that wait for it are concerned.
void show_leaving(const Board& board) noexcept;
bool has_left(const Board& board) noexcept;
/// Rank, code and text of the first rank that has published a failure.
struct ShownFailure {
  int rank;
  int code;
  std::string text;
};
std::optional<ShownFailure> first_failure(std::span<const Board> boards);

}  // namespace hccl
