// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <thread>

#include "device_sim/base/mutex.h"

namespace ascendc {

/// Takes the lock at the end of the process, unless another thread keeps it: the thread that calls
/// `exit`, for example in a signal handler, may hold it itself. The analysis does not follow the
/// loop.
template <class Mutex>
bool lock_at_exit(sim::UniqueLock<Mutex>& lock) TRY_ACQUIRE(true, lock) NO_THREAD_SAFETY_ANALYSIS {
  constexpr int kTries = 1'000'000;
  for (int i = 0; i < kTries; ++i) {
    if (lock.try_lock()) return true;
    std::this_thread::yield();
  }
  return false;
}

}  // namespace ascendc
