// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>

#include "runtime/fabric/base/timekeeper.h"

namespace hccl {

/// What HcommAcquireComm takes: one holder at a time, whichever thread releases it.
class CommLock {
 public:
  /// False when `end` has come first.
  bool acquire(fabric::Timekeeper& time, fabric::Moment end) {
    std::unique_lock lock(mutex_);
    while (held_ && !time.passed(end)) time.wait(lock, released_, end);
    if (held_) return false;
    held_ = true;
    return true;
  }
  void release() {
    {
      const std::lock_guard guard(mutex_);
      held_ = false;
    }
    released_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable released_;
  bool held_ = false;
};

}  // namespace hccl
