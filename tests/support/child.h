// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace support {

/// The exit status and the output of a child process.
struct ChildResult {
  int status = -1;  // of exit, when it exited
  int signal = 0;   // that ended it, or 0
  bool timed_out = false;
  std::string output;  // standard output and error together

  bool clean() const { return status == 0 && signal == 0 && !timed_out; }
};

/// Variables set for the child on top of this process's own; an empty value removes one.
using Environment = std::vector<std::pair<std::string, std::string>>;
/// A variable of this process's own; empty when it is not set.
std::string environment_variable(const char* name);

/// Runs a CHILD_PROGRAM of this executable in a process of its own and waits for it. A child that
/// is not done in time is killed.
ChildResult run_child(const std::string& program, const Environment& environment = {},
                      std::chrono::seconds limit = std::chrono::seconds(180));

/// The same for a program that races on purpose, so that the order checker finds it: where
/// ThreadSanitizer is built in, it keeps silent.
ChildResult run_racing_child(const std::string& program, Environment environment = {});

/// A CHILD_PROGRAM in a process of its own that is talked to while it runs: its standard input and
/// output are lines. Killed, if it is still there, when this goes.
class RunningChild {
 public:
  explicit RunningChild(const std::string& program, const Environment& environment = {});
  ~RunningChild() { kill(); }
  RunningChild(const RunningChild&) = delete;
  RunningChild& operator=(const RunningChild&) = delete;

  int pid() const { return pid_; }
  void say(const std::string& line);
  /// The next line that the child writes; "(nothing)" when it ends or none comes in time.
  std::string hear(std::chrono::seconds limit = std::chrono::seconds(180));
  std::string ask(const std::string& line) {
    say(line);
    return hear();
  }
  /// kill -9; returns when the process is gone.
  void kill();

 private:
  int pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  std::string heard_;
};

/// True in a process that `run_child` started, after its program has run.
bool is_child(int& status);

/// Makes a function known under a name; see CHILD_PROGRAM.
struct ChildProgram {
  ChildProgram(const char* name, int (*body)());
};

}  // namespace support

/// Defines what a child process does: CHILD_PROGRAM(name) { ...; return exit_status; }
#define CHILD_PROGRAM(name)                                                          \
  static int child_program_##name();                                                 \
  static const ::support::ChildProgram child_##name##_{#name, child_program_##name}; \
  static int child_program_##name()

/// In a child program: ends it with status 1 and a message unless the condition holds.
#define CHILD_EXPECT(condition)                                                \
  do {                                                                         \
    if (!(condition)) ::support::child_failed(__FILE__, __LINE__, #condition); \
  } while (false)

/// The same for a call's result code.
#define CHILD_EXPECT_CODE(call, wanted)                                               \
  do {                                                                                \
    const int code_ = (call);                                                         \
    if (code_ != (wanted)) ::support::child_failed(__FILE__, __LINE__, #call, code_); \
  } while (false)

namespace support {
[[noreturn]] void child_failed(const char* file, int line, const char* what);
[[noreturn]] void child_failed(const char* file, int line, const char* what, int code);
}  // namespace support
