// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

#include "device_sim/base/mutex.h"

namespace acl::trace_output {

/// Calls a function every 0.2 s in a thread of its own: a program that hangs is killed without a
/// further event, and its last events must be in the file. That thread handles no signal of the
/// program. If no thread can be started, the file is written later.
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
  bool stop_ = false;
  sim::CondVar stopped_;
  std::thread thread_;
};

}  // namespace acl::trace_output
