// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <limits>

#include "device_sim/base/clock.h"
#include "device_sim/base/mutex.h"

namespace fabric {

/// A point in time on the clock of a Timekeeper.
using Moment = sim::Nanoseconds;
inline constexpr Moment kNever = std::numeric_limits<Moment>::max();

/// The only source of time, and the only way for a thread to wait, in the rooms of the fabric.
/// Tests use one whose time they advance by hand.
class Timekeeper : public sim::Clock {
 public:
  /// Blocks the calling thread until `changed` is notified or `end` is reached. May return earlier:
  /// the caller checks its condition again.
  virtual void wait(sim::UniqueLock<sim::Mutex>& lock, sim::CondVar& changed, Moment end) = 0;

  Moment in(std::chrono::nanoseconds span) const noexcept {
    const auto ns = static_cast<Moment>(span.count());
    const Moment now = now_ns();
    return ns < kNever - now ? now + ns : kNever;
  }
  /// Sleeps for `span`, but not beyond `end`.
  void pause(std::chrono::nanoseconds span, Moment end);
  bool passed(Moment end) const noexcept { return end != kNever && now_ns() >= end; }

  /// The steady clock of the system.
  static Timekeeper& real();
};

}  // namespace fabric
