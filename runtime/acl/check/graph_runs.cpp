// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/graph_runs.h"

#include <cstdint>
#include <utility>

#include "device_sim/streams/stream.h"
#include "device_sim/streams/word.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/check/task_ends.h"
#include "runtime/acl/check/word_order.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/graph/model_run.h"
#include "runtime/acl/memory/value_word.h"

namespace acl {

void GraphRuns::captured(Stream& stream, sim::Op& op) {
  const bool kernel = op.kind == sim::OpKind::kernel;
  if (kernel) check_thread().next_kernel.clear();  // they are not known when the graph runs it
  const bool nothing = touches_nothing(runtime_.memory(), op);
  if (nothing) op.completion_id = sim::Op::kUnreported;
  if (nothing && !kernel) return;
  const CheckLock::Entry guard(lock_);
  if (kernel && kernels_.launched(op.kernel.name, call_site_of(thread_state()),
                                  !declares_nothing(op) || is_observed(op))) {
    reporter_.report_undeclared(actors_.op_info(stream, op, actors_.actor(stream)));
  }
  if (nothing) return;
  GraphOps::Captured entry{actors_.op_info(stream, op, actors_.actor(stream)),
                           op.kind == sim::OpKind::host_call && op.host_call.blocking};
  entry.op_info.number = 0;
  op.completion_id = ops_.add(entry);
}

// A conditional task is an op of another run, which goes on when this run is over.
void GraphRuns::run_begins(const Model& model, sim::Stream& launcher) {
  const CheckLock::Entry guard(lock_);
  GraphRun& run = runs_[&model] = {};
  if (launcher.in_program()) {
    run.outer = actors_.actor(launcher.id());
    run.before = engine_.clock(run.outer);
  } else if (const sim::Op* const head = launcher.head()) {
    run.launch = head->completion_id;
  }
}

void GraphRuns::program_made(const sim::Stream& stream, sim::Program& program) {
  if (!GraphTransfers::may_defer(program)) return;
  const CheckLock::Entry guard(lock_);
  transfers_.defer(stream, program);
}

sim::Ref<sim::DeferredReports> GraphRuns::branch_begins(const Model& model,
                                                        const sim::Stream& branch,
                                                        const sim::Program& program) {
  const CheckLock::Entry guard(lock_);
  sim::Ref<sim::DeferredReports> deferred = transfers_.begins(program);
  if (deferred) lock_.set_deferred();
  const auto at = runs_.find(&model);
  if (at == runs_.end()) return deferred;
  const GraphRun& run = at->second;
  const order::Actor actor = actors_.actor(branch.id());
  if (run.launch != 0) {
    engine_.graph_runs().begins(run.launch, actor);
  } else {
    engine_.graph_runs().inner_begins(run.outer, run.before, actor);
  }
  return deferred;
}

void GraphRuns::branch_ends(const Model& model, const sim::Stream& branch) {
  const CheckLock::Entry guard(lock_);
  transfers_.ends(branch.id());
  const auto at = runs_.find(&model);
  if (at == runs_.end()) return;
  const GraphRun& run = at->second;
  if (run.launch != 0) return engine_.graph_runs().ends(run.launch, actors_.actor(branch.id()));
  engine_.graph_runs().inner_ends(run.outer, actors_.actor(branch.id()));
}

void GraphRuns::branch_activating(const sim::Stream& by, std::shared_ptr<void>& kept) {
  const CheckLock::Entry guard(lock_);
  kept = std::make_shared<order::VectorClock>(engine_.clock(actors_.actor(by.id())));
}

void GraphRuns::branch_activated(const sim::Stream& branch, const std::shared_ptr<void>& kept) {
  const CheckLock::Entry guard(lock_);
  engine_.graph_runs().activated(actors_.actor(branch.id()),
                                 *static_cast<const order::VectorClock*>(kept.get()));
}

void GraphRuns::record_announced(Stream& launcher, sim::Signal& signal) {
  const CheckLock::Entry guard(lock_);
  order::Node& node = sync_.new_node(signal);
  node.by = actors_.actor(launcher);
  node.record = actors_.op_info(launcher, sim::Op(sim::OpKind::record), node.by);
}

void GraphRuns::recorded(const sim::Stream& branch, sim::Signal& signal) {
  const CheckLock::Entry guard(lock_);
  order::Node* const node = sync_.node_of(signal);
  if (node)
    engine_.graph_runs().record(actors_.actor(branch.id()), order::OpInfo(node->record), *node);
}

void GraphRuns::waited(const sim::Stream& branch, sim::Signal& signal) {
  const CheckLock::Entry guard(lock_);
  if (const order::Node* const node = sync_.node_of(signal)) {
    engine_.graph_runs().wait(actors_.actor(branch.id()), *node);
  }
}

bool GraphRuns::take_deferred() {
  transfers_.take_all(
      [this](std::uint32_t stream, std::span<order::GraphOp> transfers) REQUIRES(check_lock) {
        for (const order::GraphOp& transfer : transfers) {
          const std::span<const order::Access> accesses = transfer.all_accesses();
          if (accesses.back().host) host_memory_.buffers().forget_written(accesses);
        }
        engine_.graph_runs().ops(actors_.actor(stream), transfers);
      });
  return transfers_.any();
}

/// A copy or a fill: most operations of graphs are kernels without accesses, or these.
void GraphRuns::ran_transfer(const sim::Stream& stream, const sim::Op& op) {
  const order::Actor by = actors_.actor(stream.id());
  const order::OpInfo what = ops_.op_info(stream, op);
  if (op.kind == sim::OpKind::fill) {
    const order::Access written = access_of(op.fill);
    if (written.host) host_memory_.buffers().forget_written({&written, 1});
    return engine_.graph_runs().op(by, what, {&written, 1});
  }
  const auto both = accesses_of(op.copy);
  if (both[1].host) host_memory_.buffers().forget_written(both);
  engine_.graph_runs().op(by, what, both);
}

void GraphRuns::ran(sim::Stream& stream, const sim::Op& op) {
  if (op.kind == sim::OpKind::fill || op.kind == sim::OpKind::copy) {
    return ran_transfer(stream, op);
  }
  const order::Actor by = actors_.actor(stream.id());
  if (rank_operations_.ran_in_graph(stream, op)) return;
  order::OpInfo what = ops_.op_info(stream, op);
  accesses_.clear();
  const auto settled = [](const void*, std::size_t) {
    return true;
  };  // the op has read the memory already
  if (is_observed(op)) accesses_ = take_accessed(stream, op);
  if (!accesses_.empty()) {
    what.observed = true;
    unknown_writers_.add_kernel(op, accesses_);
  } else {
    what.declared = append_accesses(runtime_.memory(), op, settled, accesses_);
  }
  host_memory_.buffers().forget_written(accesses_);
  if (!accesses_.empty()) {
    engine_.graph_runs().op(by, what, accesses_);
    return ran_value_write(by, op, what);
  }
  ran_sync(by, op, what);
  group_.ran_in_graph(op, by, what);
}

void GraphRuns::ran_value_write(order::Actor by, const sim::Op& op, const order::OpInfo& what) {
  if (op.kind != sim::OpKind::task) return;
  const auto* const write = dynamic_cast<const ValueWrite*>(op.task.task);
  if (!write) return;
  const auto address = reinterpret_cast<std::uintptr_t>(write->address());
  engine_.graph_runs().change(
      by, what, *sync_.value_at(address), [value = write->value()](std::uint64_t) { return value; },
      false);
}

void GraphRuns::ran_sync(order::Actor by, const sim::Op& op, const order::OpInfo& what) {
  switch (op.kind) {
    case sim::OpKind::record: {
      SyncObjects::Attached& at = sync_.attached(*op.record.signal);
      at.recorded = true;
      return engine_.graph_runs().record(by, what, at.node);
    }
    case sim::OpKind::wait:
      if (const auto* const node = sync_.node_of(*op.wait.signal))
        engine_.graph_runs().wait(by, *node);
      return;
    case sim::OpKind::word_change:
      return engine_.graph_runs().change(by, what, *sync_.variable(*op.word_change.word, what.what),
                                         update_of(op.word_change.how, op.word_change.value),
                                         op.word_change.how != sim::WordChange::set);
    case sim::OpKind::word_wait:
      return engine_.graph_runs().wait_for(by, *sync_.variable(*op.word_wait.word, what.what),
                                           test_of(op.word_wait.test), op.word_wait.test.clear);
    default:
      return;
  }
}

}  // namespace acl
