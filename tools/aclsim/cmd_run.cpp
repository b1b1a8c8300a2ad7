// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
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

#include "tools/aclsim/check_run.h"
#include "tools/aclsim/checks.h"
#include "tools/aclsim/commands.h"
#include "tools/aclsim/environment.h"
#include "tools/aclsim/process.h"
#include "tools/aclsim/recording.h"

namespace aclsim {
namespace {

namespace fs = std::filesystem;

/// An option that becomes an environment variable of the program.
struct Setting {
  const char* option;
  const char* variable;
  const char* value_name;
  const char* help;
  Check check;
};

const std::vector<Setting>& settings() {
  static const std::vector<Setting> rows{
      {"--devices", "ACLSIM_DEVICES", "N", "number of devices", whole_number(0, 1024)},
      {"--seed", "ACLSIM_SEED", "S", "seed of the schedule; implies --schedule seeded",
       whole_number(0, UINT64_MAX)},
      {"--schedule", "ACLSIM_SCHEDULE", "KIND",
       "threads: real concurrency; seeded: one op at a time, the order decided by the seed",
       one_of({"threads", "seeded"})},
      {"--strategy", "ACLSIM_STRATEGY", "NAME",
       "how a seeded schedule chooses (docs/exploring.md): random, pct:DEPTH, round-robin,\n"
       "delays:COUNT, slow-copy, eager, lazy, replay:LIST; implies --schedule seeded",
       strategy()},
      {"--decisions", "ACLSIM_DECISIONS", "FILE",
       "write how a seeded schedule departs from the plain order; replay:@FILE repeats it",
       {}},
      {"--workers", "ACLSIM_WORKERS", "N", "workers per device", whole_number(1, 64)},
      {"--trace", "ACLSIM_TRACE", "FILE", "write a Chrome/Perfetto timeline of the run", {}},
      {"--record", "ACLSIM_RECORD", "FILE",
       "write the run as a trace that info, replay, check and plot read (docs/replay.md);\n"
       "compressed when FILE ends in .gz; %p in FILE becomes the process",
       {}},
      {"--config", "ACLSIM_CONFIG", "FILE", "configuration file (TOML)", readable_file()},
      {"--watchdog", "ACLSIM_WATCHDOG", "SECONDS",
       "report who waits for what when nothing moves for so long; 0: never",
       whole_number(0, 86'400)},
  };
  return rows;
}

struct RunOptions {
  std::vector<std::string> values = std::vector<std::string>(settings().size());
  std::vector<CLI::Option*> options;  // as settings()
  std::vector<std::string> faults;
  bool lenient = false;
  bool guard = false;
  bool check = false;
  std::string fail_on = "error";
  CLI::Option* fail_on_option = nullptr;
  std::vector<std::string> reports;
  std::string suppressions;
  std::vector<std::string> program;
  bool unknown_option = false;  // stands where the program should

  /// The option that only a seeded schedule has; null when there is none.
  const char* wants_seeded() const {
    return given("--seed") ? "--seed" : given("--strategy") ? "--strategy" : nullptr;
  }
  const std::string* given(const std::string& option) const {
    for (std::size_t i = 0; i < options.size(); ++i) {
      if (settings()[i].option == option && options[i]->count() != 0) return &values[i];
    }
    return nullptr;
  }
};

std::string absolute(const std::string& path) { return fs::absolute(path).string(); }

// ---- the environment ----

void set_environment(const RunOptions& run) {
  for (std::size_t i = 0; i < run.options.size(); ++i) {
    if (run.options[i]->count() == 0) continue;
    const std::string name = settings()[i].variable;
    if (name == "ACLSIM_STRATEGY") {
      ::setenv(name.c_str(), lasting_strategy(run.values[i]).c_str(), 1);
      continue;
    }
    const bool is_path = name == "ACLSIM_TRACE" || name == "ACLSIM_CONFIG" ||
                         name == "ACLSIM_DECISIONS" || name == "ACLSIM_RECORD";
    ::setenv(name.c_str(), (is_path ? absolute(run.values[i]) : run.values[i]).c_str(), 1);
  }
  if (!run.faults.empty()) {
    ::setenv("ACLSIM_FAULTS", fmt::format("{}", fmt::join(run.faults, ";")).c_str(), 1);
  }
  if (run.wants_seeded()) ::setenv("ACLSIM_SCHEDULE", "seeded", 1);
  if (run.lenient) ::setenv("ACLSIM_LENIENT", "1", 1);
  if (run.guard) ::setenv("ACLSIM_HOST_ACCESS", "guard", 1);
  use_own_libraries("run");
}

// ---- the trace ----

/// Empties the trace file, so that nothing of an earlier run is taken for this one's. False, and
/// the reason told, when it cannot be written.
bool clear_trace(const char* option, const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd >= 0) {
    ::close(fd);
    return true;
  }
  complain(fmt::format("run: {}: '{}' cannot be written ({}); expected the path of a file", option,
                       path, std::strerror(errno)));
  return false;
}

void report_trace(const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) return;  // a device or a pipe: nothing to read back
  if (size == 0) {
    fs::remove(path, error);
    complain("run: no trace: the program made no ACL call");
    return;
  }
  std::size_t slices = 0;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    // One event a line; a name cannot hold these quotes.
    if (line.find(R"("cat":"device")") != std::string::npos) ++slices;
  }
  const std::string text = slices == 0   ? "no device slice: the program put nothing on a stream"
                           : slices == 1 ? "1 device slice"
                                         : fmt::format("{} device slices", slices);
  complain(fmt::format("run: trace {}: {}", path, text));
}

// ---- the check ----

void set_check_environment(const RunOptions& run, const CheckFolder& folder) {
  std::string reports = folder.pattern();
  for (const std::string& file : run.reports) reports += "," + absolute(file);
  ::setenv("ACLSIM_CHECK", "1", 1);
  ::setenv("ACLSIM_CHECK_FAMILY", folder.family().c_str(), 1);
  ::setenv("ACLSIM_CHECK_REPORT", reports.c_str(), 1);
  if (!run.suppressions.empty()) {
    ::setenv("ACLSIM_CHECK_SUPPRESSIONS", absolute(run.suppressions).c_str(), 1);
  }
}

/// Why the file cannot be written; empty when it can, as far as that is known before.
std::string obstacle(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return std::strerror(EISDIR);
  const bool there = fs::exists(path, error);
  const std::string looked_at = there ? path : fs::path(absolute(path)).parent_path().string();
  return ::access(looked_at.c_str(), there ? W_OK : W_OK | X_OK) == 0 ? "" : std::strerror(errno);
}

/// False, and the reason told, when a report could not be written.
bool can_report(const RunOptions& run) {
  for (const std::string& file : run.reports) {
    const std::string wrong = obstacle(file);
    if (wrong.empty()) continue;
    complain(fmt::format("run: --check-report: '{}' cannot be written ({}); expected the path of "
                         "a file", file, wrong));
    return false;
  }
  return true;
}

/// What processes had found that did not come to their report.
void report_unfinished(const CheckResult& result) {
  for (const Unfinished& one : result.unfinished) {
    complain(fmt::format("run: check: {} ended before its report was complete; found until then:",
                         result.processes == 1 ? "the program" : "process " + one.process));
    order::Report report = one.report;
    for (auto& finding : report.findings) finding.process.clear();  // it stands above them
    fmt::print(stderr, "{}", to_text(report));
  }
}

/// Tells what the processes do to each other, and joins the files of all of them. False when one of
/// these cannot be written.
bool report_between(const RunOptions& run, const CheckResult& result) {
  if (!result.between.findings.empty()) fmt::print(stderr, "{}", to_text(result.between));
  if (result.processes == 0 || run.reports.empty()) return true;
  const std::string wrong = write_joined(result, run.reports, *order::level_of(run.fail_on));
  if (!wrong.empty()) complain("run: --check-report: " + wrong);
  return wrong.empty();
}

/// The last line, and the exit code: the program's own when that is not 0, else that of the check.
int report_check(const RunOptions& run, const CheckFolder& folder, int code) {
  const CheckResult result = folder.result(run.suppressions);
  report_unfinished(result);
  const bool written = report_between(run, result);
  const order::Report& all = result.processes != 0 ? result.all : result.between;
  if (result.processes == 0 && all.findings.empty()) {
    complain(fmt::format("run: check: no report: the program made no ACL call, or did not end by "
                         "itself (exit code {})", code));
    return code;
  }
  const std::string found =
      fmt::format("{} errors, {} warnings, {} notes", all.count(order::Level::error),
                  all.count(order::Level::warning), all.count(order::Level::note));
  const bool fails = all.at_least(*order::level_of(run.fail_on)) != 0;
  if (code != 0) {
    complain(fmt::format("run: check: {}; exit code {} is the program's own", found, code));
    return code;
  }
  const std::string why = fails     ? "findings"
                          : written ? "nothing"
                                    : "a report cannot be written, nothing";
  complain(fmt::format("run: check: {}; exit code {}: {} at {} or above", found,
                       fails || !written ? 1 : 0, why, run.fail_on));
  return fails || !written ? kFailed : kOk;
}

// ---- the verb ----

/// What is wrong with the command line; empty when nothing is.
std::string misuse(const RunOptions& run) {
  if (run.program.empty() || run.program[0].empty()) {
    return "which program? Expected: aclsim run [OPTIONS] -- PROGRAM [ARGUMENTS]";
  }
  if (run.unknown_option) {
    return fmt::format("{}: no such option; aclsim run --help lists them", run.program[0]);
  }
  if (!run.check &&
      (run.fail_on_option->count() != 0 || !run.reports.empty() || !run.suppressions.empty())) {
    return "--fail-on, --check-report and --suppressions belong to --check, which is missing";
  }
  const std::string* const schedule = run.given("--schedule");
  if (run.wants_seeded() && schedule && *schedule != "seeded") {
    return fmt::format("--schedule: '{}' is not valid with {}; expected seeded", *schedule,
                       run.wants_seeded());
  }
  return {};
}

int run_watched(const RunOptions& run, std::optional<CheckFolder>& folder) {
  std::optional<StuckWatch> watch;
  if (folder) watch.emplace(*folder, run.suppressions);
  return run_program(run.program);
}

int run(const RunOptions& run) {
  if (const std::string wrong = misuse(run); !wrong.empty()) {
    complain("run: " + wrong);
    return kUsage;
  }
  const std::string* const trace = run.given("--trace");
  if (trace && !clear_trace("--trace", *trace)) return kUsage;
  const std::string trace_path = trace ? absolute(*trace) : std::string();
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
  std::optional<CheckFolder> folder;
  if (run.check) set_check_environment(run, folder.emplace());
  const int code = run_watched(run, folder);
  if (trace) report_trace(trace_path);
  if (recording) complain("run: " + recording->finish());
  return folder ? report_check(run, *folder, code) : code;
}

}  // namespace

