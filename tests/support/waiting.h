// SPDX-License-Identifier: Apache-2.0
// How tests wait. A test never sleeps to put threads in order: it waits for a condition, with a
// deadline. The lint test `lint.sources` refuses sleeps outside of this folder.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace support {

/// After this long a condition of a test is taken not to come true at all.
inline constexpr std::chrono::milliseconds kDeadline = std::chrono::seconds(20);

/// Lets this time pass. Only where time itself is the subject: how long a kernel runs, a limit that
/// is exceeded, a pause after which workers sleep, the pause between two looks at a file.
void let_time_pass(std::chrono::nanoseconds time);

/// Polls until the condition holds; false when it does not in time. Between two looks the thread
/// yields, or lets `pause` pass where a look is expensive.
template <class Condition>
bool eventually(Condition&& holds, std::chrono::milliseconds limit = kDeadline,
                std::chrono::nanoseconds pause = {}) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    if (pause.count() == 0) {
      std::this_thread::yield();
    } else {
      let_time_pass(pause);
    }
  }
  return true;
}

/// The system's number of the calling thread.
pid_t this_thread_number();

/// Whether a thread of this process is blocked in the system at this moment, as one is that waits
/// for a lock or a condition.
bool is_blocked(pid_t thread);

/// Whether all threads of this process but the calling one are.
bool others_are_blocked();

/// Waits until a thread is blocked that writes its number here just before a call; false when that
/// does not come in time.
inline bool eventually_blocked(const std::atomic<pid_t>& thread) {
  return eventually([&] { return thread != 0 && is_blocked(thread); });
}

/// The thread that makes it, seen from kernels and other threads: they go on when it is blocked in
/// a call. So a call that has to wait for a kernel does wait, and one that does not is found out.
class Caller {
 public:
  Caller() : thread_(this_thread_number()) {}
  /// Returns once the thread is blocked; at once in the thread itself, which then runs the kernel
  /// in the call.
  void await_blocked() const {
    if (thread_ != this_thread_number()) eventually([this] { return is_blocked(thread_); });
  }

 private:
  pid_t thread_;
};

}  // namespace support
