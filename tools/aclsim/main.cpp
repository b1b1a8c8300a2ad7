// SPDX-License-Identifier: Apache-2.0
// aclsim: the command line of the emulator. Results go to stdout, everything else to stderr.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

#include "tools/aclsim/options/help_format.h"
#include "tools/aclsim/options/usage_error.h"
#include "tools/aclsim/output/colour.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/verbs/commands.h"

namespace aclsim {

// Earlier output is flushed, so that it appears before the line. flushed() reports a failed write.
void complain(const std::string& text) {
  try {
    flush_out();
  } catch (const StandardOutputError&) {
  }
  const std::string line = fmt::format("aclsim: {}\n", text);
  tell(paint_findings(line, STDERR_FILENO));
}

namespace {

constexpr const char* kExamples = R"(Examples:
  aclsim run --devices 4 --timeline run.json -- ./a.out input.txt
  aclsim explore --runs 1000 -- ./a.out input.txt
  aclsim devices --json
  aclsim api --state unsupported --tier T1
  aclsim info trace_view.json
  aclsim convert rank0.db rank1.db -o job.aclt.jsonl
  aclsim check rank0.db rank1.db --fail-on warning
  aclsim replay rank0.db rank1.db --report report.json
  aclsim plot trace_view.json -o page.html
  aclsim gen ring --devices 8 --ops 10000 -o ring.aclt.jsonl
docs/configuration.md describes the environment variables and the configuration file. Output on a
terminal has colours unless NO_COLOR is set.)";

/// Cuts the arguments at the first `--` and returns what comes after it.
std::vector<std::string> cut_program(std::vector<std::string>& arguments) {
  const auto mark = std::find(arguments.begin(), arguments.end(), "--");
  if (mark == arguments.end()) return {};
  std::vector<std::string> program(mark + 1, arguments.end());
  arguments.erase(mark, arguments.end());
  return program;
}

int flushed(int code) {
  flush_out();
  return code == kOk && !told_all() ? static_cast<int>(kFailed) : code;
}

void add_verbs(CLI::App& app, Verb& chosen, const std::vector<std::string>& program) {
  add_run(app, chosen, program);
  add_explore(app, chosen, program);
  add_devices(app, chosen);
  add_api(app, chosen);
  add_info(app, chosen);
  add_convert(app, chosen);
  add_gen(app, chosen);
  add_summary_verb(app, chosen);
  add_check(app, chosen);
  add_replay(app, chosen);
  add_plot(app, chosen);
  add_topo(app, chosen);
  add_diff(app, chosen);
  add_report(app, chosen);
  add_explain(app, chosen);
  add_env(app, chosen);
  add_completion(app, chosen);
  add_man_pages(app, chosen);
}

/// Prints the text of --help or --version.
int said(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream text;
  const int code = app.exit(error, text, text);
  put_out(text.str());
  return flushed(code);
}

int run_tool(std::vector<std::string> arguments) {
  const std::vector<std::string> program = cut_program(arguments);
  CLI::App app{"Run ACL programs without an NPU; record, check and replay their runs.", "aclsim"};
  set_help_format(app);
  app.set_version_flag("--version", "aclsim " ACLSIM_VERSION, "print the version");
  app.footer(kExamples);
  app.require_subcommand(0, 1);
  Verb chosen;
  add_verbs(app, chosen, program);
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 expects the reverse order
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return said(app, error);
    complain(explain(app, error));
    return kUsage;
  }
  if (!chosen) {
    complain("no verb; expected one of: " + list_of_verbs(app));
    return kUsage;
  }
  if (!program.empty() && !app.got_subcommand("run") && !app.got_subcommand("explore")) {
    complain(fmt::format("'{}' is one argument too many: only run and explore take a program",
                         program[0]));
    return kUsage;
  }
  return flushed(chosen());
}

}  // namespace
}  // namespace aclsim

int main(int argc, char** argv) {
  aclsim::fill_standard_files();
  aclsim::let_writes_fail();
  try {
    return aclsim::run_tool({argv + std::min(argc, 1), argv + argc});
  } catch (const std::exception& error) {
    aclsim::complain(error.what());
    return aclsim::kFailed;
  }
}
