// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "device_sim/base/clock.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/record/recorded_streams.h"
#include "runtime/trace/op_lines.h"

namespace acl {

class Model;
class Runtime;

/// Runs of graphs. A launch is two ops: its branches begin after the first, and the second, the
/// join, ends after all branches. Callers hold the recorder's lock.
class RecordedGraphs {
 public:
  RecordedGraphs(Runtime& runtime, trace_output::OpLines& lines, RecordedStreams& streams)
      : runtime_(runtime), lines_(lines), streams_(streams) {}

  /// Defines the graph at its first launch.
  void launching(const Model& model);
  /// Adds the two ops of a launch, and returns the number of the join.
  std::uint64_t add_launch(const sim::Stream& stream, std::uint64_t graph);
  /// Ends the two ops, whose second one is `join`.
  void end_launch(std::uint64_t join, sim::Nanoseconds start, sim::Nanoseconds end,
                  const std::string& failure);

  void run_begins(const Model& model, const sim::Stream& launcher);
  void branch_begins(const Model& model, const sim::Stream& branch);
  void branch_ends(const Model& model, const sim::Stream& branch);

 private:
  struct Execution {
    std::uint64_t after = 0;           // its branches begin after this op
    std::uint64_t join = 0;            // the op that ends after the branches
    std::vector<std::uint64_t> lasts;  // of the branches
  };

  /// Adds the ops of a graph that a condition in another graph has chosen.
  std::uint64_t add_inner_launch(const sim::Stream& launcher);

  Runtime& runtime_;
  trace_output::OpLines& lines_;
  RecordedStreams& streams_;
  std::unordered_map<const Model*, Execution> executions_;
  std::unordered_set<std::uint64_t> defined_;
};

}  // namespace acl
