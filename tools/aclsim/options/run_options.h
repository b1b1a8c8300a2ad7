// SPDX-License-Identifier: Apache-2.0
// The options of `aclsim run`, and the environment variables that pass them to the program.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace aclsim {

class RunInbox;

/// The options of the command line.
struct RunOptions {
  /// An option that becomes an environment variable of the program.
  struct Value {
    CLI::Option* option;
    std::string text;
  };
  std::vector<Value> values;
  std::vector<std::string> faults;
  bool lenient = false;
  bool guard = false;
  bool cuda = false;
  bool check = false;
  bool quiet = false;
  bool guard_reads = false;
  std::string undeclared;  // empty: the default level of each finding
  std::string level;       // empty: all findings
  unsigned stack = 1;      // stack frames that findings show for each call
  std::string fail_on = "error";
  CLI::Option* fail_on_option = nullptr;
  std::vector<std::string> reports;
  std::string suppressions;
  int ranks = 0;      // 0: one program, not a job
  std::string hosts;  // the file of hosts; empty: this host alone
  std::string host;   // the name of this host in the file; empty: detected
  bool no_labels = false;
  std::vector<std::string> program;
  std::string unknown_option;  // the message about an unknown option before the program

  /// The value of an option such as "--seed"; null if it was not given.
  const std::string* given(const std::string& option) const;
  /// The given option that needs a seeded schedule; null if there is no such option.
  const char* wants_seeded() const;
  bool fail_on_given() const;
  /// A message about options that do not fit together; empty if they do.
  std::string misuse() const;
};

void add_run_options(CLI::App& verb, RunOptions& options);

/// Sets the environment variables of the options.
void set_environment(const RunOptions& run);
void set_check_environment(const RunOptions& run, const RunInbox& inbox);

}  // namespace aclsim
