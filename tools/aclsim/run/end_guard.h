// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>

namespace aclsim {

/// Of an exploration, whose runs have marks of their own (`sim::kRunMark`).
inline constexpr const char* kExploreMark = "ACLSIM_EXPLORE_MARK";

/// While it lives, a process stands by that kills the program, and everything the program has
/// started, if this process is killed. It knows them by a variable that they inherit, so a process
/// that runs without this environment is left alone. Make it before other threads are started.
class EndGuard {
 public:
  /// `mark`: a value of the variable that no other run has. Where no process can be made there is
  /// no guard.
  EndGuard(const char* variable, const std::string& mark);
  explicit EndGuard(const char* variable) : EndGuard(variable, any_mark()) {}
  /// The end of the program: what it has left behind is left alone.
  ~EndGuard();
  EndGuard(const EndGuard&) = delete;
  EndGuard& operator=(const EndGuard&) = delete;

  /// -1: there is none.
  pid_t process() const noexcept { return process_; }

 private:
  static std::string any_mark();

  pid_t process_ = -1;
  int alive_ = -1;  // the other end is closed when this process ends
};

}  // namespace aclsim
