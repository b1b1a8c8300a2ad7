// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/options/run_options.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>

#include "tools/aclsim/options/common_options.h"
#include "tools/aclsim/options/environment.h"
#include "tools/aclsim/run/check_run.h"
#include "tools/aclsim/run/checks.h"

namespace aclsim {
namespace {

enum class Kind { plain, path, strategy };

/// An option that becomes an environment variable of the program.
struct Setting {
  const char* option;
  const char* variable;
  const char* value_name;
  const char* help;
  Check check;
  Kind kind = Kind::plain;
};

using Settings = std::vector<Setting>;

Settings machine_settings() {
  return {
      {"--config", "ACLSIM_CONFIG", "FILE", "read the configuration from FILE (TOML)",
       readable_file(), Kind::path},
      {"--devices", "ACLSIM_DEVICES", "N", "set the number of devices", whole_number(0, 1024)},
      {"--memory", "ACLSIM_MEMORY", "SIZE", "set the memory of each device, as in 32GiB",
       memory_size()},
      {"--workers", "ACLSIM_WORKERS", "N", "set the number of tasks that a device runs at a time",
       whole_number(1, 64)},
      {"--topology", "ACLSIM_TOPOLOGY", "KIND",
       "set the links between devices: all-to-all or two-groups",
       one_of({"all-to-all", "two-groups"})},
      {"--soc", "ACLSIM_SOC", "NAME", "set the name that aclrtGetSocName returns", {}},
      {"--host-access", "ACLSIM_HOST_ACCESS", "KIND",
       "let host code access device memory (open), or stop the program when it does (guard)",
       one_of({"open", "guard"})},
  };
}

Settings schedule_settings() {
  return {
      {"--schedule", "ACLSIM_SCHEDULE", "KIND",
       "run ops concurrently (threads), or one at a time in an order that the seed decides "
       "(seeded)",
       one_of({"threads", "seeded"})},
      {"--seed", "ACLSIM_SEED", "S", "set the seed of the schedule; implies --schedule seeded",
       whole_number(0, UINT64_MAX)},
      {"--strategy", "ACLSIM_STRATEGY", "NAME",
       "set how a seeded schedule chooses the next op (docs/exploring.md): random, pct:DEPTH,\n"
       "round-robin, delays:COUNT, slow-copy, eager, lazy, replay:LIST; implies --schedule seeded",
       strategy(), Kind::strategy},
      {"--decisions",
       "ACLSIM_DECISIONS",
       "FILE",
       "write the decisions of a seeded schedule that depart from the plain order to FILE;\n"
       "--strategy replay:@FILE repeats them",
       {},
       Kind::path},
  };
}

Check watchdog() {
  return [seconds = whole_number(0, 86'400)](const std::string& value) {
    const std::string_view abort = ",abort";
    return seconds(value.ends_with(abort) ? value.substr(0, value.size() - abort.size()) : value);
  };
}

Settings run_settings() {
  return {
      {"--timeline",
       "ACLSIM_TIMELINE",
       "FILE",
       "write a Chrome/Perfetto timeline of the run to FILE",
       {},
       Kind::path},
      {"--record",
       "ACLSIM_RECORD",
       "FILE",
       "write the run to FILE as a trace for info, replay, check and plot (docs/replay.md);\n"
       "compressed if FILE ends in .gz; %p in FILE becomes the process id",
       {},
       Kind::path},
      {"--watchdog", "ACLSIM_WATCHDOG", "SECONDS",
       "report waiting streams and threads, and their reasons, after SECONDS without progress; 0 "
       "(default):\n"
       "never; with ,abort (60,abort) the program then ends with exit code 3, even if a deadlock "
       "is\n"
       "not proven",
       watchdog()},
  };
}

const Settings& all_settings() {
  static const Settings rows = [] {
    Settings all;
    for (const auto table : {machine_settings, schedule_settings, run_settings}) {
      for (Setting& row : table()) all.push_back(std::move(row));
    }
    return all;
  }();
  return rows;
}

std::string absolute(const std::string& path) { return std::filesystem::absolute(path).string(); }

std::string value_for_program(const Setting& setting, const std::string& value) {
  if (setting.kind == Kind::path) return absolute(value);
  return setting.kind == Kind::strategy ? lasting_strategy(value) : value;
}

void add_settings(CLI::App& verb, RunOptions& options) {
  const Settings& rows = all_settings();
  options.values.resize(rows.size());  // not resized later: the library keeps the addresses
  for (std::size_t i = 0; i < rows.size(); ++i) {
    RunOptions::Value& value = options.values[i];
    value.option =
        verb.add_option(rows[i].option, value.text, rows[i].help)->type_name(rows[i].value_name);
    if (rows[i].check) value.option->check(rows[i].check);
    if (std::string_view(rows[i].option) == "--timeline") {
      add_old_name(verb, "--trace", value.option);
    }
  }
}

void add_check_options(CLI::App& verb, RunOptions& options) {
  verb.add_flag("--check", options.check,
                "report races, deadlocks and misuse; docs/checker-rules.md describes the rules");
  options.fail_on_option = add_fail_on(verb, options.fail_on)->envname("ACLSIM_CHECK_FAIL_ON");
  options.fail_on_option->description(options.fail_on_option->get_description() +
                                      ";\nthe variable ACLSIM_CHECK_FAIL_ON sets it too");
  verb.add_option("--level", options.level,
                  "omit findings below this level: error, warning or note (default)")
      ->type_name("LEVEL")
      ->check(one_of({"error", "warning", "note"}));
  add_undeclared(verb, options.undeclared);
  verb.add_option("--stack", options.stack,
                  "show N stack frames of the program for each call in findings (default 1)")
      ->type_name("N")
      ->check(whole_number(1, 64));
  add_guard_reads(verb, options.guard_reads);
  CLI::Option* const report = add_findings_report(verb, options.reports);
  report->description(report->get_description() + "; %p in a name becomes the process id")
      ->check(findings_file());
  add_old_name(verb, "--check-report", report);
  add_suppressions(verb, options.suppressions);
}

void add_job_options(CLI::App& verb, RunOptions& options) {
  verb.add_option("--ranks", options.ranks,
                  "start a job of N ranks: N processes of the program, one device each;\n"
                  "docs/scale.md lists the variables that the ranks receive")
      ->type_name("N")
      ->check(whole_number(1, 4096));
  verb.add_option(
          "--hosts", options.hosts,
          "start only this host's ranks; FILE lists the hosts of the job, one on each line\n"
          "(NAME [slots=N])")
      ->type_name("FILE")
      ->check(readable_file());
  verb.add_option("--host", options.host,
                  "set which host of --hosts this one is, if aclsim cannot detect it")
      ->type_name("NAME");
  verb.add_flag("--no-labels", options.no_labels,
                "do not prefix the output of ranks with \"[RANK] \"");
}

}  // namespace

const std::string* RunOptions::given(const std::string& option) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (all_settings()[i].option == option && values[i].option->count() != 0) {
      return &values[i].text;
    }
  }
  return nullptr;
}

