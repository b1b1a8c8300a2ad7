// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/graph_ops.h"
#include "runtime/acl/check/graph_transfers.h"
#include "runtime/acl/check/group_reports.h"
#include "runtime/acl/check/host_memory_in_use.h"
#include "runtime/acl/check/kernel_census.h"
#include "runtime/acl/check/rank_operations.h"
#include "runtime/acl/check/reporter.h"
#include "runtime/acl/check/sync_objects.h"
#include "runtime/acl/check/unknown_writers.h"

namespace acl {

class Model;

/// Graphs: their operations are reported to the engine when they run, not when they are captured.
class GraphRuns {
 public:
  GraphRuns(Runtime& runtime, CheckLock& lock, Actors& actors, Reporter& reporter,
            KernelCensus& kernels, GraphOps& ops, SyncObjects& sync,
            UnknownWriters& unknown_writers, HostMemoryInUse& host_memory, GroupReports& group,
            RankOperations& rank_operations)
      : runtime_(runtime),
        lock_(lock),
        actors_(actors),
        engine_(actors.engine()),
        reporter_(reporter),
        kernels_(kernels),
        ops_(ops),
        sync_(sync),
        unknown_writers_(unknown_writers),
        host_memory_(host_memory),
        group_(group),
        rank_operations_(rank_operations),
        transfers_(ops) {}

  void captured(Stream& stream, sim::Op& op) EXCLUDES(check_lock);
  void run_begins(const Model& model, sim::Stream& launcher) EXCLUDES(check_lock);
  void program_made(const sim::Stream& stream, sim::Program& program) EXCLUDES(check_lock);
  sim::Ref<sim::DeferredReports> branch_begins(const Model& model, const sim::Stream& branch,
                                               const sim::Program& program) EXCLUDES(check_lock);
  void branch_ends(const Model& model, const sim::Stream& branch) EXCLUDES(check_lock);
  void branch_activating(const sim::Stream& by, std::shared_ptr<void>& kept) EXCLUDES(check_lock);
  void branch_activated(const sim::Stream& branch, const std::shared_ptr<void>& kept)
      EXCLUDES(check_lock);
  void record_announced(Stream& launcher, sim::Signal& signal) EXCLUDES(check_lock);
  void recorded(const sim::Stream& branch, sim::Signal& signal) EXCLUDES(check_lock);
  void waited(const sim::Stream& branch, sim::Signal& signal) EXCLUDES(check_lock);
  /// The op of a graph has run.
  void ran(sim::Stream& stream, const sim::Op& op) REQUIRES(check_lock);
  /// An op of a graph is reported: it has run, or has failed. After `take_deferred`.
  void reported(const sim::Stream& stream, sim::Failure failure) REQUIRES(check_lock) {
    transfers_.restart(stream, failure.error == sim::Error::aborted);
  }
  /// Takes in the ops that have run, and whose reports are deferred. True: more may follow.
  bool take_deferred() REQUIRES(check_lock);
  void clear() REQUIRES(check_lock) {
    runs_.clear();
    transfers_.clear();
  }

 private:
  /// A run of a graph: by an op with a completion id, or by a task of another run.
  struct GraphRun {
    order::CompletionId launch = 0;  // 0: by a task
    order::Actor outer = 0;          // the stream of the task
    order::VectorClock before;       // the clock of that stream when the run began
  };
  void ran_transfer(const sim::Stream& stream, const sim::Op& op) REQUIRES(check_lock);
  void ran_value_write(order::Actor by, const sim::Op& op, const order::OpInfo& what)
      REQUIRES(check_lock);
  void ran_sync(order::Actor actor, const sim::Op& op, const order::OpInfo& op_info)
      REQUIRES(check_lock);

  Runtime& runtime_;
  CheckLock& lock_;
  Actors& actors_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  Reporter& reporter_;
  KernelCensus& kernels_ GUARDED_BY(check_lock);
  GraphOps& ops_;
  SyncObjects& sync_;
  UnknownWriters& unknown_writers_;
  HostMemoryInUse& host_memory_;
  GroupReports& group_;
  RankOperations& rank_operations_;
  GraphTransfers transfers_;
  // The last run of each graph.
  std::unordered_map<const Model*, GraphRun> runs_ GUARDED_BY(check_lock);
  std::vector<order::Access> accesses_ GUARDED_BY(check_lock);  // of one op; keeps its capacity
};

}  // namespace acl
