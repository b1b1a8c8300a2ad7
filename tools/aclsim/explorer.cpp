// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/explorer.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "tools/aclsim/commands.h"

namespace aclsim {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double kFirstTimeout_s = 300;
constexpr double kLeastTimeout_s = 30;
constexpr std::uint64_t kDefaultSteps = 1'000;

/// By turns, after an eager and a lazy run. {}: the decisions of a run, whole, halved or quartered,
/// since most mistakes hang on the early ones.
constexpr const char* kMixture[] = {"pct:2:{}", "random", "pct:3:{}",    "delays:1:{}", "slow-copy",
                                    "pct:2:{}", "random", "delays:2:{}", "round-robin", "pct:4:{}"};

std::string first_difference(const std::string& a, const std::string& b) {
  std::istringstream one(a);
  std::istringstream other(b);
  for (int line = 1;; ++line) {
    std::string x;
    std::string y;
    const bool more_x = static_cast<bool>(std::getline(one, x));
    const bool more_y = static_cast<bool>(std::getline(other, y));
    if (!more_x && !more_y) return "in the end of its last line";
    if (x != y || more_x != more_y) {
      return fmt::format("in line {}: '{}' instead of '{}'", line, more_y ? y : "(end)",
                         more_x ? x : "(end)");
    }
  }
}

std::string counted(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

// ---- files ----

WorkFolder::WorkFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "aclsim-explore-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder can be made");
  path_ = pattern;
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Record read_record(const std::string& path) {
  Record record;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    if (line[0] == '#') {
      std::istringstream(line.substr(1)) >> record.decisions;
    } else {
      record.lines.push_back(line);
    }
  }
  return record;
}

// ---- what is run ----

Explorer::Explorer(ExploreOptions options)
    : options_(std::move(options)), runner_(options_.command, options_.jobs, options_.fresh) {}

// The first two runs belong to every shard: what they show is needed for the others.
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

/// In words; empty when nothing is wrong.
std::string Explorer::failure_of(const Outcome& outcome) const {
  if (outcome.timed_out) return fmt::format("hang: killed after {:.0f} s", outcome.seconds);
  if (outcome.code == 3 && outcome.err.find("aclsim: watchdog:") != std::string::npos) {
    return "hang: a deadlock of its streams, exit code 3";
  }
  if (outcome.code > 128) return fmt::format("signal {}", outcome.code - 128);
  if (outcome.code != 0) return fmt::format("exit code {}", outcome.code);
  if (options_.compare_output && outcome.out != first_out_) {
    return fmt::format("output differs from the first run's {}",
                       first_difference(first_out_, outcome.out));
  }
  return {};
}

bool Explorer::same_failure(const Outcome& outcome) const {
  const Outcome& first = finding_->outcome;
  if (outcome.timed_out != first.timed_out) return false;
  return first.timed_out || (outcome.code == first.code && !failure_of(outcome).empty());
}

void Explorer::judge(const Trial& trial, Outcome outcome) {
  ++done_;
  std::string what = failure_of(outcome);
  if (what.empty() || (finding_ && finding_->run < trial.tag)) return;
  finding_ = Finding{trial, trial.tag, std::move(outcome), std::move(what)};
}

/// The first two runs, one after the other: they say how long a run is. What is wrong when the
/// program cannot be run at all.
std::string Explorer::first_runs() {
  if (std::string trouble = runner_.trouble(); !trouble.empty()) return trouble;
  runner_.set_timeout(Seconds(options_.timeout_s > 0 ? options_.timeout_s : kFirstTimeout_s));
  for (std::uint64_t run = 1; run <= 2 && !finding_; ++run) {
    if (options_.runs != 0 && run > options_.runs) break;
    Trial trial = trial_of(run);
    trial.record = folder_.file("first");
    std::optional<Outcome> outcome = runner_.run(trial);
    if (!outcome) break;
    if (outcome->code == kCannotExecute && outcome->seconds < 1 && outcome->err.empty()) {
      return fmt::format("cannot start {}: it cannot be executed", options_.command[0]);
    }
    if (run == 1) {
      first_out_ = outcome->out;
      const double own = std::max(kLeastTimeout_s, 10 * outcome->seconds);
      if (options_.timeout_s <= 0) runner_.set_timeout(Seconds(own));
    }
    steps_ = std::max(steps_, read_record(trial.record).decisions);
    judge(trial, std::move(*outcome));
  }
  if (steps_ == 0 && !finding_ && !runner_.interrupted()) {
    complain("explore: nothing to choose was seen: the program put no work on a stream");
  }
  return {};
}

/// Starts what there is room for. False when no run is left.
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
    judge(trial, std::move(*outcome));
    // Earlier runs may still fail: which one is reported does not hang on who was quicker.
    if (finding_) runner_.drop_above(finding_->run);
  }
  runner_.drop_all();
}

// ---- the whole ----

int Explorer::explore() {
  if (const std::string trouble = first_runs(); !trouble.empty()) {
    complain("explore: " + trouble);
    return kUsage;
  }
  if (!finding_ && !runner_.interrupted()) search();
  const double seconds = Seconds(Clock::now() - began_).count();
  const std::string total = fmt::format("{} in {:.1f} s ({:.0f} a second)", counted(done_, "run"),
                                        seconds, static_cast<double>(done_) / seconds);
  const int code = finding_ ? report() : kOk;
  if (runner_.interrupted()) {
    fmt::print("explore: interrupted after {} (exit code 130)\n", total);
    return 128 + SIGINT;
  }
  fmt::print("explore: {} after {} (exit code {})\n",
             finding_ ? "found: " + finding_->what : "nothing found", total, code);
  return code;
}

}  // namespace aclsim
