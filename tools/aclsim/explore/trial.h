// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <csignal>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/aclsim/output/output.h"
#include "tools/aclsim/run/end_guard.h"
#include "tools/aclsim/run/orphans.h"

namespace aclsim {

class ForkClient;

/// One run of a program under one schedule.
struct Trial {
  std::size_t tag = 0;  // chosen by the caller
  std::string seed;
  std::string strategy;
  std::string record;  // the file for its decisions, or empty
  bool fresh = false;  // loads the program even if a copy is possible
};

/// How a run ended.
struct Outcome {
  std::size_t tag = 0;
  int code = 0;            // exit code
  int signal = 0;          // the signal that ended it, or 0
  bool timed_out = false;  // killed after the timeout
  bool copy = false;       // was a copy of a process that had loaded the program
  double seconds = 0;
  std::shared_ptr<const Output> out;
  std::shared_ptr<const Output> err;
};

/// The file that a command names, found as exec finds it; empty if no such file can be executed.
std::string find_program(const std::string& name);

/// Runs up to `jobs` programs at a time, each in its own process group. No process is left behind:
/// a group, and processes that left it, are killed when the program has ended, after the timeout,
/// by the destructor, and when this process is killed. While a TrialRunner exists, the signals that
/// end programs are blocked; they end the waiting instead.
class TrialRunner {
 public:
  /// `fresh`: each run loads the program, even if it could be a copy of a loaded process.
  TrialRunner(std::vector<std::string> command, std::size_t jobs, bool fresh = false);
  ~TrialRunner();
  TrialRunner(const TrialRunner&) = delete;
  TrialRunner& operator=(const TrialRunner&) = delete;

  /// An error message if the program cannot be started, also in an earlier run; empty otherwise.
  std::string trouble() const;
  /// Makes each further run load the program. No run may be in progress.
  void load_each_time();
  void set_timeout(std::chrono::duration<double> timeout) { timeout_ = timeout; }
  /// A run that has reached its timeout gets SIGTERM first, and a moment in which it may report
  /// what it waits for.
  void let_report() { reports_ = true; }
  std::size_t jobs() const noexcept { return jobs_; }
  std::size_t running() const noexcept { return running_.size(); }
  bool has_room() const noexcept { return running_.size() < jobs_; }
  bool interrupted() const noexcept { return interrupted_; }
  /// Has the same effect as a signal.
  void interrupt() noexcept { interrupted_ = true; }

  void start(const Trial& trial);
  /// Waits until a run ends. Returns nullopt if no run is in progress or a signal came.
  std::optional<Outcome> next();
  /// Kills the runs whose tag is higher.
  void drop_above(std::size_t tag);
  /// Kills all runs.
  void drop_all();
  /// Starts a run and waits for it; nullopt if a signal came. No other run may be in progress.
  std::optional<Outcome> run(const Trial& trial);

 private:
  struct Running;
  pid_t start_anew(const Trial& trial, const Running& run);
  std::optional<Outcome> reap();
  void end_orphans() const;
  Outcome finish(Running& run, int status, bool timed_out);
  std::chrono::steady_clock::time_point next_deadline() const;
  void sleep_until_something_ends();

  const std::vector<std::string> command_;
  std::string program_;  // the path for exec
  const std::size_t jobs_;
  const Orphans orphans_;
  const EndGuard guard_{kExploreMark};
  int* exec_error_;  // shared with the processes that are about to become the program
  std::unique_ptr<ForkClient> copies_;  // null: no copies
  std::chrono::duration<double> timeout_{300};
  bool reports_ = false;
  std::vector<std::unique_ptr<Running>> running_;
  bool interrupted_ = false;
  sigset_t held_;
  sigset_t old_mask_;
};

}  // namespace aclsim
