// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

namespace aclsim {

/// What all processes of a run have in their environment.
inline constexpr const char* kRunMark = "ACLSIM_RUN_MARK";

/// While it lives, a process stands by that kills the program, and everything the program has started,
/// if this process is killed. It knows them by a variable that they inherit, so a process that runs
/// without this environment is left alone. Make it before other threads are started.
class EndGuard {
 public:
  /// Where no process can be made there is no guard.
  EndGuard();
  /// The end of the program: what it has left behind is left alone.
  ~EndGuard();
  EndGuard(const EndGuard&) = delete;
  EndGuard& operator=(const EndGuard&) = delete;

  /// -1: there is none.
  pid_t process() const noexcept { return process_; }

 private:
  pid_t process_ = -1;
  int alive_ = -1;  // the other end is closed when this process ends
};

}  // namespace aclsim
