// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <limits>

#include "device_sim/base/clock.h"
#include "device_sim/base/mutex.h"

namespace fabric {

/// A moment on the clock of a Timekeeper.
using Moment = sim::Nanoseconds;
inline constexpr Moment kNever = std::numeric_limits<Moment>::max();

/// The only place where these rooms ask for the time or let a thread wait. Tests have one whose
/// time moves by hand.
class Timekeeper : public sim::Clock {
 public:
  /// Lets the calling thread wait until `changed` is notified, or `end` has come. May return
  /// earlier: the caller looks again.
  virtual void wait(sim::UniqueLock<sim::Mutex>& lock, sim::CondVar& changed, Moment end) = 0;

  Moment in(std::chrono::nanoseconds span) const noexcept {
    const auto ns = static_cast<Moment>(span.count());
    const Moment now = now_ns();
    return ns < kNever - now ? now + ns : kNever;
  }
  /// Waits that long, under no condition, but not beyond `end`.
  void pause(std::chrono::nanoseconds span, Moment end);
  bool passed(Moment end) const noexcept { return end != kNever && now_ns() >= end; }

  /// The steady clock.
  static Timekeeper& real();
};

}  // namespace fabric
