// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

namespace sim {

/// As long as it lives the thread is not ended by pthread_cancel. For calls of the system that are
/// points of cancellation (close, read, write, readdir) in functions that must not be unwound.
class Uncancelled {
 public:
  Uncancelled() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~Uncancelled() { pthread_setcancelstate(before_, nullptr); }
  Uncancelled(const Uncancelled&) = delete;
  Uncancelled& operator=(const Uncancelled&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace sim
