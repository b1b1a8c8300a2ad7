// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/base/timekeeper.h"

#include <algorithm>

#include "device_sim/base/mutex.h"

namespace fabric {
namespace {

class SteadyTimekeeper final : public Timekeeper {
 public:
  sim::Nanoseconds now_ns() const noexcept override { return ns_of(Steady::now() - start_); }

  void wait(sim::UniqueLock<sim::Mutex>& lock, sim::CondVar& changed, Moment end) override {
    if (end >= ns_of(Steady::time_point::max() - start_)) {
      changed.wait(lock);
    } else {
      changed.wait_until(lock, start_ + std::chrono::nanoseconds(end));
    }
  }

 private:
  using Steady = std::chrono::steady_clock;
  static sim::Nanoseconds ns_of(Steady::duration span) noexcept {
    return static_cast<sim::Nanoseconds>(span.count());
  }
  const Steady::time_point start_ = Steady::now();
};

}  // namespace

void Timekeeper::pause(std::chrono::nanoseconds span, Moment end) {
  sim::Mutex mutex;
  sim::CondVar never;
  sim::UniqueLock lock(mutex);
  const Moment until = std::min(end, in(span));
  while (!passed(until)) wait(lock, never, until);
}

Timekeeper& Timekeeper::real() {
  static SteadyTimekeeper timekeeper;
  return timekeeper;
}

}  // namespace fabric
