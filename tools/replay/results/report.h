// SPDX-License-Identifier: Apache-2.0
// The report of replays, for programs (JSON, docs/replay.md has the schema) and for people.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/replay/results/summary.h"

namespace replay {

/// The settings of a run as texts.
struct RunInfo {
  std::vector<std::string> files;
  std::string mode = "virtual";
  std::string topology = "default";  // the file
  Options options;
  std::size_t path_steps = 0;  // how many steps of the critical path are listed
};

/// The file is not a report, or a report of another version.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One entry of "runs". `alone_ns`: the makespan without contention.
nlohmann::ordered_json to_json(const RunInfo& info, const trace::Trace& trace, const Execution& run,
                               const Summary& summary, Nanoseconds alone_ns);

/// The whole report of several runs; its order does not depend on their order.
nlohmann::ordered_json make_report(std::vector<nlohmann::ordered_json> runs);
inline constexpr int kReportVersion = 1;
/// The runs of a report's text, after checks of the values that are used. Throws ReportError.
std::vector<nlohmann::ordered_json> runs_of(const std::string& text, const std::string& where);

/// A page of text about one run: makespan, critical path, streams, links, edges.
std::string to_text(const RunInfo& info, const trace::Trace& trace, const Execution& run,
                    const Summary& summary);
/// The same about a whole report: how many runs, how they ended, how long they took.
std::string to_text(const nlohmann::ordered_json& report);

const char* word(CostSource source);
const char* word(Contention contention);
const char* word(Sends sends);

}  // namespace replay
