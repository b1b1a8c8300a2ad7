// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "device_sim/base/clock.h"

namespace sim {

/// Puts one thread to sleep until another wakes it. If the wake comes before the sleep, it is kept
/// (at most one). The waker makes a system call only if the sleeper is known to sleep.
///
/// Two threads that wake each other on one processor alternate there at each wake, although another
/// processor may be idle; the scheduler does not move them, because both look busy. Therefore a
/// thread that was woken from its own processor several times in succession sleeps without
/// spinning: the scheduler then places it on a free processor when it wakes up.
class Parker {
 public:
  /// Returns true when woken, false when the deadline passed first. Spins `spin_ns` before
  /// sleeping.
  bool park(const Deadline& deadline, Nanoseconds spin_ns = 0);
  void unpark() noexcept;
  /// For the thread itself: whether it was last woken from its own processor while it was spinning.
  /// Then further spinning is useless.
  bool woken_nearby() const noexcept { return near_ != 0; }

  /// The calling thread's own parker.
  static Parker& mine();

 private:
  static constexpr int kFirstPatience = 4, kMostPatience = 4096;

  void note_wake(std::int32_t by);

  std::atomic<std::int32_t> word_{0};  // 0 nothing, -1 asleep, n woken from the processor n - 1
  // Used by the thread itself: how often in succession it was woken from its own processor while it
  // was spinning, and the limit of that.
  int near_ = 0;
  int patience_ = kFirstPatience;
};

}  // namespace sim
