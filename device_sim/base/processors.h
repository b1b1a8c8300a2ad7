// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

namespace sim {

/// Which processors the threads that do one thing together run on. While none is idle, the system
/// wakes a thread where it slept: two of them then share a processor for milliseconds, next to one
/// that only something of less weight keeps busy.
class Processors {
 public:
  /// Notes where the calling thread is. False where another one was noted there.
  bool add_own() noexcept;
  /// Moves the calling thread to a processor on which no thread was noted, if its affinity allows.
  void leave() const noexcept;

 private:
  cpu_set_t noted_{};  // of a machine with more of them than it holds nothing is noted
};

}  // namespace sim
