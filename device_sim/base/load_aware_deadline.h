// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "device_sim/base/clock.h"

namespace sim {

/// Whether a thread that has used up its time gets some more. On a busy system a thread that could
/// go on may get no processor for longer than any fixed time; that shall not look as if it were
/// blocked. Begins when the time is up.
class LoadAwareDeadline {
 public:
  /// `most`: ends when the process has used that much processor time since the first question, and
  /// after ten times that time in any case: a thread that spins and yields uses next to none.
  explicit LoadAwareDeadline(std::chrono::nanoseconds most) : most_(most) {}

  /// True while another thread of the process runs or could run. Costs some 10 us a thread.
  bool more();
  /// When to ask again.
  static Deadline next_check() { return Deadline::in(std::chrono::milliseconds(2)); }

 private:
  std::chrono::nanoseconds most_;
  std::chrono::nanoseconds end_{0};  // of the process's processor time; 0: not asked yet
  Deadline latest_ = Deadline::never();
};

}  // namespace sim
