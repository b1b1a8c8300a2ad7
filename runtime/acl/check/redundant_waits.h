// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/reporter.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/findings/findings.h"

namespace acl {

/// Waits of host threads that add no order.
class RedundantWaits {
 public:
  explicit RedundantWaits(Reporter& reporter) : reporter_(reporter) {}

  /// The call that the thread is in is such a wait.
  void add() REQUIRES(check_lock) {
    ThreadState& thread = thread_state();
    if (!counted_.again(chain_of_call(thread), thread.call)) add_first();
  }
  /// Reports the waits that were only counted so far.
  void report_counted() REQUIRES(check_lock);
  void clear() REQUIRES(check_lock) { counted_ = {}; }

 private:
  void add_first() REQUIRES(check_lock);
  void report(const order::OpInfo& what, std::uint64_t times) REQUIRES(check_lock);

  Reporter& reporter_;
  RepeatedNotes counted_ GUARDED_BY(check_lock);
};

}  // namespace acl
