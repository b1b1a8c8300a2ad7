// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/record/recorded_graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/acl/core/runtime.h"
#include "runtime/acl/graph/model.h"
#include "runtime/trace/json_text.h"

namespace acl {

using sim::Nanoseconds;
using trace_output::kNotYet;

void RecordedGraphs::launching(const Model& model) {
  if (!defined_.insert(model.id()).second) return;
  lines_.define(fmt::format(R"({{"def":"graph","id":{},"name":{}}})", model.id(),
                            trace_output::json_string(model.name())));
}

std::uint64_t RecordedGraphs::add_launch(const sim::Stream& stream, std::uint64_t graph) {
  streams_.add(stream, "launch", fmt::format(R"(,"graph":{})", graph));
  return streams_.add(stream, "join", R"(,"n":"graph")");
}

std::uint64_t RecordedGraphs::add_inner_launch(const sim::Stream& launcher) {
  RecordedStreams::Queue& queue = streams_.queue(launcher);
  RecordedStreams::Track& at = streams_.track(launcher);
  const Nanoseconds now = std::max(runtime_.driver().now_ns(), at.end);
  if (queue.in_graph != 0) end_launch(std::exchange(queue.in_graph, 0), now, now, {});
  const auto add_here = [&](const char* op) {
    return at.last = lines_.add(
               {.text = fmt::format(R"("op":"{}","st":{},"n":"graph inside")", op, launcher.id()),
                .late = {},
                .start = now});
  };
  add_here("mark");
  return queue.in_graph = add_here("join");
}

void RecordedGraphs::run_begins(const Model& model, const sim::Stream& launcher) {
  Execution execution;
  const RecordedStreams::Queue& queue = streams_.queue(launcher);
  if (launcher.in_program()) {
    execution.join = add_inner_launch(launcher);
  } else {
    if (queue.pending.empty()) return;
    execution.join = queue.pending.front();
  }
  execution.after = execution.join - 1;
  const trace_output::OpLine* const join = lines_.find(execution.join);
  lines_.end(execution.after, join ? join->start : kNotYet, 0);
  executions_[&model] = execution;
}

void RecordedGraphs::branch_begins(const Model& model, const sim::Stream& branch) {
  const auto found = executions_.find(&model);
  if (found == executions_.end()) return;
  RecordedStreams::Track& at = streams_.track(branch);
  at.after = found->second.after;
  at.branch = at.last;
}

void RecordedGraphs::branch_ends(const Model& model, const sim::Stream& branch) {
  const auto found = executions_.find(&model);
  RecordedStreams::Track& at = streams_.track(branch);
  at.after = 0;
  if (found != executions_.end() && at.last != at.branch) found->second.lasts.push_back(at.last);
}

void RecordedGraphs::end_launch(std::uint64_t join, Nanoseconds start, Nanoseconds end,
                                const std::string& failure) {
  const auto found = std::find_if(executions_.begin(), executions_.end(),
                                  [&](const auto& entry) { return entry.second.join == join; });
  std::string late = failure;
  if (const trace_output::OpLine* const line = lines_.find(join); line && line->start != kNotYet) {
    start = line->start;
  }
  if (found == executions_.end()) {  // it was dropped before it began
    lines_.end(join - 1, start, 0);
  } else {
    std::vector<std::uint64_t>& lasts = found->second.lasts;
    std::sort(lasts.begin(), lasts.end());
    if (!lasts.empty()) late += fmt::format(R"(,"dep":[{}])", fmt::join(lasts, ","));
    executions_.erase(found);
  }
  lines_.end(join, start, start == kNotYet ? 0 : end - start, late);
}

}  // namespace acl
