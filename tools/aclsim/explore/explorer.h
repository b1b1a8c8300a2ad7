// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device_sim/base/owned_fd.h"
#include "runtime/order/report/report.h"
#include "tools/aclsim/explore/trial.h"

namespace aclsim {

/// The options of `aclsim explore`.
struct ExploreOptions {
  std::uint64_t runs = 0;  // 0: no limit
  double budget_s = 0;     // 0: no limit
  std::uint64_t seed = 1;
  std::string strategy;     // empty: a mixture
  std::size_t jobs = 0;     // 0: one for each core
  std::uint64_t shard = 1;  // the number of this shard, from 1
  std::uint64_t shards = 1;
  bool compare_output = false;
  double timeout_s = 0;  // of one run; 0: 30, or by the first run
  bool shrink = true;
  bool quiet = false;                    // print only the reproducing command and the last line
  bool fresh = false;                    // each run loads the program
  std::vector<std::string> program;      // as the user specified it
  std::vector<std::string> command;      // the command that is started for the program
  std::vector<std::string> run_options;  // options of the command that reproduces a failure
  std::vector<std::string> reports;      // files
  order::Level fail_on = order::Level::error;
};

/// A departure from the plain order: "decision 17: stream 5 ran its copy (app.cpp:90) instead of
/// the host".
std::string in_words(const std::string& departure);

/// "0.3 s".
std::string in_seconds(double seconds);

/// Files that exist only in memory, for this process and its child processes.
class WorkFiles {
 public:
  /// The path of the file with that name; creates the file if necessary. Throws std::runtime_error.
  std::string file(const std::string& name);
  void drop(const std::string& name) { files_.erase(name); }

 private:
  std::map<std::string, sim::OwnedFd> files_;
};

/// The decisions that a run recorded.
struct Record {
  std::uint64_t decisions = 0;     // if the run did not write their number: up to the last line
  std::vector<std::string> lines;  // "17=5  # copy (app.cpp:90) instead of host"
};
Record read_record(const std::string& path);

/// Runs a program over many schedules and reports on stdout what it finds.
class Explorer {
 public:
  explicit Explorer(ExploreOptions options);
  ~Explorer();
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;
  /// Returns kOk, kFailed after a finding, kUsage, or 130 after a signal.
  int explore();

 private:
  struct Finding {
    Trial trial;
    std::uint64_t run = 0;  // counted from 1
    Outcome outcome;
    std::string what;
  };
  using Departures = std::vector<std::string>;
  /// Results of runs of the printed command.
  struct Confirmed {
    int failures = 0;
    int times = 0;
    double seconds = 0;  // duration of the longest run
    bool all() const { return times > 0 && failures == times; }
  };
  /// The smallest schedule that was found for a failure.
  struct Smallest {
    Trial trial;
    Record record;
    std::size_t lines_before = 0;
  };

  /// Prints a line on stdout, unless `quiet`.
  void say(const std::string& line);
  void say_always(const std::string& line);
  std::string first_runs();
  Trial trial_of(std::uint64_t run) const;
  bool mine(std::uint64_t run) const;
  bool time_is_up() const;
  std::string failure_of(const Outcome& outcome) const;
  bool same_failure(const Outcome& outcome) const;
  void evaluate(const Trial& trial, Outcome outcome);
  bool refill(std::uint64_t& next);
  void search();
  std::string find();
  bool only_copies_fail();
  void load_each_time();
  std::string total() const;
  int report();
  order::Report findings();
  void write_reports();

  std::optional<std::size_t> first_failing(const std::vector<Departures>& lists);
  std::string strategy_for(const Departures& departures, const std::string& name);
  std::optional<Smallest> shrink();
  void tell_smallest(const Smallest& smallest);
  void say_departures(const Record& smallest);
  void say_tail(const Outcome& outcome);
  void say_confirmed(const Confirmed& confirmed);
  bool is_hang() const { return finding_->what.starts_with("hang"); }
  Confirmed confirm(Trial trial);
  std::string command_of(const Trial& trial) const;
  std::string kept_strategy(const Trial& trial, const Departures& departures);

  const ExploreOptions options_;
  WorkFiles files_;
  TrialRunner runner_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point searched_from_ = began_;
  double limit_s_;        // of one run
  double slowest_s_ = 0;  // of the runs that did not fail
  std::chrono::steady_clock::time_point shrink_until_;
  Trial first_;
  std::shared_ptr<const Output> first_out_;
  std::uint64_t steps_ = 0;  // decisions of a run
  std::uint64_t done_ = 0;   // runs
  Departures departures_;    // of the smallest schedule that fails
  bool reports_lost_ = false;
  std::optional<Finding> finding_;
  bool again_ = false;  // a newly loaded run failed too; the file "found" has its decisions
  std::uint64_t shrink_runs_ = 0;
};

}  // namespace aclsim
