// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "device_sim/base/files.h"
#include "device_sim/sharing/lost_output.h"
#include "tools/aclsim/options/run_options.h"
#include "tools/aclsim/options/usage_error.h"
#include "tools/aclsim/output/colour.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/run/check_run.h"
#include "tools/aclsim/run/end_guard.h"
#include "tools/aclsim/run/job_run.h"
#include "tools/aclsim/run/process.h"
#include "tools/aclsim/run/recording.h"
#include "tools/aclsim/run/timeline_marks.h"
#include "tools/aclsim/verbs/commands.h"
#include "tools/launch/hosts.h"

namespace aclsim {
namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& path) { return fs::absolute(path).string(); }

// ---- the timeline ----

/// Empties the file, so that it contains no data of an earlier run. If it cannot be written, prints
/// the reason and returns false.
bool clear_timeline(const std::string& path) {
  const int error = sim::clear_output(path);
  if (error == 0) return true;
  complain(fmt::format("run: --timeline: '{}' cannot be written ({}); expected the path of a file",
                       path, sim::output_error(error)));
  return false;
}

/// `lost`: an output could not be written, which has been reported.
void report_timeline(const std::string& path, bool lost, bool killed) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) return;  // a device or a pipe cannot be read back
  if (size == 0) {
    fs::remove(path, error);
    if (!lost) complain("run: " + nothing_written("timeline", killed));
    return;
  }
  std::size_t slices = 0;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    // Each line is one event; a name cannot contain these quotes.
    if (line.find(R"("cat":"device")") != std::string::npos) ++slices;
  }
  const std::string text = slices == 0   ? "no device slice: the program enqueued no operation"
                           : slices == 1 ? "1 device slice"
                                         : fmt::format("{} device slices", slices);
  if (slices != 0 || !lost) complain(fmt::format("run: timeline {}: {}", path, text));
}

/// Reports the files that the program has written. Returns false if one is incomplete.
bool report_outputs(const std::string& timeline, std::optional<Recording>& recording,
                    RunInbox& inbox, int code) {
  const bool killed = code > 128;
  const auto& lost = inbox.lost_output();
  for (const std::string& one : lost) complain("run: not complete: " + one);
  if (!timeline.empty()) report_timeline(timeline, !lost.empty(), killed);
  if (!recording) return lost.empty();
  const Recording::End end = recording->finish(killed);
  if (!end.nothing || lost.empty()) complain("run: " + end.text);
  return end.complete && lost.empty();
}

/// Reports the faults that fired on no rank. Each rank reports the faults that fired in it.
void report_faults(const RunInbox& inbox) {
  std::size_t number = 0;
  for (const RunInbox::FaultTally& fault : inbox.faults()) {
    ++number;
    if (fault.fired != 0) continue;
    const std::string matches = fault.matches == 0 ? "never matched"
                                : fault.matches == 1
                                    ? "matched once"
                                    : fmt::format("matched {} times", fault.matches);
    complain(fmt::format("run: fault {} ({}): NEVER FIRED on any rank; {}", number, fault.text,
                         matches));
  }
}

// ---- the check ----

/// The reason why the file cannot be written, as far as it can be known in advance; else empty.
std::string obstacle(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return std::strerror(EISDIR);
  const bool there = fs::exists(path, error);
  const std::string observed = there ? path : fs::path(absolute(path)).parent_path().string();
  return ::access(observed.c_str(), there ? W_OK : W_OK | X_OK) == 0 ? "" : std::strerror(errno);
}

/// Prints the reason and returns false if a report cannot be written.
bool can_report(const RunOptions& run) {
  for (const std::string& file : run.reports) {
    const std::string wrong = obstacle(file);
    if (wrong.empty()) continue;
    complain(
        fmt::format("run: --report: '{}' cannot be written ({}); expected the path of "
                    "a file",
                    file, wrong));
    return false;
  }
  return true;
}

void print_findings(const std::string& text) { tell(paint_findings(text, STDERR_FILENO)); }

