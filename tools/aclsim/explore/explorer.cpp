// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/explore/explorer.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "device_sim/base/files.h"
#include "tools/aclsim/output/colour.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/verbs/commands.h"

namespace aclsim {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double kLeastTimeout_s = 30;
constexpr int kLooks = 3;  // repetitions of a failure that may occur only in copies
constexpr std::uint64_t kDefaultSteps = 1'000;

/// The strategies in turn, after an eager and a lazy run. {} is replaced by the number of decisions
/// of a run, or by a half or a quarter of it, since most mistakes depend on early decisions.
constexpr const char* kMixture[] = {"pct:2:{}", "random", "pct:3:{}",    "delays:1:{}", "slow-copy",
                                    "pct:2:{}", "random", "delays:2:{}", "round-robin", "pct:4:{}"};

std::string counted(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

std::string in_seconds(double seconds) {
  return seconds < 1'000 ? fmt::format("{:.3g} s", seconds) : fmt::format("{:.0f} s", seconds);
}

// ---- files ----

std::string WorkFiles::file(const std::string& name) {
  sim::OwnedFd& file = files_[name];
  if (!file) file = sim::OwnedFd(::memfd_create("aclsim-explore", MFD_CLOEXEC));
  if (!file) throw std::runtime_error(fmt::format("memfd_create: {}", std::strerror(errno)));
  return fmt::format("/proc/{}/fd/{}", ::getpid(), file.get());
}

Record read_record(const std::string& path) {
  Record record;
  std::istringstream file;
  try {
    file.str(sim::read_file(path));
  } catch (const sim::FileError&) {  // the run recorded nothing
  }
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    if (line[0] == '#') {
      std::istringstream(line.substr(1)) >> record.decisions;
    } else {
      std::istringstream(line) >> record.decisions;
      record.lines.push_back(line);
    }
  }
  return record;
}

// ---- what is run ----

Explorer::Explorer(ExploreOptions options)
    : options_(std::move(options)),
      runner_(options_.command, options_.jobs, options_.fresh),
      limit_s_(options_.timeout_s > 0 ? options_.timeout_s : kLeastTimeout_s) {
  if (!options_.run_options.empty()) runner_.let_report();
}

Explorer::~Explorer() { runner_.drop_all(); }

// Flushes immediately, also if stdout is a file or a pipe.
void Explorer::say_always(const std::string& line) {
  try {
    put_out(line + "\n");
    flush_out();
  } catch (const StandardOutputError&) {
    runner_.interrupt();  // stdout cannot be written; main() reports this
  }
}

void Explorer::say(const std::string& line) {
  if (!options_.quiet) say_always(line);
}

// The first two runs belong to every shard: the other runs need their results.
bool Explorer::mine(std::uint64_t run) const {
  return run <= 2 || run % options_.shards == options_.shard % options_.shards;
}

Trial Explorer::trial_of(std::uint64_t run) const {
  Trial trial;
  trial.tag = run;
  trial.seed = std::to_string(options_.seed + run - 1);
  const std::uint64_t steps = steps_ != 0 ? steps_ : kDefaultSteps;
  if (!options_.strategy.empty()) {
    trial.strategy = options_.strategy;
    const bool counts = trial.strategy.starts_with("pct:") || trial.strategy.starts_with("delays:");
    if (counts && std::count(trial.strategy.begin(), trial.strategy.end(), ':') == 1) {
      trial.strategy += fmt::format(":{}", steps);
    }
    return trial;
  }
  if (run <= 2) {
    trial.strategy = run == 1 ? "eager" : "lazy";
    return trial;
  }
  const std::uint64_t round = (run - 3) / std::size(kMixture);
  const std::uint64_t part = std::max<std::uint64_t>(steps >> (round % 3), 1);
  trial.strategy = fmt::format(fmt::runtime(kMixture[(run - 3) % std::size(kMixture)]), part);
  return trial;
}

bool Explorer::time_is_up() const {
  return options_.budget_s > 0 && Seconds(Clock::now() - began_).count() >= options_.budget_s;
}

// ---- what is found ----

/// Describes the failure; empty if the run succeeded.
std::string Explorer::failure_of(const Outcome& outcome) const {
  if (outcome.timed_out) return "hang: killed after " + in_seconds(limit_s_);
  if (outcome.code == kDeadlock && outcome.err->contains("aclsim: watchdog:")) {
    return "hang: a deadlock of its streams, exit code 3";
  }
  if (outcome.code == kDeadlock && outcome.err->contains("aclsim: check: the program hangs")) {
    return "hang: all its threads wait for ever, exit code 3";
  }
  if (outcome.signal != 0) return fmt::format("signal {}", outcome.signal);
  // The process is `aclsim run --check`, which returns the same code for an exit code and a signal.
  const bool perhaps_signal = !options_.run_options.empty() && outcome.code > 128;
  if (perhaps_signal && outcome.code - 128 <= SIGRTMAX) {
    return fmt::format("exit code {} (or signal {})", outcome.code, outcome.code - 128);
  }
  if (outcome.code != 0) return fmt::format("exit code {}", outcome.code);
  if (!options_.compare_output || !first_out_) return {};
  const std::string difference = first_difference(*first_out_, *outcome.out);
  return difference.empty() ? "" : "output differs from the first run's " + difference;
}

bool Explorer::same_failure(const Outcome& outcome) const {
  const Outcome& first = finding_->outcome;
  if (outcome.timed_out != first.timed_out) return false;
  if (first.timed_out) return true;
  return outcome.code == first.code && outcome.signal == first.signal &&
         !failure_of(outcome).empty();
}

void Explorer::evaluate(const Trial& trial, Outcome outcome) {
  ++done_;
  std::string what = failure_of(outcome);
  if (what.empty()) slowest_s_ = std::max(slowest_s_, outcome.seconds);
  if (what.empty() || (finding_ && finding_->run < trial.tag)) return;
  finding_ = Finding{trial, trial.tag, std::move(outcome), std::move(what)};
}

/// Does the first two runs, one after the other; they determine the length of a run. Returns an
/// error message if the program cannot be run.
std::string Explorer::first_runs() {
  if (find_program(options_.program[0]).empty()) {
    return fmt::format("cannot start {}: no such program, or it cannot be executed",
                       options_.program[0]);
  }
  runner_.set_timeout(Seconds(limit_s_));
  for (std::uint64_t run = 1; run <= 2 && !finding_; ++run) {
    if ((options_.runs != 0 && run > options_.runs) || (run == 2 && time_is_up())) break;
    Trial trial = trial_of(run);
    trial.record = files_.file("first");
    std::optional<Outcome> outcome = runner_.run(trial);
    if (!outcome) break;
    if (std::string trouble = runner_.trouble(); !trouble.empty()) return trouble;
    if (run == 1) {
      first_ = trial;
      first_out_ = outcome->out;
    }
    if (options_.timeout_s <= 0 && !outcome->timed_out) {
      limit_s_ = std::max(limit_s_, 10 * outcome->seconds);
      runner_.set_timeout(Seconds(limit_s_));
    }
    steps_ = std::max(steps_, read_record(trial.record).decisions);
    evaluate(trial, std::move(*outcome));
  }
  if (steps_ == 0 && !finding_ && !runner_.interrupted()) {
    complain(
        "explore: the schedule had no choices: the program put no work on a stream, or another "
        "process did");
  }
  return {};
}

/// Starts as many runs as can run at the same time. False if no run is left.
bool Explorer::refill(std::uint64_t& next) {
  while (runner_.has_room() && !finding_) {
    while (!mine(next)) ++next;
    if ((options_.runs != 0 && next > options_.runs) || time_is_up()) return false;
    runner_.start(trial_of(next++));
  }
  return !finding_;
}

void Explorer::search() {
  std::uint64_t next = 3;
  for (;;) {
    refill(next);
    std::optional<Outcome> outcome = runner_.next();
    if (!outcome) break;
    const Trial trial = trial_of(outcome->tag);
    evaluate(trial, std::move(*outcome));
    // Earlier runs may still fail: the failed run with the lowest number is reported.
    if (finding_) runner_.drop_above(finding_->run);
  }
  runner_.drop_all();
}

// ---- whether it is one ----

/// Repeats the failed run as a newly loaded process, as the printed command will run. A copy of a
/// process shares the effects of code that ran before main(). Returns whether only copies fail.
bool Explorer::only_copies_fail() {
  if (time_is_up()) return false;
  const Finding& found = *finding_;
  if (found.outcome.timed_out) {
    say(fmt::format("run {} did not end within {}; it is repeated", found.run,
                    in_seconds(limit_s_)));
  }
  // Under the checker, the copied process is `aclsim run`, which has no such code.
  const bool copy = found.outcome.copy && options_.run_options.empty();
  const int looks = copy && !found.outcome.timed_out ? kLooks : 1;
  Trial trial = found.trial;
  trial.record = files_.file("found");
  trial.fresh = true;
  for (int look = 0; look < looks && !again_ && !time_is_up(); ++look) {
    const std::optional<Outcome> outcome = runner_.run(trial);
    if (!outcome) return false;
    again_ = same_failure(*outcome);
  }
  if (again_ || !copy) return false;
  trial.fresh = false;
  for (int look = 0; look < looks && !time_is_up(); ++look) {
    const std::optional<Outcome> outcome = runner_.run(trial);
    if (outcome && !failure_of(*outcome).empty()) return true;
  }
  return false;
}

/// Restarts the search at the first run, without copies.
void Explorer::load_each_time() {
  say(
      fmt::format("run {} failed ({}) only as a copy of the loaded program, not when it loads the "
                  "program itself: code of the program runs before main()\n"
                  "the search starts again at run 1; each run now loads the program, as with "
                  "--fresh",
                  finding_->run, finding_->what));
  runner_.load_each_time();
  finding_.reset();
  steps_ = 0;
  done_ = 0;
  searched_from_ = Clock::now();
}

// ---- the whole ----

/// Runs until a finding occurs or no run is left. Returns an error message if the program cannot be
/// run.
std::string Explorer::find() {
  if (std::string trouble = first_runs(); !trouble.empty()) return trouble;
  if (!finding_ && !runner_.interrupted()) search();
  return {};
}

std::string Explorer::total() const {
  const double seconds = Seconds(Clock::now() - searched_from_).count();
  return fmt::format("{} in {:.1f} s ({:.0f} a second)", counted(done_, "run"), seconds,
                     static_cast<double>(done_) / seconds);
}

int Explorer::explore() {
  std::string searched;
  for (;;) {
    const std::string trouble = find();
    if (!trouble.empty()) {
      complain("explore: " + trouble);
      return kUsage;
    }
    searched = total();
    if (!finding_ || runner_.interrupted() || !only_copies_fail()) break;
    load_each_time();
  }
  int code = finding_ ? report() : kOk;
  if (!runner_.interrupted()) write_reports();
  if (reports_lost_ && code == kOk) code = kFailed;
  if (runner_.interrupted()) {
    say_always(fmt::format("explore: interrupted after {} (exit code 130)", searched));
    return 128 + SIGINT;
  }
  const std::string found = finding_
                                ? paint("found", Colour::red, STDOUT_FILENO) + ": " + finding_->what
                                : paint("nothing found", Colour::green, STDOUT_FILENO);
  say_always(fmt::format("explore: {} after {} (exit code {})", found, searched, code));
  return code;
}

}  // namespace aclsim
