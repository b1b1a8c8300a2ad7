// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>

namespace aclsim {

/// The variable that marks the processes of an exploration; its runs have the mark `sim::kRunMark`.
inline constexpr const char* kExploreMark = "ACLSIM_EXPLORE_MARK";

/// While it exists, a guard process kills the program, and all processes that the program has
/// started, if this process is killed. It recognises them by an environment variable that they
/// inherit, so it ignores processes without this variable. Must be created before other threads
/// are started.
class EndGuard {
 public:
  /// `mark`: a value of the variable that is unique to this run. If no process can be created, the
  /// object has no effect.
  EndGuard(const char* variable, const std::string& mark);
  explicit EndGuard(const char* variable) : EndGuard(variable, any_mark()) {}
  /// Ends the guard after the end of the program, without killing processes that still run. A guard
  /// that does not react within 2 s is killed.
  ~EndGuard();
  EndGuard(const EndGuard&) = delete;
  EndGuard& operator=(const EndGuard&) = delete;

  /// The guard process; -1: none.
  pid_t process() const noexcept { return process_; }

  /// For loops that learn of a change of some child of this process: if the guard was stopped, it
  /// is continued; if it has ended, it is gone. A notice reports this.
  static void child_changed();

 private:
  static std::string any_mark();
  /// False: the guard has ended.
  bool look();

  static EndGuard* of_run_;  // the latest one

  EndGuard* const before_ = of_run_;
  pid_t process_ = -1;
  int alive_ = -1;  // the other end is closed when this process ends
};

}  // namespace aclsim
