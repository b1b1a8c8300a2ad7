// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/touches/guarded_reads.h"
#include "runtime/order/engine/engine.h"

namespace acl {

class Runtime;

/// Memory that is closed to host code while tasks use it (--guard-reads), and the touches that this
/// shows.
class GuardedMemory {
 public:
  GuardedMemory(Runtime& runtime, CheckLock& lock, Actors& actors);

  bool guards(const order::Access& access) const { return reads_.guards(access); }
  /// The task at the epoch accesses these bytes.
  void add(const order::Access& access, order::Epoch when) REQUIRES(check_lock);
  /// The same for the accesses that write.
  void add_written(std::span<const order::Access> accesses, order::Epoch when) REQUIRES(check_lock);
  /// Opens the memory of tasks that a host thread is ordered after.
  void settle() REQUIRES(check_lock);

  /// The calling thread begins a function of a stream, which may touch memory that tasks before it
  /// have used, and memory of tasks that wait for it.
  void function_begins(std::uint32_t completion_id, bool in_graph) REQUIRES(check_lock);
  void function_ends() REQUIRES(check_lock);
  /// The calling thread has waited, and is about to join the clock. Memory that this opens may be
  /// touched by functions that run at the same time: lets these end first. Each delay in vain
  /// halves the patience.
  void let_functions_end(const order::VectorClock& joined) EXCLUDES(check_lock);
  /// A kernel or a function is over, for which pages may have been opened.
  void close_again() { reads_.close_again(); }

  void forget(std::uintptr_t begin, std::size_t size) { reads_.forget(begin, size); }
  void clear() { reads_.clear(); }

 private:
  /// A function that a thread runs.
  struct Function {
    const CheckThread* thread;
    std::uint32_t completion_id;
    order::Actor host;
    order::Epoch call;
    bool blocks;    // its stream
    bool in_graph;  // which uses its memory as a whole
    std::vector<PendingUse> admitted;
  };
  bool functions_run_beside(const order::VectorClock& joined) REQUIRES(check_lock);
  bool admits(const Function& function, const PendingUse& use) const REQUIRES(check_lock);
  void host_touched(const HostTouch& touch) EXCLUDES(check_lock);
  void mark_touch(const order::OpInfo& host);

  Runtime& runtime_;
  CheckLock& lock_;
  Actors& actors_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  GuardedReads reads_;
  std::vector<Function> functions_ GUARDED_BY(check_lock);  // that run
  std::chrono::microseconds patience_ GUARDED_BY(check_lock);
};

}  // namespace acl
