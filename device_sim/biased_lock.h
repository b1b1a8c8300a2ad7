// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "device_sim/spin_lock.h"

namespace sim {

/// A lock that mostly one thread takes, again and again: after a row of that it belongs to the
/// thread, which then takes it without a locked instruction. Another thread that comes takes it
/// away with a barrier on all processors (membarrier), which costs microseconds; where the system
/// has none this is a SpinLock.
class BiasedLock {
 public:
  void lock() noexcept {
    if (owner_.load(std::memory_order_relaxed) == self() && lock_as_owner()) return;
    lock_as_any();
  }
  void unlock() noexcept {
    if (as_owner_) {
      inside_.store(false, std::memory_order_release);
    } else {
      others_.unlock();
    }
  }

 private:
  static constexpr std::uint32_t kFirstRow = 1000;
  static constexpr std::uint32_t kLongestRow = 1 << 20;

  static const void* self() noexcept {
    static thread_local char here;
    return &here;
  }
  // The processor may look at owner_ before others see inside_. Whoever takes the lock away makes
  // up for that: behind its barrier either inside_ is seen, or the change of owner_ is.
  bool lock_as_owner() noexcept {
    // An ended thread's address may be mine now: this orders me behind it.
    static_cast<void>(inside_.load(std::memory_order_acquire));
    inside_.store(true, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (owner_.load(std::memory_order_relaxed) == self()) {
      as_owner_ = true;
      return true;
    }
    inside_.store(false, std::memory_order_release);
    return false;
  }
  void lock_as_any() noexcept;
  void take_away() noexcept;

  std::atomic<const void*> owner_{nullptr};
  std::atomic<bool> inside_{false};  // the owner is
  bool as_owner_ = false;            // how the lock is held
  SpinLock others_;
  // With others_ held.
  const void* last_ = nullptr;
  std::uint32_t row_ = 0;  // so often in a row
  std::uint32_t wanted_ = kFirstRow;
};

}  // namespace sim
