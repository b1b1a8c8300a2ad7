// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/order/repairs/fixes.h"
#include "runtime/order/report/report.h"
#include "runtime/order/report/suppressions.h"
#include "tools/aclsim/options/common_options.h"
#include "tools/aclsim/output/colour.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/run/check_run.h"
#include "tools/aclsim/run/checks.h"
#include "tools/aclsim/verbs/commands.h"
#include "tools/aclsim/verbs/trace_verb.h"
#include "tools/check/check.h"
#include "tools/check/peaks.h"
#include "tools/trace/files/output_file.h"
#include "tools/trace/read_trace.h"

namespace aclsim {
namespace {

struct CheckOptions {
  TraceInput input;
  std::string fail_on = "error";
  std::vector<std::string> reports;
  std::string suppressions;
  std::string sends;
  bool json = false;
};

void write_reports(const CheckOptions& options, const order::Report& report, order::Level fail_on) {
  for (const std::string& path : options.reports) {
    trace::OutputFile out(path);
    out.write(in_format_of(path, report, fail_on));
    out.close();
  }
}

check::Result check_trace(const CheckOptions& options) {
  trace::ReadOptions reading;
  reading.from = options.input.from;
  const trace::Trace it = read_shown(options.input.files, reading, options.input.quiet);
  require_work("check", it, options.input.files);
  check::Options checking;
  if (options.sends == "eager") checking.sends = replay::Sends::eager;
  if (options.sends == "rendezvous") checking.sends = replay::Sends::rendezvous;
  check::Result result = check::check(it, checking);
  for (const check::RecordedPeaks& row : check::peaks_of(it)) {
    result.report.facts.emplace_back(row.name, to_text(row.peaks));
    result.near_limit = result.near_limit || is_near_limit(row.peaks);
  }
  result.report.version = ACLSIM_VERSION;
  result.report.program = fmt::format("{}", fmt::join(options.input.files, " "));
  return result;
}

int run(const CheckOptions& options) {
  order::Suppressions suppressions;
  if (!options.suppressions.empty()) suppressions.add_file(options.suppressions);
  const check::Result result = check_trace(options);
  order::Report report = result.report;
  suppressions.apply(report);
  const order::Level fail_on = order::level_of(options.fail_on).value_or(order::Level::error);
  write_reports(options, report, fail_on);
  if (!result.near_limit) report.facts.clear();
  if (options.json) {
    print_out("{}", to_json(order::with_fixes(report)));
  } else if (!options.input.quiet) {
    print_out("{}", paint_findings(to_text(report), STDOUT_FILENO));
  }
  if (result.left_out != 0) {
    complain(fmt::format("check: {} more findings are omitted, of rules that have 1000 findings",
                         result.left_out));
  }
  if (!result.not_checked.empty() && !options.input.quiet) {
    complain(fmt::format("check: not checked: {}", fmt::join(result.not_checked, "; ")));
  }
  const bool fails = report.at_least(fail_on) != 0;
  complain(fmt::format("check: {}; exit code {}: {} at {} or above", counts_text(report),
                       fails ? 1 : 0, fails ? "findings" : "nothing", options.fail_on));
  return fails ? kFailed : kOk;
}

void add_options(CLI::App& verb, CheckOptions& options) {
  add_trace_input(verb, options.input, "print the last line only");
  add_json(verb, options.json);
  add_fail_on(verb, options.fail_on);
  add_findings_report(verb, options.reports);
  add_suppressions(verb, options.suppressions);
  verb.add_option("--sends", options.sends,
                  "set when a send ends: eager, by itself; rendezvous, with its receive; default: "
                  "as the trace specifies, else eager")
      ->type_name("KIND")
      ->check(one_of({"eager", "rendezvous"}));
}

}  // namespace

void add_check(CLI::App& app, Verb& chosen) {
  CLI::App* const verb =
      app.add_subcommand("check", "Check the ordering of a trace: races, deadlocks, lost waits");
  verb->footer(
      "docs/checker-rules.md describes the rules, docs/checker-traces.md lists the rules for "
      "traces.\n"
      "No program is run.\n"
      "Exit codes: 0 no finding at the level or above, 1 findings, 2 wrong option or input.\n"
      "Example:\n"
      "  aclsim check rank0.db rank1.db --fail-on warning --report findings.sarif");
  const auto options = std::make_shared<CheckOptions>();
  add_options(*verb, *options);
  verb->callback([=, &chosen] {
    chosen = [=] { return with_traces("check", [&] { return run(*options); }); };
  });
}

}  // namespace aclsim
