// SPDX-License-Identifier: Apache-2.0
// The sections [run] and [check].
#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "runtime/acl/base/config_tables.h"
#include "runtime/acl/base/config_values.h"
#include "runtime/acl/base/fault_config.h"

namespace acl::settings {
namespace {

constexpr std::size_t kMostFaults = 1000;

void set_record(Config& config, const std::string& value, const std::string& where) {
  if (value.ends_with(".gz")) {
    refuse(where, value, "a name that does not end in .gz; aclsim run --record compresses");
  }
  config.record_path = value;
}

void set_watchdog(Config& config, const std::string& value, const std::string& where) {
  constexpr std::string_view kAbort = ",abort";
  config.watchdog_aborts = value.ends_with(kAbort);
  const std::size_t size = value.size() - (config.watchdog_aborts ? kAbort.size() : 0);
  config.watchdog_s =
      number<unsigned>(value.substr(0, size), where, 0, 86'400, " (seconds), or that and ,abort");
}

void set_faults(Config& config, const std::string& value, const std::string& where) {
  add_faults(config, where, [&] { return read_faults(value); });
}

order::Level level(const std::string& value, const std::string& where) {
  using order::Level;
  return choice<Level>(
      value, where, {{"note", Level::note}, {"warning", Level::warning}, {"error", Level::error}});
}

void set_level(Config& config, const std::string& value, const std::string& where) {
  config.check.report_from = level(value, where);
}

void set_undeclared(Config& config, const std::string& value, const std::string& where) {
  config.check.undeclared = level(value, where);
}

void set_fail_on(Config& config, const std::string& value, const std::string& where) {
  config.check.fail_on = level(value, where);
}

}  // namespace

void add_faults(Config& config, const std::string& where,
                const std::function<std::vector<sim::FaultRule>()>& parse) {
  try {
    for (sim::FaultRule& rule : parse()) config.faults.push_back(std::move(rule));
  } catch (const sim::FaultSpecError& error) {
    throw ConfigError(where + ": " + error.what());
  }
  if (config.faults.size() > kMostFaults) {
    throw ConfigError(fmt::format("{}: there are {} faults; expected {} or less", where,
                                  config.faults.size(), kMostFaults));
  }
}

Table run_table() {
  using Text = const std::string&;
  return {
      {"run.timeline", "ACLSIM_TIMELINE", [](Config& c, Text v, Text) { c.trace_path = v; }},
      {"run.record", "ACLSIM_RECORD", set_record},
      {"run.decisions", "ACLSIM_DECISIONS",
       [](Config& c, Text v, Text) { c.system.decisions_path = v; }},
      {"run.lenient", "ACLSIM_LENIENT", [](Config& c, Text v, Text w) { c.lenient = flag(v, w); }},
      {"run.watchdog", "ACLSIM_WATCHDOG", set_watchdog},
      {"run.faults", "ACLSIM_FAULTS", set_faults},
  };
}

Table check_table() {
  using Text = const std::string&;
  return {
      {"check.on", "ACLSIM_CHECK", [](Config& c, Text v, Text w) { c.check.on = flag(v, w); }},
      {"check.report", "ACLSIM_CHECK_REPORT",
       [](Config& c, Text v, Text w) { c.check.outputs = findings_files(v, w); }},
      {"check.process_group", "ACLSIM_CHECK_PROCESS_GROUP",
       [](Config& c, Text v, Text) { c.check.group_mailbox = v; }},
      {"check.level", "ACLSIM_CHECK_LEVEL", set_level},
      {"check.fail_on", "ACLSIM_CHECK_FAIL_ON", set_fail_on},
      {"check.undeclared", "ACLSIM_CHECK_UNDECLARED", set_undeclared},
      {"check.guard_reads", "ACLSIM_CHECK_GUARD_READS",
       [](Config& c, Text v, Text w) { c.check.guard_reads = c.system.bars_hosts = flag(v, w); }},
      {"check.stack", "ACLSIM_CHECK_STACK",
       [](Config& c, Text v, Text w) { c.check.stack = number<unsigned>(v, w, 1, 64); }},
      {"check.quiet", "ACLSIM_CHECK_QUIET",
       [](Config& c, Text v, Text w) { c.check.quiet = flag(v, w); }},
      {"check.suppressions", "ACLSIM_CHECK_SUPPRESSIONS",
       [](Config& c, Text v, Text) { c.check.suppressions = v; }},
  };
}

}  // namespace acl::settings
