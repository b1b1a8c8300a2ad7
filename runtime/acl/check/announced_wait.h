// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/acl/check/checker.h"

namespace acl {

/// As long as it lives the other processes' logs can be held against this one's: the calling thread
/// waits, without a time limit, for a stream, a record, or the number of a shared event.
class AnnouncedWait {
 public:
  template <class... What>
  AnnouncedWait(Checker* checker, bool untimed, What&... what)
      : checker_(checker && untimed && checker->announce(what...) ? checker : nullptr) {}
  ~AnnouncedWait() {
    if (checker_) checker_->goes_on();
  }
  AnnouncedWait(const AnnouncedWait&) = delete;
  AnnouncedWait& operator=(const AnnouncedWait&) = delete;

 private:
  Checker* checker_;
};

}  // namespace acl
