// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sched.h>
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "device_sim/base/files.h"
#include "device_sim/sharing/lost_output.h"
#include "tools/aclsim/explore/explorer.h"
#include "tools/aclsim/options/common_options.h"
#include "tools/aclsim/options/environment.h"
#include "tools/aclsim/options/usage_error.h"
#include "tools/aclsim/run/checks.h"
#include "tools/aclsim/verbs/commands.h"

namespace aclsim {
namespace {

constexpr std::uint64_t kMostRuns = 1'000'000'000;
constexpr std::uint64_t kDefaultRuns = 1'000;
constexpr const char* kWatchdog_s = "1";

struct Arguments {
  ExploreOptions options;
  std::string shard;
  bool check = false;
  std::string fail_on = "error";
  std::string undeclared;
  std::string suppressions;
  bool guard_reads = false;
  std::vector<std::string> reports;
  bool no_shrink = false;
  std::string unknown_option;  // the message about an unknown option before the program
};

std::size_t usable_cores() {
  cpu_set_t set;
  const bool known = ::sched_getaffinity(0, sizeof set, &set) == 0;
  return known ? static_cast<std::size_t>(CPU_COUNT(&set)) : 1;
}

Check seconds() {
  return [](const std::string& value) -> std::string {
    double number = 0;
    const char* const end = value.data() + value.size();
    const auto [at, error] = std::from_chars(value.data(), end, number);
    if (error == std::errc() && at == end && number > 0 && number <= 1e7) return {};
    return fmt::format("'{}' is not valid; expected seconds, more than 0 and at most 10000000",
                       value);
  };
}

bool read_shard(const std::string& text, ExploreOptions& options) {
  const char* const end = text.data() + text.size();
  const auto [slash, first] = std::from_chars(text.data(), end, options.shard);
  if (first != std::errc() || slash == end || *slash != '/') return false;
  const auto [at, second] = std::from_chars(slash + 1, end, options.shards);
  return second == std::errc() && at == end && options.shard >= 1 &&
         options.shard <= options.shards && options.shards <= 1'000'000;
}

Check shard() {
  return [](const std::string& value) -> std::string {
    ExploreOptions ignored;
    if (read_shard(value, ignored)) return {};
    return fmt::format("'{}' is not valid; expected I/N with I from 1 to N", value);
  };
}

std::string misuse(const Arguments& arguments) {
  if (!arguments.unknown_option.empty()) return arguments.unknown_option;
  const std::vector<std::string>& program = arguments.options.program;
  if (program.empty() || program[0].empty()) {
    return "the program is missing; expected aclsim explore [OPTIONS] -- PROGRAM [ARGUMENTS]";
  }
  if (!arguments.check && (arguments.fail_on != "error" || !arguments.undeclared.empty() ||
                           !arguments.suppressions.empty() || arguments.guard_reads)) {
    return "--fail-on, --undeclared, --suppressions and --guard-reads belong to --check, which is "
           "missing";
  }
  return {};
}

/// The options of the check for `aclsim run`.
std::vector<std::string> check_options(const Arguments& arguments) {
  std::vector<std::string> options{"--check"};
  if (arguments.fail_on != "error") options.insert(options.end(), {"--fail-on", arguments.fail_on});
  if (!arguments.undeclared.empty()) {
    options.insert(options.end(), {"--undeclared", arguments.undeclared});
  }
  if (arguments.guard_reads) options.emplace_back("--guard-reads");
  if (!arguments.suppressions.empty()) {
    const std::string path = std::filesystem::absolute(arguments.suppressions).string();
    options.insert(options.end(), {"--suppressions", path});
  }
  return options;
}

int explore(Arguments arguments) {
  if (const std::string wrong = misuse(arguments); !wrong.empty()) {
    complain("explore: " + wrong);
    return kUsage;
  }
  ExploreOptions& options = arguments.options;
  if (options.runs == 0 && options.budget_s <= 0) options.runs = kDefaultRuns;
  if (options.jobs == 0) options.jobs = usable_cores();
  if (!arguments.shard.empty()) read_shard(arguments.shard, options);
  options.shrink = !arguments.no_shrink;
  for (const std::string& file : arguments.reports) {
    const std::string path = std::filesystem::absolute(file).string();
    if (const int error = sim::clear_output(path)) {
      complain(
          fmt::format("explore: --report: '{}' cannot be written ({}); expected the path of a file",
                      file, sim::output_error(error)));
      return kUsage;
    }
    options.reports.push_back(path);
  }
  options.fail_on = order::level_of(arguments.fail_on).value_or(order::Level::error);
  options.strategy = lasting_strategy(options.strategy);
  options.command = options.program;
  if (arguments.check) {
    const std::vector<std::string> checks = check_options(arguments);
    options.run_options = checks;
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    options.command = {self, "run"};
    options.command.insert(options.command.end(), checks.begin(), checks.end());
    options.command.emplace_back("--");
    options.command.insert(options.command.end(), options.program.begin(), options.program.end());
  }
  ::setenv("ACLSIM_WATCHDOG", kWatchdog_s, 0);
  unset_timeline();  // simultaneous runs would overwrite each other's timelines
  use_own_libraries("explore");
  return Explorer(std::move(options)).explore();
}

constexpr const char* kFooter =
    "The first run is eager (each op as early as possible), the second lazy (as late as "
    "possible).\n"
    "The other runs have seeds S + 2, S + 3, ... and use the strategies in turn, or the one that\n"
    "--strategy names. The search stops at the first run that fails: an exit code other than 0, a\n"
    "signal, a hang, a finding (--check), or different output (--compare-output). aclsim then\n"
    "minimises the schedule and prints one command that repeats it. stdin of each run is\n"
    "/dev/null.\n"
    "Exit codes: 0 nothing found, 1 found, 2 a wrong option or no such program, 130 interrupted.\n"
    "The last line states the result.\n"
    "Example:\n"
    "  aclsim explore --runs 1000 -- ./a.out --size 64\n"
    "  parallel aclsim explore --budget 600 --shard {}/8 -- ./a.out ::: $(seq 8)";

void add_search_options(CLI::App& verb, Arguments& arguments) {
  ExploreOptions& options = arguments.options;
  verb.add_option("--runs", options.runs,
                  "run N schedules (default 1000, or no limit with --budget)")
      ->type_name("N")
      ->check(whole_number(1, kMostRuns));
  verb.add_option("--budget", options.budget_s,
                  "start runs for SECONDS, including runs that minimise or confirm a failure;\n"
                  "aclsim ends at most one --timeout later")
      ->type_name("SECONDS")
      ->check(seconds());
  verb.add_option("--seed", options.seed,
                  "set the seed of the first run (default 1); run n has seed S + n - 1")
      ->type_name("S")
      ->check(whole_number(0, UINT64_MAX / 2));
  verb.add_option("--strategy", options.strategy,
                  "use one strategy for all runs instead of a mixture; names as for aclsim run")
      ->type_name("NAME")
      ->check(strategy());
  verb.add_option("--jobs", options.jobs, "run J processes at a time (default: one for each core)")
      ->type_name("J")
      ->check(whole_number(1, 1024));
  verb.add_option("--shard", arguments.shard,
                  "do only part I of N of the runs; all parts together do --runs")
      ->type_name("I/N")
      ->check(shard());
  verb.add_option("--timeout", options.timeout_s,
                  "limit each run to SECONDS (default 30; after the first run, at least ten times "
                  "its\nduration)")
      ->type_name("SECONDS")
      ->check(seconds());
}

void add_failure_options(CLI::App& verb, Arguments& arguments) {
  verb.add_flag("--check", arguments.check, "count findings of the checker as failures");
  add_fail_on(verb, arguments.fail_on);
  add_undeclared(verb, arguments.undeclared);
  add_suppressions(verb, arguments.suppressions);
  add_guard_reads(verb, arguments.guard_reads);
  add_findings_report(verb, arguments.reports)->check(findings_file());
  verb.add_flag("--compare-output", arguments.options.compare_output,
                "count stdout that differs from the stdout of the first run as a failure");
}

}  // namespace

void add_explore(CLI::App& app, Verb& chosen, const std::vector<std::string>& program) {
  CLI::App* const verb =
      app.add_subcommand("explore", "Run a program under many schedules until it fails");
  verb->footer(kFooter);
  const auto arguments = std::make_shared<Arguments>();
  add_search_options(*verb, *arguments);
  add_failure_options(*verb, *arguments);
  verb->add_flag("--fresh", arguments->options.fresh,
                 "load the program for each run instead of copying a loaded process");
  verb->add_flag("--no-shrink", arguments->no_shrink,
                 "report the schedule as it was found, without minimising it");
  add_quiet(*verb, arguments->options.quiet,
            "print only the command that reproduces a failure, and the last line");
  verb->prefix_command();  // the program begins at the first argument that is not an option
  verb->callback([=, &chosen] {
    std::vector<std::string>& command = arguments->options.program;
    command = verb->remaining();
    if (!command.empty() && command[0].starts_with('-')) {
      arguments->unknown_option = no_such_option(*verb, command[0]);
    }
    if (!command.empty() && !program.empty()) command.emplace_back("--");
    command.insert(command.end(), program.begin(), program.end());
    chosen = [arguments] { return explore(*arguments); };
  });
}

}  // namespace aclsim
