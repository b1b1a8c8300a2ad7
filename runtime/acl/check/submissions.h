// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/graph_ops.h"
#include "runtime/acl/check/group_reports.h"
#include "runtime/acl/check/kernel_census.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/check/rank_operations.h"
#include "runtime/acl/check/read_checks.h"
#include "runtime/acl/check/reporter.h"
#include "runtime/acl/check/stream_accesses.h"
#include "runtime/acl/check/sync_objects.h"
#include "runtime/acl/check/unknown_writers.h"

namespace sim {
struct WaitOp;
}

namespace acl {

/// The operations that the program enqueues.
class Submissions {
 public:
  Submissions(Runtime& runtime, CheckLock& lock, Actors& actors, Reporter& reporter,
              KernelCensus& kernels, GraphOps& graph_ops, SyncObjects& sync,
              UnknownWriters& unknown_writers, HostMemoryInUse& host_memory, GroupReports& group,
              MemoryLives& memory_lives, StreamAccesses& accesses, ReadChecks& read_checks,
              RankOperations& rank_operations);

  /// `before`: the thread's last op without accesses, before this one.
  void submit(Stream& stream, sim::Op& op, CheckThread::TouchedNothing before) EXCLUDES(check_lock);
  /// An annotation: the thread's next kernel accesses these bytes, besides the bytes of earlier
  /// calls.
  void next_kernel_accesses(const void* begin, std::size_t size, bool write) EXCLUDES(check_lock);

 private:
  /// False: the op needs an item of its own.
  bool submit_nothing(Stream& stream, order::Actor actor, const CheckThread::TouchedNothing& before)
      REQUIRES(check_lock);
  void start_batch(Stream& stream, const CheckThread::TouchedNothing& before) REQUIRES(check_lock);
  bool submit_value_write(sim::Op& op, order::Actor actor, const order::OpInfo& what)
      REQUIRES(check_lock);
  void submit_accesses(Stream& stream, sim::Op& op, order::Actor actor,
                       const CheckThread::TouchedNothing& before) REQUIRES(check_lock);
  void submit_kernel(Stream& stream, sim::Op& op, order::Actor actor,
                     const CheckThread::TouchedNothing& before) REQUIRES(check_lock);
  bool submit_wait_at_once(const sim::WaitOp& wait, order::Actor actor) REQUIRES(check_lock);
  void submit_sync(sim::Op& op, order::Actor actor, const order::OpInfo& what) REQUIRES(check_lock);
  [[gnu::always_inline]] void submit_record(sim::Op& op, order::Actor to, order::Actor by,
                                            const order::OpInfo& what) REQUIRES(check_lock);
  [[gnu::always_inline]] void submit_wait(sim::Op& op, order::Actor to, order::Actor by,
                                          const order::OpInfo& what) REQUIRES(check_lock);
  [[gnu::always_inline]] void submit_word_wait(sim::Op& op, order::Actor to, order::Actor by,
                                               const order::OpInfo& what) REQUIRES(check_lock);
  void submit_reset(sim::Op& op, order::Actor to, order::Actor by, const order::OpInfo& what)
      REQUIRES(check_lock);
  void submit_launch(sim::Op& op, order::Actor actor, order::OpInfo what) REQUIRES(check_lock);
  void report_flag(const order::OpInfo& what, const order::OpInfo& before) REQUIRES(check_lock);

  Runtime& runtime_;
  CheckLock& lock_;
  Actors& actors_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  Reporter& reporter_;
  KernelCensus& kernels_ GUARDED_BY(check_lock);
  GraphOps& graph_ops_;
  SyncObjects& sync_;
  UnknownWriters& unknown_writers_;
  HostMemoryInUse& host_memory_;
  GroupReports& group_;
  MemoryLives& memory_lives_;
  StreamAccesses& stream_accesses_;
  ReadChecks& read_checks_;
  RankOperations& rank_operations_;
  std::uint32_t last_pass_ GUARDED_BY(check_lock) = 0;
  std::vector<order::Access> accesses_ GUARDED_BY(check_lock);  // of one op; keeps its capacity
  const Settled settled_;
};

}  // namespace acl
