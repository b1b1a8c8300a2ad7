// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_sim/base/mutex.h"
#include "runtime/fabric/base/timekeeper.h"

namespace hccl {

/// What HcommAcquireComm takes: one holder at a time, whichever thread releases it.
class CommLock {
 public:
  /// False when `end` has come first.
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
  bool held_ = false;
};

}  // namespace hccl
