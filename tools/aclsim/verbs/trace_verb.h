// SPDX-License-Identifier: Apache-2.0
// What the verbs that read traces have in common.
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

/// Reads them; a terminal sees how far that is, unless `quiet`.
trace::Trace read_shown(const std::vector<std::string>& files, trace::ReadOptions options,
                        bool quiet = false);

/// Throws std::invalid_argument for a trace without operations.
void require_work(const char* verb, const trace::Trace& trace,
                  const std::vector<std::string>& files);

/// Runs the verb; an input that cannot be read, an output that cannot be written, or an impossible
/// wish is one line and kUsage.
int with_traces(const char* verb, const std::function<int()>& run);

/// What readers noticed, one line each on stderr; `notes` also those that are no warnings.
void show_remarks(const trace::Trace& trace, bool notes);

}  // namespace aclsim
