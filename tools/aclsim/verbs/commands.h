// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace aclsim {

/// The exit codes of the tool itself; `run` passes on the exit code of its program.
enum ExitCode : int {
  kOk = 0,
  kFailed = 1,
  kUsage = 2,
  kDeadlock = 3,   // or a timeout
  kTolerance = 4,  // of a comparison
  kCannotExecute = 126,
  kCannotStart = 127,
  kInterrupted = 130,
};

/// The chosen verb; returns the exit code. Called after the command line has been read.
using Verb = std::function<int()>;

/// Each function adds its verb to the command line and sets `chosen` when the verb is used.
/// `program`: the arguments after the first `--` of the command line.
void add_run(CLI::App& app, Verb& chosen, const std::vector<std::string>& program);
void add_explore(CLI::App& app, Verb& chosen, const std::vector<std::string>& program);
void add_devices(CLI::App& app, Verb& chosen);
void add_api(CLI::App& app, Verb& chosen);
void add_info(CLI::App& app, Verb& chosen);
void add_convert(CLI::App& app, Verb& chosen);
void add_gen(CLI::App& app, Verb& chosen);
void add_summary_verb(CLI::App& app, Verb& chosen);
void add_check(CLI::App& app, Verb& chosen);
void add_replay(CLI::App& app, Verb& chosen);
void add_plot(CLI::App& app, Verb& chosen);
void add_topo(CLI::App& app, Verb& chosen);
void add_diff(CLI::App& app, Verb& chosen);
void add_report(CLI::App& app, Verb& chosen);
void add_env(CLI::App& app, Verb& chosen);
void add_explain(CLI::App& app, Verb& chosen);
void add_completion(CLI::App& app, Verb& chosen);
/// A hidden verb, with which the build writes the manual pages.
void add_man_pages(CLI::App& app, Verb& chosen);

/// Prints one line on stderr.
void complain(const std::string& text);

}  // namespace aclsim
