// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_sim/streams/driver.h"
#include "device_sim/streams/stream.h"

namespace sim {

/// Says how many ops have left the stream. A waiter that registers meanwhile is not missed: this
/// thread sees it after the sequentially consistent store, or `add_waiter` sees the new count. For
/// the files of Stream.
inline void Stream::announce() noexcept {
  if (unannounced_ == 0) return;
  unannounced_ = 0;
  retired_.store(queue_.popped(), std::memory_order_seq_cst);
  if (driver_.watching()) [[unlikely]] driver_.look_at_words();
  if (has_waiters_.load(std::memory_order_seq_cst)) [[unlikely]] notify_waiters();
}

/// The op at the head leaves, and the next one is short: threads that wait already are told now, one that
/// comes at this moment with the next op. `announce` follows before anything else.
inline void Stream::pop_in_row() noexcept {
  queue_.pop();
  ++unannounced_;
  retired_.store(queue_.popped(), std::memory_order_release);
  if (has_waiters_.load(std::memory_order_relaxed)) [[unlikely]] announce();
}

}  // namespace sim
