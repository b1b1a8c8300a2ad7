// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "device_sim/base/spin_lock.h"
#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/graph_ops.h"
#include "runtime/acl/check/graph_runs.h"
#include "runtime/acl/check/host_memory_in_use.h"

namespace acl {

/// Functions of the program that the machine calls. They are many, and most do nothing that matters
/// here. The thread of such a function reports it by its end alone and does not wait for the lock:
/// the next thread that enters takes the report in.
class Callbacks final : public CheckLock::Deferral {
 public:
  Callbacks(CheckLock& lock, Actors& actors, const GraphOps& graph_ops, GraphRuns& graph_runs,
            HostMemoryInUse& host_memory)
      : lock_(lock),
        actors_(actors),
        engine_(actors.engine()),
        graph_ops_(graph_ops),
        graph_runs_(graph_runs),
        host_memory_(host_memory) {}

  void function_begins(const sim::Stream& stream, std::uint32_t completion_id) EXCLUDES(check_lock);
  void function_ended(const sim::Stream& stream, std::uint32_t completion_id) EXCLUDES(check_lock);
  /// The functions that threads are in, or that have ended, and that the engine does not know yet.
  std::vector<order::Engine::Begun> begun() REQUIRES(check_lock);
  /// Everything begins anew: forgets the deferred reports.
  void restart() REQUIRES(check_lock);

  void take_deferred() override REQUIRES(check_lock);
  void take_begun() override REQUIRES(check_lock);

 private:
  /// The thread's function has ended, which may have touched guarded memory.
  void guarded_function_ended() EXCLUDES(check_lock);
  /// Defers the report of the thread's function, which has ended and did nothing that the checker
  /// has to take in.
  void defer(CheckThread& thread) EXCLUDES(check_lock);

  CheckLock& lock_;
  Actors& actors_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  const GraphOps& graph_ops_;
  GraphRuns& graph_runs_;
  HostMemoryInUse& host_memory_;
  sim::SpinLock deferred_lock_;  // taken last; the generation of the actors changes with it held
  std::vector<order::Engine::Call> deferred_ GUARDED_BY(deferred_lock_);
  std::vector<order::Engine::Call> taken_ GUARDED_BY(check_lock);  // keeps its capacity
};

}  // namespace acl
