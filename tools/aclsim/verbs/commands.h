// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace aclsim {

/// What the tool itself ends with; `run` passes on its program's own code.
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

/// The verb that was chosen; returns the exit code. Runs after the command line was read.
using Verb = std::function<int()>;

/// Each adds its verb to the command line; `chosen` becomes the verb when it is used.
/// `program`: what comes after the first `--` of the command line.
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
/// Hidden: the build writes the manual pages with it.
void add_man_pages(CLI::App& app, Verb& chosen);

/// One line on stderr.
void complain(const std::string& text);

}  // namespace aclsim
