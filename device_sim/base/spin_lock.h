// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>

#include "device_sim/base/thread_annotations.h"

namespace sim {

inline void cpu_relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield" ::: "memory");
#endif
}

/// For critical sections of a few instructions: cheaper than a mutex, gives way when preempted.
class CAPABILITY("spin lock") SpinLock {
 public:
  void lock() noexcept ACQUIRE() {
    if (!locked_.exchange(true, std::memory_order_acquire)) return;
    lock_slow();
  }
  bool try_lock() noexcept TRY_ACQUIRE(true) {
    return !locked_.exchange(true, std::memory_order_acquire);
  }
  void unlock() noexcept RELEASE() { locked_.store(false, std::memory_order_release); }

 private:
  void lock_slow() noexcept {
    for (;;) {
      for (int i = 0; i < 100; ++i) {
        if (!locked_.load(std::memory_order_relaxed) &&
            !locked_.exchange(true, std::memory_order_acquire)) {
          return;
        }
        cpu_relax();
      }
      std::this_thread::yield();
    }
  }
  std::atomic<bool> locked_{false};
};

}  // namespace sim
