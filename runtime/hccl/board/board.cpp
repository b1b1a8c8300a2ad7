// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/board/board.h"

namespace hccl {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t lines(std::size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

constexpr std::size_t kSleepers = 0;
constexpr std::size_t kEnded = kLine;
constexpr std::size_t kFailure = kEnded + kLine;
constexpr std::size_t kReceived = kFailure + lines(sizeof(Board::Failure));
constexpr std::size_t kHead = lines(sizeof(Entry));
constexpr std::size_t kSend = lines(sizeof(SendEntry));
constexpr std::size_t kWaitState = lines(sizeof(Published<WaitState>));
constexpr std::size_t kHeld = lines(sizeof(Published<Held>));

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

std::size_t received_bytes(int ranks) { return static_cast<std::size_t>(ranks) * kLine; }
std::size_t parts_bytes(int ranks) { return lines(static_cast<std::size_t>(ranks) * sizeof(Part)); }

}  // namespace

// The line, the data, the entry and the parts.
std::size_t Board::entry_bytes() const noexcept {
  return sizeof(Line) + data_bytes_ + head_bytes();
}

std::size_t Board::head_bytes() const noexcept { return kHead + parts_bytes(ranks_); }

std::size_t Board::bytes(int ranks, std::size_t data_bytes) noexcept {
  const Board board(nullptr, ranks, data_bytes);
  return kReceived + received_bytes(ranks) + kEntries * board.entry_bytes() +
         static_cast<std::size_t>(ranks) * kSendEntries * kSend + 2 * kWaitState + kEntries * kHeld;
}

std::atomic<std::uint64_t>& Board::sleepers() const noexcept {
  return at<std::atomic<std::uint64_t>>(kSleepers);
}

std::atomic<std::uint64_t>& Board::ended() const noexcept {
  return at<std::atomic<std::uint64_t>>(kEnded);
}

Board::Failure& Board::failure() const noexcept { return at<Failure>(kFailure); }

Line& Board::line(std::uint64_t number) const noexcept {
  return at<Line>(kReceived + received_bytes(ranks_) + number % kEntries * entry_bytes());
}

std::byte* Board::data(std::uint64_t number) const noexcept {
  return reinterpret_cast<std::byte*>(&line(number) + 1);
}

Entry& Board::entry(std::uint64_t number) const noexcept {
  return *reinterpret_cast<Entry*>(data(number) + data_bytes_);
}

Part* Board::parts(std::uint64_t number) const noexcept {
  return reinterpret_cast<Part*>(reinterpret_cast<std::byte*>(&entry(number)) + kHead);
}

SendEntry& Board::send(int to, std::uint64_t number) const noexcept {
  const std::size_t index = static_cast<std::size_t>(to) * kSendEntries + number % kSendEntries;
  return at<SendEntry>(kReceived + received_bytes(ranks_) + kEntries * entry_bytes() +
                       index * kSend);
}

Published<Held>& Board::held(std::uint64_t number) const noexcept {
  return at<Published<Held>>(bytes(ranks_, data_bytes_) - (kEntries - number % kEntries) * kHeld);
}

Published<WaitState>& Board::wait_state() const noexcept {
  return at<Published<WaitState>>(bytes(ranks_, data_bytes_) - kEntries * kHeld - kWaitState);
}

Published<WaitState>& Board::process_state() const noexcept {
  return at<Published<WaitState>>(bytes(ranks_, data_bytes_) - kEntries * kHeld - 2 * kWaitState);
}

std::atomic<std::uint64_t>& Board::received(int from) const noexcept {
  return at<std::atomic<std::uint64_t>>(kReceived + static_cast<std::size_t>(from) * kLine);
}

Phase Board::phase(std::uint64_t number) const noexcept {
  const std::uint64_t state = line(number).state.load();
  const std::uint64_t reached = state >> kPhaseBits;
  if (reached < number + 1) return Phase::none;
  constexpr std::uint64_t kMask = (1 << kPhaseBits) - 1;
  return reached > number + 1 ? Phase::finished : static_cast<Phase>(state & kMask);
}

void Board::set_phase(std::uint64_t number, Phase phase) const noexcept {
  line(number).state.store(state_of(number, phase));
}

void Board::finish(std::uint64_t number) const noexcept {
  set_phase(number, Phase::finished);
  count_ended();
}

void Board::end(std::uint64_t number) const noexcept {
  std::uint64_t mine = number;
  if (!ended().compare_exchange_strong(mine, number + 1)) set_phase(number, Phase::finished);
  count_ended();
}

// A thread that ends a later collective sets that collective's phase and then reads the count. A
// thread that ends an earlier collective increases the count and then reads the following phases.
// So one of the two sees the other's write.
void Board::count_ended() const noexcept {
  std::uint64_t next = ended().load();
  while (phase(next) == Phase::finished) {
    if (ended().compare_exchange_strong(next, next + 1)) ++next;
  }
}

}  // namespace hccl
