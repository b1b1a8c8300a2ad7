// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "device_sim/base/clock.h"

namespace sim {

/// Puts one thread to sleep until another wakes it. A wake that comes first is kept (one of them).
/// The waker enters the kernel only when the sleeper is known to sleep.
class Parker {
 public:
  /// Returns true when woken, false when the deadline passed first. Spins `spin_ns` before sleeping.
  bool park(const Deadline& deadline, Nanoseconds spin_ns = 0);
  void unpark() noexcept;

  /// The calling thread's own parker.
  static Parker& mine();

 private:
  std::atomic<std::int32_t> word_{0};  // 0 nothing, 1 woken, -1 asleep
};

}  // namespace sim