const char* RunOptions::wants_seeded() const {
  return given("--seed") ? "--seed" : given("--strategy") ? "--strategy" : nullptr;
}

// The variable alone does not count: it also serves programs that are checked without --check.
bool RunOptions::fail_on_given() const {
  return fail_on_option->count() != 0 && !::getenv("ACLSIM_CHECK_FAIL_ON");
}

std::string RunOptions::misuse() const {
  if (!unknown_option.empty()) return unknown_option;
  if (program.empty() || program[0].empty()) {
    return "the program is missing; expected aclsim run [OPTIONS] -- PROGRAM [ARGUMENTS]";
  }
  const bool about_check = fail_on_given() || !level.empty() || !undeclared.empty() ||
                           !reports.empty() || !suppressions.empty() || quiet || guard_reads ||
                           stack != 1;
  if (!check && about_check) {
    return "--fail-on, --level, --undeclared, --stack, --guard-reads, --report, --suppressions and "
           "--quiet belong to "
           "--check, which is missing";
  }
  if (ranks == 0 && (!hosts.empty() || !host.empty() || no_labels)) {
    return "--hosts, --host and --no-labels belong to --ranks, which is missing";
  }
  if (hosts.empty() && !host.empty()) return "--host belongs to --hosts, which is missing";
  const std::string* const schedule = given("--schedule");
  if (wants_seeded() && schedule && *schedule != "seeded") {
    return fmt::format("--schedule: '{}' is not valid with {}; expected seeded", *schedule,
                       wants_seeded());
  }
  const std::string* const access = given("--host-access");
  if (guard && access && *access != "guard") {
    return fmt::format("--host-access: '{}' is not valid with --guard; expected guard", *access);
  }
  return {};
}

