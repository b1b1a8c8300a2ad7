// SPDX-License-Identifier: Apache-2.0
// Links to ranks of other hosts: each has a copy of this rank's board, which this rank writes.
#include <cstddef>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/hccl/links/links.h"

namespace hccl {

using fabric::AtomicOp;

namespace {

/// The number of finished collectives is sent with the next line after kEndedBeside of them, and in
/// a message of its own after kEndedAlone. That must be before all entries are used, or ranks could
/// deadlock.
constexpr std::uint64_t kEndedBeside = 4;
constexpr std::uint64_t kEndedAlone = 8;
static_assert(kEndedAlone < Board::kEntries);

}  // namespace

std::size_t Links::copy_of(const void* shown) const noexcept {
  const std::size_t stride = pages_->bytes / (1 + peers_.size());
  return (1 + static_cast<std::size_t>(me_)) * stride + mine().offset_of(shown);
}

void Links::show(int rank, const void* begin, std::size_t bytes) {
  show_as(rank, begin, begin, bytes);
}

void Links::show_as(int rank, const void* there, const void* begin, std::size_t bytes) {
  Peer& other = peer(rank);
  other.transport->put(*other.board, copy_of(there), {static_cast<const std::byte*>(begin), bytes});
}

void Links::set_shown(int rank, const void* word, std::uint8_t width, std::uint64_t value) {
  Peer& other = peer(rank);
  other.transport->notify(*other.board, copy_of(word),
                          {.op = AtomicOp::set, .width = width, .operand = value});
}

void Links::show_entry(std::uint64_t number, bool holds_data) {
  if (remote_ranks_.empty()) return;
  const Entry& entry = mine().entry(number);
  const auto* const begin = reinterpret_cast<const std::byte*>(&entry);
  const std::byte* const data = mine().data(number);
  for (const int rank : remote_ranks_) {
    const Part& part = mine().parts(number)[rank];
    show(rank, &mine().line(number).code, sizeof(Line::code));
    show(rank, begin, mine().head_bytes());
    if (holds_data && part.bytes != 0) show(rank, data + part.offset, part.bytes);
    show_phase(rank, number, Phase::posted);
  }
}

// The number of finished collectives travels with the lines: no rank waits for it before nearly all
// entries are used.
void Links::show_line(std::uint64_t number, std::uint64_t bytes) {
  if (remote_ranks_.empty()) return;
  const Line& line = mine().line(number);
  const bool in_line = bytes <= Line::kDataBytes;
  const sim::LockGuard guard(showing_);
  const std::uint64_t ended = mine().ended().load();
  const bool sent = ended < sent_ended_ + kEndedBeside;
  if (!sent) sent_ended_ = ended;
  for (const int rank : remote_ranks_) {
    if (!sent) show_as(rank, &mine().ended(), &ended, sizeof ended);
    show(rank, &line.code, sizeof line.code + (in_line ? bytes : 0));
    if (!in_line) show(rank, mine().data(number), bytes);
    show_phase(rank, number, Phase::posted);
  }
}

void Links::show_ended() {
  if (remote_ranks_.empty()) return;
  const sim::LockGuard guard(showing_);  // otherwise a lower count could arrive after a higher one
  const std::uint64_t ended = mine().ended().load();
  if (ended < sent_ended_ + kEndedAlone) return;
  sent_ended_ = ended;
  for (const int rank : remote_ranks_) set_shown(rank, &mine().ended(), 8, ended);
}

void Links::send_entry(std::uint64_t number) {
  const Entry& entry = mine().entry(number);
  const auto* const begin = reinterpret_cast<const std::byte*>(&entry);
  for (const int rank : remote_ranks_) {
    show(rank, begin + sizeof entry.sent, mine().head_bytes() - sizeof entry.sent);
    set_shown(rank, &entry.sent, 8, number + 1);
  }
}

// The receiver may read the data meanwhile. The fabric stores a few whole words with one atomic
// store each.
template <class T>
void Links::send_published(int rank, const Published<T>& what) {
  set_shown(rank, &what.state, 8, 0);
  show(rank, what.words.data(), sizeof what.words);
  set_shown(rank, &what.state, 8, what.state.load());
}
template void Links::send_published(int rank, const Published<Held>& what);
template void Links::send_published(int rank, const Published<WaitState>& what);

void Links::show_phase(int rank, std::uint64_t number, Phase phase) {
  set_shown(rank, &mine().line(number).state, 8, Board::state_of(number, phase));
}

void Links::show_steps(int rank, std::uint64_t number, std::uint64_t steps) {
  set_shown(rank, &mine().entry(number).steps, 8, steps);
}

void Links::show_send(int to, std::uint64_t number) {
  if (!is_remote(to)) return;
  const SendEntry& entry = mine().send(to, number);
  const auto* const begin = reinterpret_cast<const std::byte*>(&entry);
  show(to, begin + sizeof entry.number, sizeof entry - sizeof entry.number);
  set_shown(to, &entry.number, 8, entry.number.load());
}

void Links::show_received(int from) {
  if (!is_remote(from)) return;
  const auto& count = mine().received(from);
  const sim::LockGuard guard(showing_);  // otherwise a lower count could arrive after a higher one
  set_shown(from, &count, 8, count.load());
}

// Sends a failure, or the news that this rank leaves. The state is sent last.
void Links::show_end() {
  const Board::Failure& failure = mine().failure();
  const std::uint32_t state = failure.state.load();
  const auto* const begin = reinterpret_cast<const std::byte*>(&failure);
  for (const int rank : remote_ranks_) {
    if (state == 2) show(rank, begin + sizeof failure.state, sizeof failure - sizeof failure.state);
    set_shown(rank, &failure.state, 4, state);
  }
}

void Links::put(int rank, std::uint64_t at, std::span<const std::byte> bytes) {
  peer(rank).transport->put(*peer(rank).memory, at, bytes);
}

void Links::get(int rank, std::uint64_t at, std::span<std::byte> bytes) {
  peer(rank).transport->get(*peer(rank).memory, at, bytes);
}

void Links::set_word(int rank, std::uint64_t at, std::uint64_t value) {
  peer(rank).transport->notify(*peer(rank).memory, at,
                               {.op = AtomicOp::set, .width = 8, .operand = value});
}

fabric::Transport::Done Links::setter_of(std::shared_ptr<std::atomic<Arrival>> arrival) {
  return [self = weak_from_this(), arrival = std::move(arrival)](const fabric::FabricError* error) {
    *arrival = error ? Arrival::failed : Arrival::complete;
    if (const auto links = self.lock()) links->wake_own();
  };
}

void Links::flush(int rank, std::shared_ptr<std::atomic<Arrival>> arrival) {
  peer(rank).transport->flush(setter_of(std::move(arrival)));
}

void Links::flush_sources(int rank, std::shared_ptr<std::atomic<Arrival>> arrival) {
  peer(rank).transport->flush_sources(setter_of(std::move(arrival)));
}

bool Links::poll() { return peer(remote_ranks_.front()).transport->poll(); }

Links::Polls::Polls(Links& links) : transport_(*links.peer(links.remote_ranks_.front()).transport) {
  transport_.begin_polls();
}

Links::Polls::~Polls() { transport_.end_polls(); }

}  // namespace hccl
