// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/hccl/board/call.h"
#include "runtime/hccl/board/published.h"
#include "runtime/hccl/board/wait_state.h"

namespace hccl {

/// Locates a buffer of a rank for other ranks: by an offset in the file of its device, or, for
/// threads of the same process only, by an address.
struct BufferRef {
  std::uint64_t at = 0;
  bool in_file = true;
};

/// A part of a buffer, in bytes.
struct Part {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  // On a board: the number of bytes that the rank which receives this part sends back, and their
  // offset in the receive buffer.
  std::uint64_t expected = 0;
  std::uint64_t place = 0;
};

/// The first cache line of a rank's entry for one collective. The entry of a small collective is
/// complete within this line, or within the line and the data area, so only these cache lines move
/// between cores.
struct Line {
  static constexpr std::size_t kDataBytes = 48;
  // Bits 3 and up: `number + 1`. Bits 0 to 2: the phase that the rank has reached in that
  // collective. It is written last: a reader that sees it may read the line, the entry and the
  // data.
  std::atomic<std::uint64_t> state{0};
  std::uint64_t code = 0;  // see Call::code; 0 if the call does not fit into a code
  std::byte data[kDataBytes] = {};
};
static_assert(sizeof(Line) == 64);

/// The rest of an entry. Ranks of other hosts receive the entry of a small collective only after a
/// rank has found that the calls differ.
struct Entry {
  std::atomic<std::uint64_t> sent{0};  // `number + 1` once the entry has followed the line
  Call call{};
  Site site{};  // the code location of the call
  BufferRef send{};
  BufferRef receive{};
  // where ranks of other hosts put the operands that this rank reduces; see Staging
  BufferRef staging{};
  bool holds_data = false;  // the data that others read is on the board
  // For schedules: the number of parts that the rank has put for the owner of this copy.
  std::atomic<std::uint64_t> steps{0};
};

/// Published by a rank for a collective that it will not start yet: on the same stream, a
/// collective of another communicator comes first and waits for other ranks.
struct Held {
  std::uint64_t by = 0;  // Links::id and number of the collective that comes first
  std::uint64_t by_number = 0;
  CalledAt ahead{};
  CalledAt behind{};
};

/// The entry of a sender for one send.
struct SendEntry {
  std::atomic<std::uint64_t> number{0};  // number of the send, from 1
  Call call{};
  Site site{};
  BufferRef from{};
};

enum class Phase : std::uint64_t {
  none,    // the rank has not arrived
  posted,  // its entry and its data are complete
  // its data for a rank of another host has arrived there; only that rank sees this phase
  delivered,
  reduced,   // its results are complete as well; it still has to forward data to ranks of its host
  finished,  // it no longer uses buffers of other ranks
};

/// The page on which one rank of a communicator publishes its operations, in memory that all ranks
/// of its host map. Only the rank itself writes it; the others read it. For each rank of another
/// host there is a copy, which the rank writes through the transport.
///
/// Collective number n uses entry n % kEntries. Send number n to a rank uses entry n %
/// kSendEntries.
class Board {
 public:
  static constexpr std::uint64_t kEntries = 16;
  static constexpr std::uint64_t kSendEntries = 8;
  static constexpr std::size_t kDataBytes = 4096;
  static constexpr unsigned kPhaseBits = 3;

  /// The reason why a rank has stopped.
  struct Failure {
    // 0: none, 1: being written, 2: valid, 3: the rank has left
    std::atomic<std::uint32_t> state{0};
    std::int32_t code = 0;  // aclError
    char text[1024] = {};
  };

  Board() = default;
  /// `base`: `bytes(ranks, data_bytes)` bytes, initially zeros. `data_bytes`: the size of the data
  /// area of each entry, a multiple of a cache line.
  Board(std::byte* base, int ranks, std::size_t data_bytes = kDataBytes) noexcept
      : base_(base), ranks_(ranks), data_bytes_(data_bytes) {}
  static std::size_t bytes(int ranks, std::size_t data_bytes = kDataBytes) noexcept;

  std::byte* base() const noexcept { return base_; }
  /// The offset of an address within this board.
  std::size_t offset_of(const void* what) const noexcept {
    return static_cast<std::size_t>(static_cast<const std::byte*>(what) - base_);
  }
  /// Not 0: operations of this rank sleep until another rank changes something.
  std::atomic<std::uint64_t>& sleepers() const noexcept;
  Failure& failure() const noexcept;
  /// The rank has finished the collectives below this number. A later collective that it has
  /// finished out of order has the phase `finished` in its line.
  std::atomic<std::uint64_t>& ended() const noexcept;
  Line& line(std::uint64_t number) const noexcept;
  Entry& entry(std::uint64_t number) const noexcept;
  /// The rank's part for each other rank in that collective.
  Part* parts(std::uint64_t number) const noexcept;
  /// The size of `entry` and `parts`, which are adjacent.
  std::size_t head_bytes() const noexcept;
  std::byte* data(std::uint64_t number) const noexcept;
  Published<Held>& held(std::uint64_t number) const noexcept;
  /// The wait state that the rank publishes for deadlock detection (as number 0).
  Published<WaitState>& wait_state() const noexcept;
  /// The same about all communicators of the rank's process together (`ProcessRest`).
  Published<WaitState>& process_state() const noexcept;
  std::size_t data_bytes() const noexcept { return data_bytes_; }
  SendEntry& send(int to, std::uint64_t number) const noexcept;
  /// The number of sends of rank `from` that this rank has received.
  std::atomic<std::uint64_t>& received(int from) const noexcept;

  /// The phase of the rank in that collective; `finished` if the rank has finished it and its entry
  /// is reused.
  Phase phase(std::uint64_t number) const noexcept;
  void set_phase(std::uint64_t number, Phase phase) const noexcept;
  /// Whether the rank has finished that collective. Its line may still have an earlier phase.
  bool has_ended(std::uint64_t number) const noexcept {
    return ended().load() > number || phase(number) == Phase::finished;
  }
  /// Publishes that the rank has finished the collective: sets the phase in the line, and increases
  /// the count if all earlier ones are finished. Once counted, the entry may be reused.
  void finish(std::uint64_t number) const noexcept;
  /// As `finish`, but without setting the phase if the count can be increased.
  void end(std::uint64_t number) const noexcept;
  /// The value of Line::state.
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
