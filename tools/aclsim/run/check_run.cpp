// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/run/check_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <tuple>
#include <utility>

#include "device_sim/base/error.h"
#include "device_sim/base/files.h"
#include "device_sim/base/thread.h"
#include "device_sim/sharing/lost_output.h"
#include "runtime/order/repairs/fixes.h"
#include "runtime/order/report/suppressions.h"
#include "tools/aclsim/output/colour.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/run/findings_file.h"

namespace aclsim {

namespace fs = std::filesystem;

std::string in_format_of(const std::string& file, const order::Report& report,
                         order::Level fail_on) {
  const std::string ending = fs::path(file).extension().string();
  if (ending == ".json") return to_json(order::with_fixes(report));
  if (ending == ".sarif") return to_sarif(order::with_fixes(report));
  if (ending == ".xml") return to_junit(report, fail_on);
  return to_text(report);
}

namespace {

constexpr std::size_t kMostLog = std::size_t{4000} << 20;

order::Report without_expected(std::vector<order::PlacedFinding> findings,
                               const std::string& suppressions) {
  order::Report report;
  report.findings = std::move(findings);
  if (suppressions.empty()) return report;
  order::Suppressions lines;
  lines.add_file(suppressions);
  lines.apply(report);
  return report;
}

}  // namespace

// The thread blocks all signals: the thread that waits for the program also waits for signals.
StuckWatch::StuckWatch(RunInbox& inbox, const std::string& suppressions) {
  try {
    thread_ = sim::start_thread(sim::Signals::blocked,
                                [this, &inbox, suppressions] { watch(inbox, suppressions); });
  } catch (const sim::MachineError&) {  // deadlocks are then reported only at the end
  }
}

StuckWatch::~StuckWatch() {
  {
    const sim::LockGuard guard(mutex_);
    ended_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

// Errors are ignored here; result() reads the same mail at the end and reports them.
void StuckWatch::watch(RunInbox& inbox, const std::string& suppressions) try {
  constexpr std::chrono::milliseconds kPause(200);
  std::set<std::string> told;
  sim::UniqueLock lock(mutex_);
  while (!changed_.wait_for(lock, kPause, [this]() REQUIRES(mutex_) { return ended_; })) {
    for (const order::PlacedFinding& finding : inbox.stuck(suppressions).findings) {
      const std::string text = to_text(from_here(finding));
      if (!told.insert(text).second) continue;
      tell(paint_findings(text + "\n", STDERR_FILENO));
    }
  }
} catch (const std::exception&) {
}

// ---- what the processes send ----

void RunInbox::take(bool last) {
  for (sim::Mail& mail : mailbox_.take(last)) take_in(std::move(mail));
}

// A mail may be cut off because its process was killed. The received part of a log counts, since a
// log consists of lines; findings and reports count only if they are complete.
void RunInbox::take_in(sim::Mail mail) {
  if (mail.kind != static_cast<std::uint32_t>(order::GroupMail::blocked)) ++progress_;
  if (mail.kind == sim::kLostOutputMail) {
    lost_.insert(std::move(mail.bytes));
    return;
  }
  if (mail.kind == sim::kFaultsMail) return take_faults(mail.bytes);
  if (mail.kind == sim::kRankMail) {
    ranks_[mail.process] = std::move(mail.bytes);
    return;
  }
  switch (static_cast<order::GroupMail>(mail.kind)) {
    case order::GroupMail::log: {
      Log& log = logs_[mail.process];
      if (std::exchange(log.instance, mail.instance) != mail.instance) log.text.clear();
      if (log.text.size() + mail.bytes.size() > kMostLog) {
        throw std::runtime_error(
            fmt::format("process {} shares too much: its log has more than {} MiB", mail.process,
                        kMostLog >> 20));
      }
      log.text += mail.bytes;
      break;
    }
    case order::GroupMail::found:
      if (mail.whole) found_[{mail.process, mail.instance}].push_back(std::move(mail.bytes));
      break;
    case order::GroupMail::forget:
      found_.erase({mail.process, mail.instance});
      break;
    case order::GroupMail::report:
      if (mail.whole) reports_[mail.process] = std::move(mail.bytes);
      break;
    case order::GroupMail::began:
      began_ = true;
      break;
    case order::GroupMail::blocked:
      if (mail.whole) blocked_[mail.process] = std::move(mail.bytes);
      break;
    case order::GroupMail::hung:
      hung_ = true;
      break;
  }
}

// All ranks have the same faults, so the index identifies a fault.
void RunInbox::take_faults(const std::string& lines) {
  std::istringstream all(lines);
  std::size_t index = 0;
  for (std::string line; std::getline(all, line); ++index) {
    FaultTally one;
    std::istringstream words(line);
    words >> one.fired >> one.matches >> std::ws;
    std::getline(words, one.text);
    if (index == faults_.size()) {
      faults_.push_back(one);
    } else if (faults_[index].text == one.text) {
      faults_[index].fired += one.fired;
      faults_[index].matches += one.matches;
    }
  }
}

/// "4711", "rank 3", or "rank 3, process 4711" if the rank has several processes.
std::string RunInbox::name_of(pid_t process) const {
  const std::string number = std::to_string(process);
  const auto rank = ranks_.find(process);
  if (rank == ranks_.end()) return number;
  const auto same = std::count_if(ranks_.begin(), ranks_.end(),
                                  [&](const auto& other) { return other.second == rank->second; });
  return "rank " + rank->second + (same > 1 ? ", process " + number : "");
}

const std::set<std::string>& RunInbox::lost_output() {
  take(true);
  return lost_;
}

std::vector<order::ProcessLog> RunInbox::logs() const {
  std::vector<order::ProcessLog> logs;
  for (const auto& [process, log] : logs_) {
    logs.push_back(order::read_log(log.text));
    logs.back().name = name_of(process);
  }
  return logs;
}

// Two calls that see the same state: no process has made progress between them. The lists of
// waiting threads are no progress.
order::Report RunInbox::stuck(const std::string& suppressions) {
  take(false);
  if (std::exchange(looked_at_, progress_) != progress_) {
    looked_ = false;
    return {};
  }
  if (logs_.empty() || std::exchange(looked_, true)) return {};
  return without_expected(order::deadlocks_across_processes(logs()), suppressions);
}

// A process that waited when it was ended is here even if nothing was found in it.
std::vector<Unfinished> RunInbox::unfinished(const std::string& suppressions) const {
  auto processes = found_;
  for (const auto& [process, lines] : blocked_) {
    const auto same = [&, process = process](const auto& of) { return of.first.first == process; };
    const bool known = std::any_of(processes.begin(), processes.end(), same);
    if (!lines.empty() && !known && !reports_.contains(process)) processes[{process, 0}];
  }
  std::vector<Unfinished> all;
  for (const auto& [of, texts] : processes) {
    order::Report early;
    for (const std::string& text : texts) {
      order::Report one = read_findings(text);
      std::move(one.findings.begin(), one.findings.end(), std::back_inserter(early.findings));
    }
    add_lines(early);
    const std::string name = name_of(of.first), number = std::to_string(of.first);
    Unfinished one{number, name == number ? "process " + number : name,
                   without_expected(std::move(early.findings), suppressions)};
    one.report.version = ACLSIM_VERSION;
    for (auto& finding : one.report.findings) finding.process = name;
    if (const auto waits = blocked_.find(of.first); waits != blocked_.end()) {
      std::istringstream lines(waits->second);
      for (std::string line; std::getline(lines, line);) {
        one.report.facts.emplace_back(order::kBlockedFact, line);
      }
    }
    arrange(one.report);
    all.push_back(std::move(one));
  }
  return all;
}

namespace {

using Side = std::pair<std::string, std::string>;  // operation, source locations

std::string positions(const order::Place& place) {
  std::string text = order::position(place);
  for (const order::Place& caller : place.callers) text += " " + positions(caller);
  return text;
}

Side side_of(const order::PlacedOp& op) { return {op.what, positions(op.place)}; }

std::string names_of(const std::set<std::string>& processes) {
  constexpr std::size_t kMostNames = 4;
  if (processes.size() <= kMostNames) return fmt::format("{}", fmt::join(processes, ", "));
  return fmt::format("{} and {} others", *processes.begin(), processes.size() - 1);
}

/// Ranks that run one program make the same mistakes: merges equal findings into one that names all
/// ranks.
void merge_ranks(order::Report& report) {
  using Key = std::tuple<order::Rule, order::Level, std::string, Side, Side>;
  std::map<Key, std::size_t> first;
  std::map<std::size_t, std::set<std::string>> processes;
  std::vector<order::PlacedFinding> merged;
  for (order::PlacedFinding& finding : report.findings) {
    Side it = side_of(finding.op_info);
    Side other = finding.other ? side_of(*finding.other) : Side();
    if (finding.rule == order::Rule::race && other < it) std::swap(it, other);
    Key key{finding.rule, finding.level, finding.title, std::move(it), std::move(other)};
    const bool own = !finding.process.empty();  // else it is a finding between processes
    const auto [at, added] =
        own ? first.try_emplace(std::move(key), merged.size()) : std::pair(first.end(), true);
    const std::size_t index = added ? merged.size() : at->second;
    if (own) processes[index].insert(finding.process);
    if (added) {
      merged.push_back(std::move(finding));
    } else {
      merged[index].times += finding.times;
      merged[index].both_ways |=
          finding.both_ways || side_of(merged[index].op_info) != side_of(finding.op_info);
    }
  }
  for (const auto& [index, names] : processes) merged[index].process = names_of(names);
  report.findings = std::move(merged);
}

}  // namespace

/// The lines about waiting threads name their process if there may be several.
void RunInbox::name_blocked(order::Report& report, const std::string& process) const {
  if (reports_.size() + blocked_.size() < 2) return;
  for (auto& [name, line] : report.facts) {
    if (name == order::kBlockedFact) line = fmt::format("{}, {}", process, line);
  }
}

CheckResult RunInbox::result(const std::string& suppressions, bool several_hosts) {
  take(true);
  CheckResult result;
  std::vector<order::Report> reports;
  for (const auto& [process, text] : reports_) {
    reports.push_back(read_findings(text));
    for (auto& finding : reports.back().findings) finding.process = name_of(process);
    name_blocked(reports.back(), name_of(process));
    if (reports_.size() == 1) continue;
    for (auto& [name, text_of_fact] : reports.back().facts) {
      if (name != order::kBlockedFact) name += " in " + name_of(process);
    }
  }
  result.began = began_;
  result.hung = hung_;
  result.unfinished = unfinished(suppressions);
  for (const Unfinished& one : result.unfinished) {
    reports.push_back(one.report);
    name_blocked(reports.back(), one.name);
  }
  result.processes = reports.size();
  if (reports.size() == 1) {
    for (auto& finding : reports.back().findings) finding.process.clear();
  }
  order::AcrossProcesses across = order::check_across_processes(logs());
  result.across_processes = without_expected(std::move(across.findings), suppressions);
  if (across.withheld != 0) {
    result.across_processes.not_checked = {order::withheld_text(across.withheld)};
  }
  if (several_hosts) {
    result.across_processes.not_checked.emplace_back(
        "races between processes of different hosts: each host sees only its own processes");
  }
  if (result.processes != 0) reports.push_back(result.across_processes);
  result.all = join(std::move(reports));
  if (!ranks_.empty()) merge_ranks(result.all);
  arrange(result.all);
  return result;
}

namespace {

std::string with_process(std::string path, const std::string& process) {
  for (std::size_t at = 0; (at = path.find("%p", at)) != std::string::npos; at += process.size()) {
    path.replace(at, 2, process);
  }
  return path;
}

/// A file and its contents.
struct Target {
  std::string path;
  const order::Report* report;
};

std::vector<Target> targets_of(const CheckResult& result, const std::string& name) {
  if (name.find("%p") == std::string::npos) {
    // If the path is not a regular file, the processes have already written their reports to it.
    std::error_code error;
    const bool has_it = result.processes != result.unfinished.size() && fs::exists(name, error) &&
                        !fs::is_regular_file(name, error);
    return has_it ? std::vector<Target>{} : std::vector<Target>{{name, &result.all}};
  }
  std::vector<Target> targets;  // a process that ended normally has written its own file
  if (!result.across_processes.findings.empty() || !result.across_processes.not_checked.empty()) {
    targets.push_back({with_process(name, "between"), &result.across_processes});
  }
  for (const Unfinished& one : result.unfinished) {
    targets.push_back({with_process(name, one.process), &one.report});
  }
  return targets;
}

}  // namespace

std::string write_joined(const CheckResult& result, const std::vector<std::string>& files,
                         order::Level fail_on) {
  std::string wrong;
  for (const std::string& name : files) {
    for (const Target& target : targets_of(result, name)) {
      const std::string text = in_format_of(target.path, *target.report, fail_on);
      const int error = sim::write_file(target.path, text);
      if (error == 0) continue;
      wrong += fmt::format("{}{} cannot be written ({})", wrong.empty() ? "" : ", ", target.path,
                           sim::output_error(error));
    }
  }
  return wrong;
}

}  // namespace aclsim