/// Prints the findings of processes that ended before they wrote their report.
void report_unfinished(const CheckResult& result) {
  for (const Unfinished& one : result.unfinished) {
    complain(fmt::format("run: check: {} ended before its report was complete; found until then:",
                         result.processes == 1 ? "the program" : one.name));
    order::Report report = one.report;
    for (auto& finding : report.findings) finding.process.clear();  // the heading names it
    print_findings(to_text(report));
  }
}

/// Prints the findings between processes, and writes the joined reports of all processes. Returns
/// false if a report cannot be written.
bool report_across_processes(const RunOptions& run, const CheckResult& result) {
  const order::Report& between = result.across_processes;
  if ((!between.findings.empty() || !between.not_checked.empty()) && !run.quiet)
    print_findings(to_text(result.across_processes));
  if (result.processes == 0 || run.reports.empty()) return true;
  const std::string wrong = write_joined(result, run.reports, *order::level_of(run.fail_on));
  if (!wrong.empty()) complain("run: --report: " + wrong);
  return wrong.empty();
}

/// Prints the finding to fix first, for readers who see only the end of a log: it may be the cause
/// of others.
void say_what_to_change(const order::Report& all, order::Level fail_on) {
  if (all.findings.size() < 2) return;
  const auto first = std::find_if(all.findings.begin(), all.findings.end(),
                                  [&](const auto& finding) { return finding.level >= fail_on; });
  const bool caused = first->cause && first->cause->number != 0;
  const order::PlacedFinding finding =
      from_here(caused ? all.findings[first->cause->number - 1] : *first);
  const std::string where = position(finding.op_info.place);
  complain(fmt::format("run: check: fix first: {}{}: {}; fix: {}", title(finding),
                       where.empty() ? "" : " at " + where, message(finding), repair(finding)));
}

bool has_other_hosts(const RunOptions& run) {
  return !run.hosts.empty() &&
         launch::parse_hosts(sim::read_file(run.hosts, sim::kMostText)).size() > 1;
}

/// Prints the last line and returns the exit code: the program's exit code if it is not 0, else the
/// exit code of the check.
int report_check(const RunOptions& run, RunInbox& inbox, int code, bool complete) {
  const CheckResult result = inbox.result(run.suppressions, has_other_hosts(run));
  if (const std::string* const timeline = run.given("--timeline");
      timeline && result.processes == 1) {
    if (const std::size_t marks = mark_findings(absolute(*timeline), result.all)) {
      complain(fmt::format("run: timeline {}: {} finding{}, in red", *timeline, marks,
                           marks == 1 ? "" : "s"));
    }
  }
  if (!run.quiet) report_unfinished(result);
  const bool written = report_across_processes(run, result) && complete;
  const order::Report& all = result.processes != 0 ? result.all : result.across_processes;
  if (result.processes == 0 && all.findings.empty()) {
    if (code == 0 && !complete) code = kFailed;
    complain(fmt::format("run: check: no report: {} (exit code {})",
                         result.began ? "the program ended before its report was complete; "
                                        "nothing was found until then"
                                      : "the program made no ACL call",
                         code));
    return code;
  }
  const std::string found = verdict_text(all);
  const bool fails = all.at_least(*order::level_of(run.fail_on)) != 0;
  if (fails) say_what_to_change(all, *order::level_of(run.fail_on));
  if (result.hung && code == kDeadlock) {
    complain(fmt::format("run: check: {}; exit code {}: the program hangs", found, code));
    return code;
  }
  if (code != 0) {
    complain(fmt::format("run: check: {}; exit code {} is the program's own", found, code));
    return code;
  }
  const std::string why = fails     ? "findings"
                          : written ? "nothing"
                                    : "a file cannot be written, nothing";
  complain(fmt::format("run: check: {}; exit code {}: {} at {} or above", found,
                       fails || !written ? 1 : 0, why, run.fail_on));
  return fails || !written ? kFailed : kOk;
}

// ---- the verb ----

