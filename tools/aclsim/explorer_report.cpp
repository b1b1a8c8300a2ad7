// SPDX-License-Identifier: Apache-2.0
// What becomes of a finding: it is made small, confirmed, and told.
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tools/aclsim/commands.h"
#include "tools/aclsim/explorer.h"
#include "tools/aclsim/minimise.h"

extern char** environ;

namespace aclsim {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kShrinkTime = std::chrono::seconds(30);
constexpr int kConfirmations = 10;
constexpr std::size_t kInlineLength = 200;  // of a list of departures on a command line
constexpr std::size_t kShownLines = 12;

std::string departure_of(const std::string& line) { return line.substr(0, line.find(' ')); }

/// As a shell takes it for one word.
std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) ||
           std::string_view("_-./:=,@%+").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// The emulator's variables that this process was given: the program needs them again.
std::string own_settings() {
  std::string text;
  for (char** variable = environ; *variable; ++variable) {
    const std::string setting = *variable;
    const std::string name = setting.substr(0, setting.find('='));
    if (!name.starts_with("ACLSIM_") && name != "ASCEND_RT_VISIBLE_DEVICES") continue;
    if (name == "ACLSIM_SCHEDULE" || name == "ACLSIM_SEED" || name == "ACLSIM_STRATEGY" ||
        name == "ACLSIM_DECISIONS" || name == "ACLSIM_WATCHDOG") {
      continue;
    }
    text += name + "=" + quoted(setting.substr(name.size() + 1)) + " ";
  }
  return text;
}

void print_tail(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  const std::size_t from = lines.size() > kShownLines ? lines.size() - kShownLines : 0;
  if (from > 0) fmt::print("  | ... {} lines before\n", from);
  for (std::size_t i = from; i < lines.size(); ++i) fmt::print("  | {}\n", lines[i]);
}

}  // namespace

std::string Explorer::strategy_for(const Departures& departures, const std::string& name) const {
  if (departures.empty()) return "lazy";
  const std::string path = folder_.file(name);
  std::ofstream file(path, std::ios::trunc);
  for (const std::string& line : departures) file << departure_of(line) << "\n";
  return "replay:@" + path;
}

/// As `minimise` wants it: all lists are tried, as many at a time as there are jobs.
std::optional<std::size_t> Explorer::first_failing(const std::vector<Departures>& lists) {
  std::optional<std::size_t> found;
  std::size_t next = 0;
  for (;;) {
    while (!found && runner_.has_room() && next < lists.size() && Clock::now() < shrink_until_) {
      Trial trial = finding_->trial;
      trial.tag = next;
      trial.strategy = strategy_for(lists[next], fmt::format("try-{}", next));
      runner_.start(trial);
      ++next;
    }
    const std::optional<Outcome> outcome = runner_.next();
    if (!outcome) break;
    ++shrink_runs_;
    if (!same_failure(*outcome) || (found && *found < outcome->tag)) continue;
    found = outcome->tag;
    runner_.drop_above(*found);
  }
  return found;
}

/// How many of that many runs fail as the finding did.
int Explorer::count_failures(const Trial& trial, int times) {
  int failures = 0;
  for (int left = times; left > 0 || runner_.running() > 0;) {
    while (left > 0 && runner_.has_room()) {
      runner_.start(trial);
      --left;
    }
    const std::optional<Outcome> outcome = runner_.next();
    if (!outcome) break;
    if (same_failure(*outcome)) ++failures;
  }
  return failures;
}

/// The smallest schedule that fails in the same way takes the place of the one that was found, if
/// there is one and it does so every time.
void Explorer::shrink() {
  shrink_until_ = Clock::now() + kShrinkTime;
  Trial recorded = finding_->trial;
  recorded.record = folder_.file("found");
  const std::optional<Outcome> again = runner_.run(recorded);
  if (!again || !same_failure(*again)) return;
  const Record record = read_record(recorded.record);
  const Departures smallest = minimise(
      record.lines, [&](const std::vector<Departures>& lists) { return first_failing(lists); });
  Trial trial = finding_->trial;
  trial.strategy = strategy_for(smallest, "smallest");
  trial.record = folder_.file("smallest-record");
  const std::optional<Outcome> last = runner_.run(trial);
  if (!last || !same_failure(*last)) return;
  const Record last_record = read_record(trial.record);
  trial.record.clear();
  if (count_failures(trial, kConfirmations) != kConfirmations) return;
  finding_->trial.strategy = "lazy";
  if (last_record.lines.empty()) {
    fmt::print(
        "it fails in the plain order: the host as far as it can go, then stream by stream\n");
    return;
  }
  fmt::print("shrunk in {} runs: departures from the plain order, {} of {}\n", shrink_runs_,
             last_record.lines.size(), record.lines.size());
  print_departures(last_record);
  std::string list;
  for (const std::string& line : last_record.lines) {
    list += (list.empty() ? "" : ",") + departure_of(line);
  }
  finding_->trial.strategy =
      "replay:" + (list.size() <= kInlineLength ? list : "@" + keep_file(last_record.lines));
}

void Explorer::print_departures(const Record& smallest) const {
  for (std::size_t i = 0; i < std::min(smallest.lines.size(), kShownLines); ++i) {
    fmt::print("  {}\n", smallest.lines[i]);
  }
  if (smallest.lines.size() > kShownLines) {
    fmt::print("  ... and {} more\n", smallest.lines.size() - kShownLines);
  }
}

/// A list that is too long for a command line stays in the current folder.
std::string Explorer::keep_file(const Departures& departures) const {
  const std::string path = fmt::format("aclsim-explore-{}.decisions", finding_->trial.seed);
  std::ofstream file(path, std::ios::trunc);
  for (const std::string& line : departures) file << line << "\n";
  return path;
}

std::string Explorer::reproducing_command(const Trial& trial) {
  std::string command = own_settings() + "aclsim run ";
  for (const std::string& option : options_.run_options) command += quoted(option) + " ";
  if (finding_->what.starts_with("hang")) command += "--watchdog 2 ";
  command += fmt::format("--seed {} --strategy {} --", trial.seed, quoted(trial.strategy));
  for (const std::string& word : options_.program) command += " " + quoted(word);
  return command;
}

int Explorer::report() {
  const Finding& found = *finding_;
  fmt::print("run {} failed: {} (seed {}, strategy {})\n", found.run, found.what, found.trial.seed,
             found.trial.strategy);
  print_tail(found.outcome.out + found.outcome.err);
  if (options_.shrink) shrink();
  if (runner_.interrupted()) return kFailed;
  const int times = options_.shrink ? kConfirmations : 1;
  const int failures = count_failures(finding_->trial, times);
  if (failures < times) {
    fmt::print("reproduced {} times of {}: not all that happens is decided by the schedule\n",
               failures, times);
  } else if (options_.shrink) {
    fmt::print("reproduced {} times of {}\n", failures, times);
  }
  fmt::print("reproduce: {}\n", reproducing_command(finding_->trial));
  return kFailed;
}

}  // namespace aclsim
