// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/order/engine/clocks.h"
#include "runtime/order/engine/conflict_reporter.h"
#include "runtime/order/engine/host_threads.h"
#include "runtime/order/engine/shadow.h"

namespace order {

/// Accesses of host code outside of calls. They are compared with the operations of streams only:
/// host threads order their own accesses in ways that the engine does not see.
///
/// An operation that was issued before the touch and is not ordered with it conflicts for certain.
/// An operation that was issued later may be ordered after the touch by host threads.
class HostTouches {
 public:
  /// `counter`: a host thread whose steps count the touches.
  HostTouches(const Clocks& clocks, const HostThreads& hosts, ConflictReporter& reporter,
              Actor counter)
      : clocks_(clocks), hosts_(hosts), reporter_(reporter), counter_(counter) {}

  /// The thread touches the byte now. `operations`: the accesses that were taken in; queued
  /// operations are compared when they are taken in. True: a finding was reported.
  bool touch(Actor host, const OpInfo& op_info, const Access& byte, const Shadow& operations);
  /// An operation of a stream, or a call, is taken in. `hosts_at_issue`: as in `Accesses::take`.
  void compare(Actor actor, const OpInfo& op_info, const Access& access,
               const VectorClock* hosts_at_issue);
  void erase(const Access& range) { touches_.erase(range.begin, range.size); }

 private:
  bool came_before_issue(const OpInfo& touch, const OpInfo& op_info,
                         const VectorClock* hosts_at_issue) const;

  const Clocks& clocks_;
  const HostThreads& hosts_;
  ConflictReporter& reporter_;
  const Actor counter_;
  Shadow touches_;                           // the number of an operation here: which touch it is
  std::vector<Shadow::Conflict> conflicts_;  // of one call; kept for its capacity
};

}  // namespace order
