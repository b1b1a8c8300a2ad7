// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace sim {

/// The order in which the threads of a process were made, told by the numbers that the system gave
/// them. It counts up to a largest number and begins again, which may happen between two threads:
/// right for threads that are less than half of the numbers apart from the first that is asked for.
class ThreadOrder {
 public:
  /// Of no two threads the same, also where the system has changed how many numbers there are.
  using Position = std::pair<long, long>;

  /// `numbers`: how many there are, /proc/sys/kernel/pid_max.
  explicit ThreadOrder(long numbers) noexcept : numbers_(numbers) {}

  /// The place of a thread; the process's first thread, which bears the process's number, comes
  /// first.
  Position of(long thread, long process) noexcept {
    if (thread == process) return {-numbers_, thread};
    if (first_ == 0) first_ = thread;
    return {(thread - first_ + numbers_ / 2 + numbers_) % numbers_, thread};
  }

 private:
  const long numbers_;
  long first_ = 0;  // 0: none yet
};

}  // namespace sim
