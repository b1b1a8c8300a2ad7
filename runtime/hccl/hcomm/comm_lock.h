// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_sim/base/mutex.h"
#include "runtime/fabric/base/timekeeper.h"

namespace hccl {

/// The lock of HcommAcquireComm: one holder at a time, which any thread may release.
class CommLock {
 public:
  /// Returns false if `end` was reached first.
  bool acquire(fabric::Timekeeper& time, fabric::Moment end) {
    sim::UniqueLock lock(mutex_);
    while (held_ && !time.passed(end)) time.wait(lock, released_, end);
    if (held_) return false;
    held_ = true;
    return true;
  }
  void release() {
    {
      const sim::LockGuard guard(mutex_);
      held_ = false;
    }
    released_.notify_one();
  }

 private:
  sim::Mutex mutex_;
  sim::CondVar released_;
  bool held_ GUARDED_BY(mutex_) = false;
};

}  // namespace hccl
