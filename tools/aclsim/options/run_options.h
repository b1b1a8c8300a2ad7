// SPDX-License-Identifier: Apache-2.0
// What `aclsim run` is asked for, and the variables that tell the program.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace aclsim {

class RunInbox;

/// As the command line says it.
struct RunOptions {
  /// An option that becomes a variable of the program.
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
  std::string undeclared;  // empty: as the findings deserve
  std::string level;       // empty: all findings
  unsigned stack = 1;      // frames of a call that findings show
  std::string fail_on = "error";
  CLI::Option* fail_on_option = nullptr;
  std::vector<std::string> reports;
  std::string suppressions;
  int ranks = 0;      // 0: one program, not a job
  std::string hosts;  // the file; empty: this host alone
  std::string host;   // which of them this is; empty: found out
  bool no_labels = false;
  std::vector<std::string> program;
  std::string unknown_option;  // what is wrong with an option that stands where the program should

  /// The value of the option "--seed"; null when it was not given.
  const std::string* given(const std::string& option) const;
  /// The option that only a seeded schedule has; null when there is none.
  const char* wants_seeded() const;
  bool fail_on_given() const;
  /// What is wrong with all of it together; empty when nothing is.
  std::string misuse() const;
};

void add_run_options(CLI::App& verb, RunOptions& options);

/// Sets the variables that the options stand for.
void set_environment(const RunOptions& run);
void set_check_environment(const RunOptions& run, const RunInbox& inbox);

}  // namespace aclsim
