// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <thread>

#include "device_sim/base/mutex.h"

namespace ascendc {

/// For what the end of the process does: whoever calls `exit`, such as a handler of a signal, may
/// hold the mutex.
template <class Mutex>
bool lock_at_exit(sim::UniqueLock<Mutex>& lock) {
  constexpr int kTries = 1'000'000;
  for (int i = 0; i < kTries; ++i) {
    if (lock.try_lock()) return true;
    std::this_thread::yield();
  }
  return false;
}

}  // namespace ascendc
