// SPDX-License-Identifier: Apache-2.0
// Minimises, confirms and reports a finding.
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "device_sim/base/files.h"
#include "device_sim/sharing/lost_output.h"
#include "tools/aclsim/explore/explorer.h"
#include "tools/aclsim/explore/minimise.h"
#include "tools/aclsim/output/colour.h"
#include "tools/aclsim/run/end_guard.h"
#include "tools/aclsim/verbs/commands.h"

extern char** environ;

namespace aclsim {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kShrinkTime = std::chrono::seconds(30);
constexpr double kLeastTry_s = 2;  // timeout of a run while minimising
constexpr int kConfirmations = 10;
constexpr int kHangConfirmations = 2;  // each lasts until the timeout of a run
constexpr int kLeastConfirmations = 2;
constexpr auto kConfirmTime = std::chrono::seconds(10);  // no confirmation is started later
constexpr std::size_t kInlineLength = 200;  // longest list of departures on a command line
constexpr std::size_t kShownLines = 12;
constexpr std::size_t kShownOfLine = 300;
constexpr std::size_t kTail = std::size_t{1} << 16;

std::string departure_of(const std::string& line) { return line.substr(0, line.find(' ')); }

/// Quoted so that a shell reads it as one word.
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

/// The emulator's variables in the environment of this process, which a repetition needs too.
std::string own_settings() {
  std::string text;
  for (char** variable = environ; *variable; ++variable) {
    const std::string setting = *variable;
    const std::string name = setting.substr(0, setting.find('='));
    if (!name.starts_with("ACLSIM_") && name != "ASCEND_RT_VISIBLE_DEVICES") continue;
    if (name == "ACLSIM_SCHEDULE" || name == "ACLSIM_SEED" || name == "ACLSIM_STRATEGY" ||
        name == "ACLSIM_DECISIONS" || name == "ACLSIM_WATCHDOG" || name == sim::kRunMark ||
        name == kExploreMark || name == "ACLSIM_CHECK_PROCESS_GROUP") {
      continue;
    }
    text += name + "=" + quoted(setting.substr(name.size() + 1)) + " ";
  }
  return text;
}

bool write_lines(const std::string& path, const std::vector<std::string>& lines) {
  return sim::write_file(path, fmt::format("{}\n", fmt::join(lines, "\n"))) == 0;
}

}  // namespace

std::string Explorer::strategy_for(const Departures& departures, const std::string& name) {
  if (departures.empty()) return "lazy";
  const std::string path = files_.file(name);
  std::string text;
  for (const std::string& line : departures) text += departure_of(line) + "\n";
  if (const int error = sim::write_file(path, text)) {
    throw std::runtime_error(
        fmt::format("a schedule cannot be kept ({})", sim::output_error(error)));
  }
  return "replay:@" + path;
}

/// The callback of minimise(): tries all lists, as many at a time as there are jobs.
std::optional<std::size_t> Explorer::first_failing(const std::vector<Departures>& lists) {
  std::optional<std::size_t> found;
  std::size_t next = 0;
  for (;;) {
    while (!found && runner_.has_room() && next < lists.size() && Clock::now() < shrink_until_ &&
           !time_is_up()) {
      Trial trial = finding_->trial;
      trial.tag = next;
      trial.strategy = strategy_for(lists[next], fmt::format("try-{}", next));
      runner_.start(trial);
      ++next;
    }
    const std::optional<Outcome> outcome = runner_.next();
    if (!outcome) break;
    files_.drop(fmt::format("try-{}", outcome->tag));
    ++shrink_runs_;
    if (!same_failure(*outcome) || (found && *found < outcome->tag)) continue;
    found = outcome->tag;
    runner_.drop_above(*found);
  }
  return found;
}

/// Runs the trial as the printed command will, as a newly loaded process. Ten times, unless that
/// takes too long.
Explorer::Confirmed Explorer::confirm(Trial trial) {
  trial.fresh = true;
  trial.record.clear();
  const int most = is_hang() ? kHangConfirmations : kConfirmations;
  const Clock::time_point until = Clock::now() + kConfirmTime;
  Confirmed confirmed;
  for (int started = 0;;) {
    while (runner_.has_room() && started < most && !time_is_up() &&
           (started < kLeastConfirmations || Clock::now() < until)) {
      runner_.start(trial);
      ++started;
    }
    const std::optional<Outcome> outcome = runner_.next();
    if (!outcome) return confirmed;
    ++confirmed.times;
    if (same_failure(*outcome)) ++confirmed.failures;
    confirmed.seconds = std::max(confirmed.seconds, outcome->seconds);
  }
}

/// The smallest schedule that fails in the same way; nullopt if none was found.
std::optional<Explorer::Smallest> Explorer::shrink() {
  if (!again_) return {};
  const bool timed_out = finding_->outcome.timed_out;
  if (timed_out && slowest_s_ == 0) {
    say(fmt::format("not shrunk: no run has ended, so each try would take {}",
                    in_seconds(limit_s_)));
    return {};
  }
  // A run that ends takes about as long as earlier runs, so a short timeout suffices.
  const double usual_s = std::max(slowest_s_, timed_out ? 0 : finding_->outcome.seconds);
  const std::chrono::duration<double> limit(limit_s_);
  runner_.set_timeout(
      std::min(limit, std::chrono::duration<double>(std::max(kLeastTry_s, 20 * usual_s))));
  shrink_until_ = Clock::now() + kShrinkTime;
  const Record record = read_record(files_.file("found"));
  const Departures smallest = minimise(
      record.lines, [&](const std::vector<Departures>& lists) { return first_failing(lists); });
  Smallest result{finding_->trial, {}, record.lines.size()};
  runner_.set_timeout(limit);
  result.trial.strategy = "lazy";
  if (smallest.empty()) return result;
  if (time_is_up()) return {};
  result.trial.strategy = strategy_for(smallest, "smallest");
  result.trial.record = files_.file("smallest-record");
  const std::optional<Outcome> last = runner_.run(result.trial);
  if (!last || !same_failure(*last)) return {};
  result.record = read_record(result.trial.record);
  result.trial.strategy = strategy_for(result.record.lines, "smallest");
  return result;
}

