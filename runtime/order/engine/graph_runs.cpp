// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/graph_runs.h"

#include <utility>

namespace order {

void GraphRuns::begins(CompletionId launch, Actor stream) {
  const PendingItem* const at = queues_.find(launch);
  if (!at) return;
  clocks_[stream].clock.join(queues_.clock_at(*at));
  const ItemQueues::Queue& waiting = queues_[at->actor];
  launches_[stream] = {waiting.empty() ? nullptr : waiting.front().hosts_clock, at->op_info,
                       at->actor};
  last_launches_.add(at->op_info);
  clocks_.step(stream);
}

void GraphRuns::ends(CompletionId launch, Actor stream) {
  if (const PendingItem* const at = queues_.find(launch)) {
    clocks_[at->actor].clock.join(clocks_[stream].clock);
  }
}

void GraphRuns::inner_begins(Actor outer, const VectorClock& before, Actor stream) {
  clocks_[stream].clock.join(before);
  launches_[stream] = launches_[outer];
  clocks_.step(stream);
}

void GraphRuns::inner_ends(Actor outer, Actor stream) {
  clocks_[outer].clock.join(clocks_[stream].clock);
}

void GraphRuns::op(Actor stream, OpInfo op_info, std::span<const Access> accesses) {
  clocks_.step(stream);
  const auto& [hosts, by, launcher] = launches_[stream];
  const VectorClock* const at_launch = hosts ? &hosts->clock : nullptr;
  if (by.called != 0) op_info.captured = std::exchange(op_info.called, by.called);
  accesses_.take(stream, op_info, accesses, at_launch);
}

void GraphRuns::ops(Actor stream, std::span<GraphOp> ops) {
  const auto& [hosts, by, launcher] = launches_[stream];
  for (GraphOp& each : ops)
    each.op_info.called = by.called != 0 ? by.called : each.op_info.captured;
  // The program called the operations behind the launch after it.
  const bool overtakes = !clocks_.all_blocked_are(launcher);
  accesses_.take(stream, clocks_[stream].clock, ops, hosts ? &hosts->clock : nullptr, overtakes);
}

void GraphRuns::call_begins(Actor stream, Actor host, bool blocking) {
  clocks_.step(stream);
  hosts_.enter_function(host, clocks_[stream].clock, stream, launches_[stream].hosts,
                        launches_[stream].by, blocking);
}

void GraphRuns::call_ends(Actor stream, Actor host, bool blocking) {
  if (blocking) hosts_.end_function(host, clocks_[stream].clock);
  hosts_.leave_function(host);
}

void GraphRuns::record(Actor stream, const OpInfo& op_info, Node& node) {
  clocks_.step(stream);
  node.record = op_info;
  items_.resolve(node, clocks_[stream].clock);
}

void GraphRuns::wait(Actor stream, const Node& node) {
  clocks_.step(stream);
  if (node.resolved) clocks_[stream].clock.join(node.clock);
}

void GraphRuns::change(Actor stream, const OpInfo& op_info, Variable& variable,
                       const Variable::Update& update, bool adds) {
  clocks_.step(stream);
  variable.last = op_info;
  ++variable.counts.records;
  variable.change(update, adds, clocks_[stream].clock);
}

void GraphRuns::wait_for(Actor stream, Variable& variable, const Variable::Test& test,
                         bool clears) {
  clocks_.step(stream);
  ++variable.counts.waits;
  items_.pass(stream, variable, test, clears);
}

}  // namespace order