void add_run_options(CLI::App& verb, RunOptions& options) {
  add_settings(verb, options);
  verb.add_flag("--guard", options.guard,
                "stop a program whose host code accesses device memory: --host-access guard");
  verb.add_flag("--cuda", options.cuda,
                "let the program find the emulated libcuda.so.1 (docs/cuda-multicast.md)");
  verb.add_flag("--lenient", options.lenient,
                "accept, with a warning, some calls that ACL refuses (docs/configuration.md)");
  verb.add_option(
          "--fault", options.faults,
          "inject a fault, described below: KIND[,KEY=VALUE...]; may be given several times")
      ->type_name("SPEC")
      ->allow_extra_args(false)
      ->check(fault());
  add_job_options(verb, options);
  add_check_options(verb, options);
  add_quiet(verb, options.quiet, "print only the last line of --check, no findings");
}

void set_environment(const RunOptions& run) {
  for (std::size_t i = 0; i < run.values.size(); ++i) {
    const Setting& setting = all_settings()[i];
    const RunOptions::Value& value = run.values[i];
    if (value.option->count() == 0) continue;
    if (setting.variable == std::string_view("ACLSIM_TIMELINE")) unset_timeline();
    ::setenv(setting.variable, value_for_program(setting, value.text).c_str(), 1);
  }
  if (!run.faults.empty()) {
    ::setenv("ACLSIM_FAULTS", fmt::format("{}", fmt::join(run.faults, ";")).c_str(), 1);
  }
  if (run.wants_seeded()) ::setenv("ACLSIM_SCHEDULE", "seeded", 1);
  if (run.lenient) ::setenv("ACLSIM_LENIENT", "1", 1);
  if (run.guard) ::setenv("ACLSIM_HOST_ACCESS", "guard", 1);
  use_own_libraries("run", run.cuda);
}

void set_check_environment(const RunOptions& run, const RunInbox& inbox) {
  std::vector<std::string> reports;
  for (const std::string& file : run.reports) reports.push_back(absolute(file));
  ::setenv("ACLSIM_CHECK", "1", 1);
  ::setenv("ACLSIM_CHECK_PROCESS_GROUP", inbox.address().c_str(), 1);
  if (!reports.empty()) {
    ::setenv("ACLSIM_CHECK_REPORT", fmt::format("{}", fmt::join(reports, ",")).c_str(), 1);
  }
  ::unsetenv("ACLSIM_CHECK_FAIL_ON");  // this process decides the verdict for all processes
  if (!run.level.empty()) ::setenv("ACLSIM_CHECK_LEVEL", run.level.c_str(), 1);
  if (run.quiet) ::setenv("ACLSIM_CHECK_QUIET", "1", 1);
  if (run.stack != 1) ::setenv("ACLSIM_CHECK_STACK", std::to_string(run.stack).c_str(), 1);
  if (run.guard_reads) ::setenv("ACLSIM_CHECK_GUARD_READS", "1", 1);
  if (!run.undeclared.empty()) ::setenv("ACLSIM_CHECK_UNDECLARED", run.undeclared.c_str(), 1);
  if (!run.suppressions.empty()) {
    ::setenv("ACLSIM_CHECK_SUPPRESSIONS", absolute(run.suppressions).c_str(), 1);
  }
}

}  // namespace aclsim
