// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/graph_runs.h"

namespace acl {

class ReadChecks;
class StreamLives;

/// Operations that are over, as the machine reports them.
class TaskEnds {
 public:
  TaskEnds(Runtime& runtime, CheckLock& lock, Actors& actors, Reporter& reporter,
           KernelCensus& kernels, const GraphOps& graph_ops, UnknownWriters& unknown_writers,
           HostMemoryInUse& host_memory, GroupReports& group, ReadChecks& read_checks,
           RankOperations& rank_operations, GraphRuns& graph_runs, const StreamLives& streams)
      : runtime_(runtime),
        lock_(lock),
        engine_(actors.engine()),
        reporter_(reporter),
        kernels_(kernels),
        graph_ops_(graph_ops),
        unknown_writers_(unknown_writers),
        host_memory_(host_memory),
        group_(group),
        read_checks_(read_checks),
        rank_operations_(rank_operations),
        graph_runs_(graph_runs),
        streams_(streams) {}

  void ended(sim::Stream& stream, const sim::Op& op, sim::Failure failure) EXCLUDES(check_lock);
  /// The accesses of the kernel that the calling thread runs. They are kept until it has ended.
  void kernel_accessed(std::uint32_t stream_id, std::uint32_t task_id,
                       std::span<const sim::MemoryRange> ranges);

 private:
  void observed_kernel_ended(const sim::Stream& stream, const sim::Op& op) REQUIRES(check_lock);
  void report_timeout(const sim::Op& op) REQUIRES(check_lock);
  void report_limit_of_ranks(const sim::Stream& stream, const sim::Op& op, sim::Failure failure)
      REQUIRES(check_lock);

  Runtime& runtime_;
  CheckLock& lock_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  Reporter& reporter_;
  KernelCensus& kernels_ GUARDED_BY(check_lock);
  const GraphOps& graph_ops_;
  UnknownWriters& unknown_writers_;
  HostMemoryInUse& host_memory_;
  GroupReports& group_;
  ReadChecks& read_checks_;
  RankOperations& rank_operations_;
  GraphRuns& graph_runs_;
  const StreamLives& streams_;
};

/// The accesses that the kernel of the op reported, if the calling thread ran it; empty: none.
std::vector<order::Access> take_accessed(const sim::Stream& stream, const sim::Op& op);

}  // namespace acl
