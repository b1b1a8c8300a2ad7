// SPDX-License-Identifier: Apache-2.0
// Functions of all verbs that read traces.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/trace/read_trace.h"

namespace CLI {
class App;
}

namespace aclsim {

/// FILE..., --from and --quiet.
struct TraceInput {
  std::vector<std::string> files;
  std::string from;
  bool quiet = false;
};
void add_trace_input(CLI::App& verb, TraceInput& input,
                     const std::string& quiet = "print no progress and no warnings");

/// Reads the files and shows the progress on a terminal, unless `quiet`.
trace::Trace read_shown(const std::vector<std::string>& files, trace::ReadOptions options,
                        bool quiet = false);

/// Throws std::invalid_argument for a trace without operations.
void require_work(const char* verb, const trace::Trace& trace,
                  const std::vector<std::string>& files);

/// Runs the verb. An unreadable input or an invalid option gives a message of one line and kUsage,
/// an output that cannot be written gives a message and kFailed.
int with_traces(const char* verb, const std::function<int()>& run);

/// Prints the warnings of the readers, one line each on stderr; `notes`: also their notes.
void show_remarks(const trace::Trace& trace, bool notes);

}  // namespace aclsim
