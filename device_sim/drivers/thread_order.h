// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace sim {

/// Derives the order in which the threads of a process were created from their numbers. The system
/// counts up to a largest number and begins again, possibly between two threads. The order is right
/// for threads whose numbers are less than half of the range apart from the first thread that the
/// caller asks for.
class ThreadOrder {
 public:
  /// Unique for each thread, even if the system has changed the number of thread numbers.
  using Position = std::pair<long, long>;

  /// `numbers`: how many there are, /proc/sys/kernel/pid_max.
  explicit ThreadOrder(long numbers) noexcept : numbers_(numbers) {}

  /// The position of a thread. The first thread of the process, whose number is the process's
  /// number, has the first position.
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