/// Runs the program; returns its exit code, or the exit code of the rank that failed first.
int run_watched(const RunOptions& run, RunInbox& inbox, const std::string& timeline) {
  const EndGuard guard(sim::kRunMark, inbox.address());
  std::optional<StuckWatch> watch;
  if (run.check && !run.quiet) watch.emplace(inbox, run.suppressions);
  if (run.ranks != 0) return run_job(run, timeline);
  set_launcher_variables();
  return run_program(run.program);
}

int run(const RunOptions& run) {
  if (const std::string wrong = run.misuse(); !wrong.empty()) {
    complain("run: " + wrong);
    return kUsage;
  }
  const std::string* const timeline = run.given("--timeline");
  if (timeline && !clear_timeline(*timeline)) return kUsage;
  const std::string timeline_path = timeline ? absolute(*timeline) : std::string();
  std::optional<Recording> recording;
  if (const std::string* const record = run.given("--record")) {
    recording.emplace(absolute(*record));
    if (const std::string wrong = recording->prepare(); !wrong.empty()) {
      complain("run: --record: " + wrong);
      return kUsage;
    }
  }
  if (!can_report(run)) return kUsage;
  set_environment(run);
  if (recording) ::setenv("ACLSIM_RECORD", recording->pattern().c_str(), 1);
  RunInbox inbox;
  if (run.check) set_check_environment(run, inbox);
  const int code = run_watched(run, inbox, timeline_path);
  const bool complete = report_outputs(timeline_path, recording, inbox, code);
  report_faults(inbox);
  if (run.check) return report_check(run, inbox, code, complete);
  if (complete || code != 0) return code;
  complain("run: exit code 1: a file cannot be written");
  return kFailed;
}

constexpr const char* kRunFooter =
    "aclsim run returns the exit code of the program; 128 + n if signal n ended it, 127 if it "
    "does\n"
    "not exist, 126 if it cannot be executed, 2 for a wrong option. With --check it returns 1 if "
    "the\n"
    "program returns 0 and there are findings, also if the program ends early; the last line "
    "states\n"
    "the reason. With --ranks it returns the exit code of the rank that failed first.\n"
    "If aclsim run itself is killed (SIGKILL), the program and all processes that it has started\n"
    "are killed too.\n"
    "A fault has a kind, a place and a time: --fault kernel,device=1,nth=3 lets the third kernel\n"
    "of device 1 fail. At exit, aclsim reports which faults fired.\n"
    "  kinds   call, task, alloc, no-event, no-stream, no-notify, kernel, slow, stuck,\n"
    "          notify-timeout, link-down, link-slow, ecc, device-lost,\n"
    "          callback-dies, process-dies\n"
    "  where   device=N, peer=N, stream=N, call=FUNCTION, name=KERNEL (both with *), "
    "op=copy|fill|\n"
    "          kernel|callback|wait|notify-wait|collective|other\n"
    "  when    nth=N (default: nth=1), every=N, from=N, times=N, probability=P, seed=S\n"
    "  what    code=N replaces the error code of the kind, delay=TIME for slow and link-slow "
    "(20ms)\n"
    "Example:\n  aclsim run --devices 2 --seed 7 --timeline run.json -- ./a.out --size 64\n"
    "  aclsim run --record run.aclt.jsonl -- ./a.out && aclsim info run.aclt.jsonl";

}  // namespace

void add_run(CLI::App& app, Verb& chosen, const std::vector<std::string>& program) {
  CLI::App* const verb = app.add_subcommand("run", "Run a program on the emulated machine");
  verb->footer(kRunFooter);
  const auto options = std::make_shared<RunOptions>();
  add_run_options(*verb, *options);
  verb->prefix_command();  // the program begins at the first argument that is not an option
  verb->callback([=, &chosen] {
    options->program = verb->remaining();
    if (!options->program.empty() && options->program[0].starts_with('-')) {
      options->unknown_option = no_such_option(*verb, options->program[0]);
    }
    if (!options->program.empty() && !program.empty()) options->program.emplace_back("--");
    options->program.insert(options->program.end(), program.begin(), program.end());
    chosen = [options] { return run(*options); };
  });
}

}  // namespace aclsim
