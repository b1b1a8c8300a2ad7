// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

#include "device_sim/base/mutex.h"

namespace acl::trace_output {

/// Calls a function every 0.2 s in its own thread. If a program hangs, it is killed without a
/// further event, and its last events must be in the file. The thread blocks the program's signals.
/// If the thread cannot be started, the file is updated less often.
class Flusher {
 public:
  explicit Flusher(std::function<void()> flush);
  /// In a forked child the thread is the parent's: it is let go.
  ~Flusher();
  Flusher(const Flusher&) = delete;
  Flusher& operator=(const Flusher&) = delete;

 private:
  void run();

  const std::function<void()> flush_;
  const unsigned forks_;
  sim::Mutex mutex_;
  bool stop_ GUARDED_BY(mutex_) = false;
  sim::CondVar stopped_;
  std::thread thread_;
};

}  // namespace acl::trace_output
