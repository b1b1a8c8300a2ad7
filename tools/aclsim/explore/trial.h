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
  std::size_t tag = 0;  // the caller's name for it
  std::string seed;
  std::string strategy;
  std::string record;  // where its decisions are written, or empty
  bool fresh = false;  // it loads the program, where it could be a copy
};

/// How a run ended.
struct Outcome {
  std::size_t tag = 0;
  int code = 0;            // what it ended with
  int signal = 0;          // what ended it, if one did
  bool timed_out = false;  // and was killed
  bool copy = false;       // of a process that had loaded the program
  double seconds = 0;
  std::shared_ptr<const Output> out;
  std::shared_ptr<const Output> err;
};

/// The file that a command names, as exec takes it; empty when there is none that can be executed.
std::string find_program(const std::string& name);

/// Runs up to `jobs` programs at a time, each in a process group of its own, of which nothing is
/// left behind: groups are killed when their program has ended, when its time is over, and when
/// this goes, or this process is killed; so is what left them. While one lives, the signals that
/// end programs are held back and end the waiting instead.
class TrialRunner {
 public:
  /// `fresh`: each run loads the program, where it could be a copy of a process that has.
  TrialRunner(std::vector<std::string> command, std::size_t jobs, bool fresh = false);
  ~TrialRunner();
  TrialRunner(const TrialRunner&) = delete;
  TrialRunner& operator=(const TrialRunner&) = delete;

  /// Empty when the program can be started, else what is wrong. Looks at the runs so far, too.
  std::string trouble() const;
  /// From here on each run loads the program. None may be running.
  void load_each_time();
  void set_timeout(std::chrono::duration<double> timeout) { timeout_ = timeout; }
  std::size_t jobs() const noexcept { return jobs_; }
  std::size_t running() const noexcept { return running_.size(); }
  bool has_room() const noexcept { return running_.size() < jobs_; }
  bool interrupted() const noexcept { return interrupted_; }
  /// As a signal would.
  void interrupt() noexcept { interrupted_ = true; }

  void start(const Trial& trial);
  /// Waits for any to end. Nothing when none is running or a signal came.
  std::optional<Outcome> next();
  /// Kills those whose tag is higher.
  void drop_above(std::size_t tag);
  /// The same for all.
  void drop_all();
  /// Starts it and waits; nothing when a signal came. No other may be running.
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
  std::string program_;  // as exec takes it
  const std::size_t jobs_;
  const Orphans orphans_;
  const EndGuard guard_{kExploreMark};
  int* exec_error_;  // shared with the processes that are about to become the program
  std::unique_ptr<ForkClient> copies_;  // null: no more
  std::chrono::duration<double> timeout_{300};
  std::vector<std::unique_ptr<Running>> running_;
  bool interrupted_ = false;
  sigset_t held_;
  sigset_t old_mask_;
};

}  // namespace aclsim
