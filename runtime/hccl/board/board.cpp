// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/board/board.h"

namespace hccl {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t lines(std::size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

constexpr std::size_t kSleepers = 0;
constexpr std::size_t kFailure = kLine;
constexpr std::size_t kReceived = kFailure + lines(sizeof(Board::Failure));
constexpr std::size_t kHead = lines(sizeof(Entry));
constexpr std::size_t kSend = lines(sizeof(SendEntry));

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

std::size_t received_bytes(int ranks) { return static_cast<std::size_t>(ranks) * kLine; }
std::size_t parts_bytes(int ranks) { return lines(static_cast<std::size_t>(ranks) * sizeof(Part)); }

}  // namespace

std::size_t Board::entry_bytes() const noexcept { return kHead + parts_bytes(ranks_) + kDataBytes; }

std::size_t Board::head_bytes() const noexcept { return kHead + parts_bytes(ranks_); }

std::size_t Board::bytes(int ranks) noexcept {
  const Board board(nullptr, ranks);
  return kReceived + received_bytes(ranks) + kEntries * board.entry_bytes() +
         static_cast<std::size_t>(ranks) * kSendEntries * kSend;
}

std::atomic<std::uint64_t>& Board::sleepers() const noexcept {
  return at<std::atomic<std::uint64_t>>(kSleepers);
}

Board::Failure& Board::failure() const noexcept { return at<Failure>(kFailure); }

Entry& Board::entry(std::uint64_t number) const noexcept {
  return at<Entry>(kReceived + received_bytes(ranks_) + number % kEntries * entry_bytes());
}

Part* Board::parts(std::uint64_t number) const noexcept {
  return reinterpret_cast<Part*>(reinterpret_cast<std::byte*>(&entry(number)) + kHead);
}

std::byte* Board::data(std::uint64_t number) const noexcept {
  return reinterpret_cast<std::byte*>(&entry(number)) + kHead + parts_bytes(ranks_);
}

SendEntry& Board::send(int to, std::uint64_t number) const noexcept {
  const std::size_t index = static_cast<std::size_t>(to) * kSendEntries + number % kSendEntries;
  return at<SendEntry>(kReceived + received_bytes(ranks_) + kEntries * entry_bytes() +
                       index * kSend);
}

std::atomic<std::uint64_t>& Board::received(int from) const noexcept {
  return at<std::atomic<std::uint64_t>>(kReceived + static_cast<std::size_t>(from) * kLine);
}

Phase Board::phase(std::uint64_t number) const noexcept {
  const std::uint64_t state = entry(number).state.load();
  const std::uint64_t reached = state >> kPhaseBits;
  if (reached < number + 1) return Phase::none;
  constexpr std::uint64_t kMask = (1 << kPhaseBits) - 1;
  return reached > number + 1 ? Phase::finished : static_cast<Phase>(state & kMask);
}

void Board::set_phase(std::uint64_t number, Phase phase) const noexcept {
  entry(number).state.store(state_of(number, phase));
}

}  // namespace hccl
