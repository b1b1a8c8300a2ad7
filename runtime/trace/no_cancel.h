// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

namespace acl::trace_output {

/// write() must not be where a cancelled thread unwinds: its callers are destructors, or hold what
/// the machine needs.
class NoCancel {
 public:
  NoCancel() { ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old_); }
  ~NoCancel() { ::pthread_setcancelstate(old_, nullptr); }
  NoCancel(const NoCancel&) = delete;
  NoCancel& operator=(const NoCancel&) = delete;

 private:
  int old_ = 0;
};

}  // namespace acl::trace_output
