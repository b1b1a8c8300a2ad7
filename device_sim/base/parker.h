// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "device_sim/base/clock.h"

namespace sim {

/// Puts one thread to sleep until another wakes it. A wake that comes first is kept (one of them).
/// The waker enters the kernel only when the sleeper is known to sleep.
///
/// Two threads that wake each other on one processor change places at each wake, while another
/// processor may be idle; the scheduler leaves them there, since both look busy. So a thread that
/// was woken from its own processor several times in a row sleeps at once: whoever wakes up is put
/// where there is room.
class Parker {
 public:
  /// Returns true when woken, false when the deadline passed first. Spins `spin_ns` before
  /// sleeping.
  bool park(const Deadline& deadline, Nanoseconds spin_ns = 0);
  void unpark() noexcept;
  /// Asked by the thread itself: whether it was last woken from its own processor as it looked.
  /// Then nothing comes while it looks again.
  bool woken_nearby() const noexcept { return near_ != 0; }

  /// The calling thread's own parker.
  static Parker& mine();

 private:
  static constexpr int kFirstPatience = 4, kMostPatience = 4096;

  void note_wake(std::int32_t by);

  std::atomic<std::int32_t> word_{0};  // 0 nothing, -1 asleep, n woken from the processor n - 1
  // Of the thread itself: how often in a row it was woken from its own processor as it looked, and
  // how often that may be.
  int near_ = 0;
  int patience_ = kFirstPatience;
};

}  // namespace sim
