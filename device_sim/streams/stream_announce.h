// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_sim/streams/driver.h"
#include "device_sim/streams/stream.h"

namespace sim {

/// Publishes how many ops have left the stream. A waiter that registers meanwhile is not missed:
/// this thread sees it after the sequentially consistent store, or `add_waiter` sees the new count.
/// For the files of Stream.
inline void Stream::announce() noexcept {
  if (unannounced_ == 0) return;
  unannounced_ = 0;
  retired_.store(queue_.popped(), std::memory_order_seq_cst);
  if (driver_.watching()) [[unlikely]]
    driver_.look_at_words();
  if (has_waiters_.load(std::memory_order_seq_cst)) [[unlikely]]
    notify_waiters();
}

/// The op at the head leaves, and the next one is short. Threads that wait already are notified
/// now, a thread that registers at this moment is notified with the next op. `announce` follows
/// before anything else.
inline void Stream::pop_in_row() noexcept {
  queue_.pop();
  ++unannounced_;
  retired_.store(queue_.popped(), std::memory_order_release);
  if (has_waiters_.load(std::memory_order_relaxed)) [[unlikely]]
    announce();
}

inline bool Stream::go_idle() noexcept {
  const std::uint64_t popped = queue_.popped();  // once the state is idle, another owner may pop
  state_.store(State::idle, std::memory_order_seq_cst);
  if (queue_.pushed() == popped) [[likely]] {
    if (holds_memory_.load(std::memory_order_seq_cst)) [[unlikely]]
      release_memory();
    return true;
  }
  // An op was submitted meanwhile. If its submitter saw `running`, the stream is still ours.
  State idle = State::idle;
  return !state_.compare_exchange_strong(idle, State::running);
}

/// So short that threads which wait for an earlier op may be woken after it.
inline bool Stream::is_short(const Op& op) noexcept {
  return (op.kind == OpKind::copy && op.copy.size <= kShortBytes) ||
         (op.kind == OpKind::fill && op.fill.size <= kShortBytes);
}

}  // namespace sim
