// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/group_reports.h"
#include "runtime/acl/check/host_memory_in_use.h"
#include "runtime/acl/check/memory_lives.h"

namespace acl {

/// The accesses of operations, which the engine takes in when the operations are issued.
class StreamAccesses {
 public:
  StreamAccesses(Actors& actors, Reporter& reporter, GroupReports& group, MemoryLives& memory_lives,
                 HostMemoryInUse& host_memory)
      : actors_(actors),
        engine_(actors.engine()),
        reporter_(reporter),
        group_(group),
        memory_lives_(memory_lives),
        host_memory_(host_memory) {}

  void op(order::Actor to, const order::OpInfo& what, std::span<const order::Access> accesses)
      REQUIRES(check_lock) {
    host_memory_.buffers().forget_written(accesses);
    group_.note_issue(to);
    memory_lives_.check_blocks(what, accesses);
    engine_.op(to, actors_.host(), what, accesses);
    host_memory_.bar_hosts(to, accesses);
    if (what.declared) host_memory_.keep_buffers(to, what, accesses);
  }
  void copy(const Stream& stream, const sim::Op& op, order::Actor to) REQUIRES(check_lock);
  /// A kernel that reports its accesses when it is over. The guesses count until then.
  void observed_kernel(sim::Op& op, order::Actor to, const order::OpInfo& what,
                       std::span<const order::Access> guesses) REQUIRES(check_lock);
  /// For operations that are several items, or an item of another kind: before the first item, and
  /// after the last one.
  void begin(order::Actor to, const order::OpInfo& what, std::span<const order::Access> accesses)
      REQUIRES(check_lock);
  void end(order::Actor to, const order::OpInfo& /*what*/, std::span<const order::Access> accesses)
      REQUIRES(check_lock) {
    host_memory_.bar_hosts(to, accesses);
  }
  void check_freed(const order::OpInfo& what, std::span<const order::Access> accesses)
      REQUIRES(check_lock) {
    memory_lives_.check_freed(what, accesses);
  }

  void peer_access_ending(int device, int peer) REQUIRES(check_lock);
  void clear() REQUIRES(check_lock) { peer_copies_.clear(); }

 private:
  struct PeerCopy {
    int from, to;  // devices of the machine
    order::Epoch when;
    order::OpInfo op_info;
  };

  Actors& actors_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  Reporter& reporter_;
  GroupReports& group_;
  MemoryLives& memory_lives_;
  HostMemoryInUse& host_memory_;
  std::vector<PeerCopy> peer_copies_ GUARDED_BY(check_lock);
};

}  // namespace acl