void Explorer::tell_smallest(const Smallest& smallest) {
  finding_->trial.strategy = "lazy";
  if (smallest.record.lines.empty()) {
    say("the program fails in the plain order: the host runs as far as it can, then stream by "
        "stream");
    return;
  }
  say(fmt::format("shrunk in {} runs: departures from the plain order, {} of {}", shrink_runs_,
                  smallest.record.lines.size(), smallest.lines_before));
  say_departures(smallest.record);
  finding_->trial.strategy = kept_strategy(finding_->trial, smallest.record.lines);
}

void Explorer::say_departures(const Record& smallest) {
  departures_ = smallest.lines;
  for (std::size_t i = 0; i < std::min(smallest.lines.size(), kShownLines); ++i) {
    say("  " + in_words(smallest.lines[i]));
  }
  if (smallest.lines.size() > kShownLines) {
    say(fmt::format("  ... and {} more", smallest.lines.size() - kShownLines));
  }
}

void Explorer::say_tail(const Outcome& outcome) {
  std::istringstream tail(outcome.out->tail(kTail) + outcome.err->tail(kTail));
  std::vector<std::string> lines;
  for (std::string line; std::getline(tail, line);) lines.push_back(line.substr(0, kShownOfLine));
  const std::size_t from = lines.size() > kShownLines ? lines.size() - kShownLines : 0;
  const std::uint64_t all = outcome.out->lines() + outcome.err->lines();
  const std::uint64_t shown = lines.size() - from;
  if (all > shown) say(fmt::format("  | ... {} lines before", all - shown));
  for (std::size_t i = from; i < lines.size(); ++i)
    say("  | " + paint_findings(lines[i], STDOUT_FILENO));
}

/// Writes a list that is too long for a command line to a file, in the current folder if possible.
std::string Explorer::kept_strategy(const Trial& trial, const Departures& departures) {
  std::string list;
  for (const std::string& line : departures) list += (list.empty() ? "" : ",") + departure_of(line);
  if (list.size() <= kInlineLength) return "replay:" + list;
  const std::string name = fmt::format("aclsim-explore-{}.decisions", trial.seed);
  std::error_code ignored;
  const auto here = std::filesystem::current_path(ignored) / name;
  if (here.is_absolute() && write_lines(here.string(), departures)) {
    return "replay:@" + here.string();
  }
  const auto elsewhere = std::filesystem::temp_directory_path(ignored) / name;
  say(fmt::format("{} cannot be written in the current folder", name));
  if (write_lines(elsewhere.string(), departures)) return "replay:@" + elsewhere.string();
  return "replay:" + list;
}

std::string Explorer::command_of(const Trial& trial) const {
  std::string command = own_settings() + "aclsim run ";
  for (const std::string& option : options_.run_options) command += quoted(option) + " ";
  if (is_hang()) command += fmt::format("--watchdog {} ", ::getenv("ACLSIM_WATCHDOG"));
  command += fmt::format("--seed {} --strategy {} --", trial.seed, quoted(trial.strategy));
  for (const std::string& word : options_.program) command += " " + quoted(word);
  return command;
}

void Explorer::say_confirmed(const Confirmed& confirmed) {
  if (confirmed.times == 0 && time_is_up()) {
    return say("not repeated: the budget is used up");
  }
  std::string text = fmt::format("reproduced {} times of {}", confirmed.failures, confirmed.times);
  if (!confirmed.all()) text += ": the schedule does not decide everything";
  if (confirmed.times < kConfirmations) {
    text += fmt::format(" (not {} times: a run takes {})", kConfirmations,
                        in_seconds(confirmed.seconds));
  }
  say(text);
}

int Explorer::report() {
  const Finding& found = *finding_;
  say(fmt::format("run {} {}: {} (seed {}, strategy {})", found.run,
                  paint("failed", Colour::red, STDOUT_FILENO), found.what, found.trial.seed,
                  found.trial.strategy));
  say_tail(found.outcome);
  if (runner_.interrupted()) return kFailed;
  if (options_.shrink) {
    const std::optional<Smallest> smallest = shrink();
    if (runner_.interrupted()) return kFailed;
    Confirmed confirmed = smallest ? confirm(smallest->trial) : Confirmed{};
    if (confirmed.all()) {
      tell_smallest(*smallest);
    } else if (!runner_.interrupted()) {
      confirmed = confirm(found.trial);
    }
    if (runner_.interrupted()) return kFailed;
    say_confirmed(confirmed);
  } else if (!again_ && time_is_up()) {
    say("not repeated: the budget is used up");
  } else if (!again_) {
    say("not reproduced by a second run: the schedule does not decide everything");
  }
  say_always("reproduce: " + command_of(found.trial));
  if (found.what.starts_with("output")) {
    say_always("compare its stdout with the stdout of: " + command_of(first_));
  }
  return kFailed;
}

}  // namespace aclsim