void add_run(CLI::App& app, Verb& chosen, const std::vector<std::string>& program) {
  CLI::App* const verb = app.add_subcommand(
      "run", "Run a program on the emulated machine: [OPTIONS] -- PROGRAM [ARGUMENTS]");
  verb->footer(
      "The exit code is the program's; 128 + n when signal n ended it, 127 when there is no such\n"
      "program, 126 when it cannot be executed, 2 for a wrong option. With --check it is 1 when the\n"
      "program's own is 0 and there are findings, also of a program that ends early; the last line\n"
      "says which.\n"
      "A fault says what goes wrong, where and when; --fault kernel,device=1,nth=3 has the third\n"
      "kernel of device 1 fail. Which of them fired is told at exit.\n"
      "  kinds   call, task, alloc, no-event, no-stream, no-notify, kernel, slow, stuck,\n"
      "          notify-timeout, link-down, ecc, device-lost, callback-dies\n"
      "  where   device=N, peer=N, stream=N, call=FUNCTION, name=KERNEL (both with *), op=copy|fill|\n"
      "          kernel|callback|wait|notify-wait|other\n"
      "  when    nth=N (default: nth=1), every=N, from=N, times=N, probability=P, seed=S\n"
      "  what    code=N instead of the kind's own, delay=TIME for slow (20ms, 2s)\n"
      "Example:\n  aclsim run --devices 2 --seed 7 --trace run.json -- ./a.out --size 64\n"
      "  aclsim run --record run.aclt.jsonl -- ./a.out && aclsim info run.aclt.jsonl");
  const auto options = std::make_shared<RunOptions>();
  for (std::size_t i = 0; i < settings().size(); ++i) {
    const Setting& row = settings()[i];
    CLI::Option* const option =
        verb->add_option(row.option, options->values[i], row.help)->type_name(row.value_name);
    if (row.check) option->check(row.check);
    options->options.push_back(option);
  }
  verb->add_option("--fault", options->faults,
                   "let something go wrong: KIND[,KEY=VALUE...], see below; may be given again")
      ->type_name("SPEC")
      ->allow_extra_args(false)
      ->check(fault());
  verb->add_flag("--lenient", options->lenient, "forgive what programs often get wrong");
  verb->add_flag("--guard", options->guard, "stop a program that touches device memory directly");
  verb->add_flag("--check", options->check,
                 "report races, deadlocks and misuse: docs/checker.md has the rules");
  CLI::Option* const fail_on =
      verb->add_option("--fail-on", options->fail_on,
                       "the exit code is 1 when there are findings at this level or above")
          ->type_name("LEVEL");
  fail_on->check(one_of({"error", "warning", "note"}));
  options->fail_on_option = fail_on;
  verb->add_option("--check-report", options->reports,
                   "also write the findings there: .json, .sarif, .xml (JUnit) or .txt; may be given "
                   "several times; %p in a name becomes the process")
      ->type_name("FILE")
      ->check(findings_file());
  verb->add_option("--suppressions", options->suppressions,
                   "findings that are not to be reported: docs/checker.md has the format")
      ->type_name("FILE")
      ->check(suppressions_file());
  verb->prefix_command();  // the first argument that is no option begins the program
  verb->callback([=, &chosen] {
    options->program = verb->remaining();
    options->unknown_option = !options->program.empty() && options->program[0].starts_with('-');
    if (!options->program.empty() && !program.empty()) options->program.emplace_back("--");
    options->program.insert(options->program.end(), program.begin(), program.end());
    chosen = [options] { return run(*options); };
  });
}

}  // namespace aclsim
