// SPDX-License-Identifier: Apache-2.0
// Ops of graphs: taken in when they run, not when they are put in.
#include <cstdint>
#include <utility>

#include "device_sim/streams/stream.h"
#include "device_sim/streams/word.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/check/word_order.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/graph/model_run.h"
#include "runtime/acl/memory/value_word.h"

namespace acl {

const Checker::Template* Checker::template_of(std::uint32_t completion_id) const {
  const std::size_t entry = completion_id & ~kInGraph;
  return (completion_id & kInGraph) != 0 && entry <= templates_.size() ? &templates_[entry - 1]
                                                                       : nullptr;
}

void Checker::captured(Stream& stream, sim::Op& op) {
  const bool kernel = op.kind == sim::OpKind::kernel;
  if (kernel) check_thread().next_kernel.clear();  // the graph runs it where they are not known
  const bool nothing = touches_nothing(runtime_.memory(), op);
  if (nothing) op.completion_id = sim::Op::kUnreported;
  if (nothing && !kernel) return;
  const Entry guard(*this);
  if (kernel && kernels_.launched(op.kernel.name, call_site_of(thread_state()),
                                  !declares_nothing(op) || is_observed(op))) {
    tell_undeclared(op_info(stream, op, actor(stream)));
  }
  if (nothing) return;
  Template entry{op_info(stream, op, actor(stream)),
                 op.kind == sim::OpKind::host_call && op.host_call.blocking};
  entry.op_info.number = 0;
  templates_.push_back(entry);
  op.completion_id = kInGraph | static_cast<std::uint32_t>(templates_.size());
}

// What the graph, or the operation of another library, touches counts as in use from here on.
void Checker::submit_launch(sim::Op& op, order::Actor to, order::OpInfo what) {
  accesses_.clear();
  if (const auto* const launch = dynamic_cast<const ModelLaunch*>(op.control.control)) {
    what.declared = append_accesses(runtime_.memory(), launch->model(), settled_, accesses_);
  } else if (submit_operation(op, to, what)) {
    return;
  }
  tell_gone(what, accesses_);
  host_buffers_.forget_written(accesses_);
  op.completion_id = engine_.launch(to, host(), what, accesses_);
  bar_hosts(to, what, accesses_);
  keep_buffers(to, what, accesses_);
}

// A conditional task stands in a stream of another run; that one goes on when this run is over.
void Checker::run_begins(const Model& model, sim::Stream& launcher) {
  const Entry guard(*this);
  Run& run = runs_[&model] = {};
  if (launcher.in_program()) {
    run.outer = actor(launcher.id());
    run.before = engine_.clock(run.outer);
  } else if (const sim::Op* const head = launcher.head()) {
    run.launch = head->completion_id;
  }
}

void Checker::branch_begins(const Model& model, const sim::Stream& branch) {
  const Entry guard(*this);
  const auto at = runs_.find(&model);
  if (at == runs_.end()) return;
  const Run& run = at->second;
  if (run.launch != 0) return engine_.run_begins(run.launch, actor(branch.id()));
  engine_.inner_run_begins(run.outer, run.before, actor(branch.id()));
}

void Checker::branch_ends(const Model& model, const sim::Stream& branch) {
  const Entry guard(*this);
  const auto at = runs_.find(&model);
  if (at == runs_.end()) return;
  const Run& run = at->second;
  if (run.launch != 0) return engine_.run_ends(run.launch, actor(branch.id()));
  engine_.inner_run_ends(run.outer, actor(branch.id()));
}

void Checker::branch_activating(const sim::Stream& by, std::shared_ptr<void>& kept) {
  const Entry guard(*this);
  kept = std::make_shared<order::VectorClock>(engine_.clock(actor(by.id())));
}

void Checker::branch_activated(const sim::Stream& branch, const std::shared_ptr<void>& kept) {
  const Entry guard(*this);
  engine_.run_activated(actor(branch.id()), *static_cast<const order::VectorClock*>(kept.get()));
}

void Checker::record_announced(Stream& launcher, sim::Signal& signal) {
  const Entry guard(*this);
  order::Node& node = new_node(signal);
  node.by = actor(launcher);
  node.record = op_info(launcher, sim::Op(sim::OpKind::record), node.by);
}

void Checker::recorded_in_run(const sim::Stream& branch, sim::Signal& signal) {
  const Entry guard(*this);
  order::Node* const node = node_of(signal);
  if (node) engine_.run_record(actor(branch.id()), order::OpInfo(node->record), *node);
}

void Checker::waited_in_run(const sim::Stream& branch, sim::Signal& signal) {
  const Entry guard(*this);
  if (const order::Node* const node = node_of(signal)) {
    engine_.run_wait(actor(branch.id()), *node);
  }
}

order::OpInfo Checker::op_info_in_graph(const sim::Stream& stream, const sim::Op& op) const {
  order::OpInfo what;
  if (const Template* const from = template_of(op.completion_id)) what = from->op_info;
  if (what.site == 0) what.what = name_in_reports(op);
  what.stream = stream.id();
  what.on_default_stream = false;
  what.in_graph = true;
  what.device = static_cast<std::int16_t>(runtime_.logical(stream.device()));
  return what;
}

void Checker::ran_in_graph(sim::Stream& stream, const sim::Op& op) {
  const order::Actor by = actor(stream.id());
  if (operation_ran_in_graph(stream, op)) return;
  order::OpInfo what = op_info_in_graph(stream, op);
  accesses_.clear();
  const auto settled = [](const void*, std::size_t) { return true; };  // it has read it already
  if (is_observed(op)) accesses_ = take_accessed(stream, op);
  if (!accesses_.empty()) {
    what.observed = true;
    may_have_used_pointers(op, accesses_);
  } else {
    what.declared = append_accesses(runtime_.memory(), op, settled, accesses_);
  }
  host_buffers_.forget_written(accesses_);
  if (!accesses_.empty()) {
    engine_.run_op(by, what, accesses_);
    return ran_value_write_in_graph(by, op, what);
  }
  ran_sync_in_graph(by, op, what);
  if (const Shared* const shared = group_log_ ? shared_of(op) : nullptr) {
    report_to_group(op, *shared, engine_.now(by), engine_.clock(by), what);
  }
}

void Checker::ran_value_write_in_graph(order::Actor by, const sim::Op& op,
                                       const order::OpInfo& what) {
  if (op.kind != sim::OpKind::task) return;
  const auto* const write = dynamic_cast<const ValueWrite*>(op.task.task);
  if (!write) return;
  const auto address = reinterpret_cast<std::uintptr_t>(write->address());
  engine_.run_change(
      by, what, *value_at(address), [value = write->value()](std::uint64_t) { return value; },
      false);
}

void Checker::ran_sync_in_graph(order::Actor by, const sim::Op& op, const order::OpInfo& what) {
  switch (op.kind) {
    case sim::OpKind::record: {
      Attached& at = attached(*op.record.signal);
      at.recorded = true;
      return engine_.run_record(by, what, at.node);
    }
    case sim::OpKind::wait:
      if (const auto* const node = node_of(*op.wait.signal)) engine_.run_wait(by, *node);
      return;
    case sim::OpKind::word_change:
      return engine_.run_change(by, what, *variable(*op.word_change.word, what.what),
                                update_of(op.word_change.how, op.word_change.value),
                                op.word_change.how != sim::WordChange::set);
    case sim::OpKind::word_wait:
      return engine_.run_wait_for(by, *variable(*op.word_wait.word, what.what),
                                  test_of(op.word_wait.test), op.word_wait.test.clear);
    default:
      return;
  }
}

}  // namespace acl
