// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <set>

#include "device_sim/base/mutex.h"
#include "runtime/fabric/base/timekeeper.h"

namespace fabrictest {

/// Time that a test moves by hand.
class ManualTime final : public fabric::Timekeeper {
 public:
  sim::Nanoseconds now_ns() const noexcept override { return now_; }

  void wait(sim::UniqueLock<sim::Mutex>& lock, sim::CondVar& changed, fabric::Moment end) override {
    {
      const sim::LockGuard guard(mutex_);
      waiting_.insert(&changed);
    }
    ++waits_;
    if (now_ < end) changed.wait(lock);
    --waits_;
    const sim::LockGuard guard(mutex_);
    waiting_.erase(waiting_.find(&changed));
  }

  void advance(std::chrono::nanoseconds span) {
    now_ += static_cast<sim::Nanoseconds>(span.count());
    wake();
  }
  /// A thread that is about to wait may miss a wake: call again until it has an effect.
  void wake() {
    const sim::LockGuard guard(mutex_);
    for (sim::CondVar* changed : waiting_) changed->notify_all();
  }
  /// How many threads wait.
  int waits() const noexcept { return waits_; }

 private:
  std::atomic<sim::Nanoseconds> now_{1000};
  std::atomic<int> waits_{0};
  sim::Mutex mutex_;
  std::multiset<sim::CondVar*> waiting_;
};

}  // namespace fabrictest
