// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/hccl/board/call.h"
#include "runtime/hccl/board/published.h"
#include "runtime/hccl/board/standing.h"

namespace hccl {

/// Where a buffer of a rank lies for the others of its host: at an offset in its device's file, or,
/// for threads of its process alone, at an address.
struct BufferRef {
  std::uint64_t at = 0;
  bool in_file = true;
};

/// A part of a buffer, in bytes.
struct Part {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  // On a board: how much comes back from the rank that the part is for, and where in the receive
  // buffer that goes.
  std::uint64_t expected = 0;
  std::uint64_t place = 0;
};

/// The first line of what a rank shows of one collective; of a small one, all that the others read,
/// so that one line of the cache moves.
struct Line {
  static constexpr std::size_t kDataBytes = 48;
  // `number + 1` in the upper bits; the phase that the rank has reached there in the lower three.
  // It comes last: who reads it reads the rest, of the entry too.
  std::atomic<std::uint64_t> state{0};
  std::uint64_t code = 0;  // of the call, where it is small; see Call::code
  std::byte data[kDataBytes] = {};
};
static_assert(sizeof(Line) == 64);

/// The rest. Of a small collective ranks of other hosts have it only once somebody has seen that
/// calls do not fit.
struct Entry {
  std::atomic<std::uint64_t> told{0};  // `number + 1`: it has come behind the line
  Call call{};
  Site site{};  // of the call
  BufferRef send{};
  BufferRef receive{};
  BufferRef staging{};      // where ranks of other hosts put what this one reduces; see Wire
  bool holds_data = false;  // what others read lies in the board
  // Of a schedule: how much the rank has given the one whose copy this is.
  std::atomic<std::uint64_t> steps{0};
};

/// A collective that a rank does not come to before it has ended one of another communicator, which
/// stands in front of it on the same stream and waits for others.
struct Held {
  std::uint64_t by = 0;  // what stands in front: Links::id, and the number there
  std::uint64_t by_number = 0;
  CalledAt ahead{};
  CalledAt behind{};
};

/// What a sender shows of one send.
struct SendEntry {
  std::atomic<std::uint64_t> number{0};  // of the send, from 1
  Call call{};
  Site site{};
  BufferRef from{};
};

enum class Phase : std::uint64_t {
  none,       // the rank has not come
  posted,     // what it brings is there
  delivered,  // what it has for a rank of another host is there; only that rank sees it
  reduced,    // so are its results; what comes for others of its host it has still to hand on
  finished,   // it uses nothing of the others any more
};

/// What one rank of a communicator shows to the others, in memory that all of its host share. That
/// rank alone writes, the others read. Ranks of other hosts have a copy each, which it writes too.
///
/// The numbers of collectives go round in kEntries entries, those of sends to one rank in
/// kSendEntries.
class Board {
 public:
  static constexpr std::uint64_t kEntries = 16;
  static constexpr std::uint64_t kSendEntries = 8;
  static constexpr std::size_t kDataBytes = 4096;
  static constexpr unsigned kPhaseBits = 3;

  /// Why a rank does not go on.
  struct Failure {
    std::atomic<std::uint32_t> state{0};  // 0: none, 1: being written, 2: there, 3: it has left
    std::int32_t code = 0;                // aclError
    char text[1024] = {};
  };

  Board() = default;
  /// `base`: `bytes(ranks, data_bytes)` zeros at first. `data_bytes`: of each entry, whole lines.
  Board(std::byte* base, int ranks, std::size_t data_bytes = kDataBytes) noexcept
      : base_(base), ranks_(ranks), data_bytes_(data_bytes) {}
  static std::size_t bytes(int ranks, std::size_t data_bytes = kDataBytes) noexcept;

  std::byte* base() const noexcept { return base_; }
  /// Where something on this board is.
  std::size_t offset_of(const void* what) const noexcept {
    return static_cast<std::size_t>(static_cast<const std::byte*>(what) - base_);
  }
  /// Non-zero: operations of this rank sleep until others change something.
  std::atomic<std::uint64_t>& sleepers() const noexcept;
  Failure& failure() const noexcept;
  /// How many of its collectives, from the first on, this rank has finished. Those that it has
  /// finished before an earlier one say so in their lines.
  std::atomic<std::uint64_t>& ended() const noexcept;
  Line& line(std::uint64_t number) const noexcept;
  Entry& entry(std::uint64_t number) const noexcept;
  /// What the rank has for each other in that collective.
  Part* parts(std::uint64_t number) const noexcept;
  /// Of `entry` and `parts` together, which lie side by side.
  std::size_t head_bytes() const noexcept;
  std::byte* data(std::uint64_t number) const noexcept;
  Published<Held>& held(std::uint64_t number) const noexcept;
  /// What the rank stands in for long, of number 0.
  Published<Standing>& standing() const noexcept;
  std::size_t data_bytes() const noexcept { return data_bytes_; }
  SendEntry& send(int to, std::uint64_t number) const noexcept;
  /// How many sends of that rank this one has received.
  std::atomic<std::uint64_t>& received(int from) const noexcept;

  /// How far the rank is in that collective; `finished` when it is past it.
  Phase phase(std::uint64_t number) const noexcept;
  void set_phase(std::uint64_t number, Phase phase) const noexcept;
  /// The rank has finished that collective, which it may not have said in its line.
  bool has_ended(std::uint64_t number) const noexcept {
    return ended().load() > number || phase(number) == Phase::finished;
  }
  /// It has finished, and says so in the line: counted, in its turn, with all behind it that had.
  /// Once it is counted its entry may hold another.
  void finish(std::uint64_t number) const noexcept;
  /// The same, without a word in the line where its turn has come.
  void end(std::uint64_t number) const noexcept;
  /// What a line's `state` is then.
  static std::uint64_t state_of(std::uint64_t number, Phase phase) noexcept {
    return (number + 1) << kPhaseBits | static_cast<std::uint64_t>(phase);
  }

 private:
  template <class T>
  T& at(std::size_t offset) const noexcept {
    return *reinterpret_cast<T*>(base_ + offset);
  }
  std::size_t entry_bytes() const noexcept;
  void count_ended() const noexcept;

  std::byte* base_ = nullptr;
  int ranks_ = 0;
  std::size_t data_bytes_ = kDataBytes;
};

}  // namespace hccl
