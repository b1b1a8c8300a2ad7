// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device_sim/base/clock.h"

namespace cuda::multicast {

/// The next step of a thread that waits for a complete team, as a function of the time.
class JoinWait {
 public:
  /// So often the waiter looks whether the other processes live.
  static constexpr sim::Nanoseconds kLook = 100'000'000;
  /// After this time the thread reports the missing devices, once.
  static constexpr sim::Nanoseconds kPatience = 30'000'000'000;

  explicit JoinWait(sim::Nanoseconds now, sim::Nanoseconds patience = kPatience)
      : say_at_(now + patience) {}

  /// How long to wait for the word at most.
  sim::Nanoseconds step(sim::Nanoseconds now) const noexcept {
    return said_ || now >= say_at_ || say_at_ - now > kLook ? kLook : say_at_ - now;
  }
  /// True once, when it is time to report the missing devices.
  bool time_to_say(sim::Nanoseconds now) noexcept {
    if (said_ || now < say_at_) return false;
    return said_ = true;
  }

 private:
  const sim::Nanoseconds say_at_;
  bool said_ = false;
};

}  // namespace cuda::multicast
