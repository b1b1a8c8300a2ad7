// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/acl/check/check_lock.h"
#include "runtime/order/engine/finding.h"

namespace sim {
class Stream;
}

namespace acl {

class Runtime;

/// The operations that failed: they may explain findings about later operations.
class FailedOps {
 public:
  explicit FailedOps(Runtime& runtime) : runtime_(runtime) {}

  /// Keeps the first failure of each stream.
  void add(const sim::Stream& stream, const order::OpInfo& op_info) REQUIRES(check_lock);
  /// Operations after a failure in their stream did not run as intended: adds it to the finding.
  void name_in(order::Finding& finding) const REQUIRES(check_lock);
  void clear() REQUIRES(check_lock) { failures_.clear(); }

 private:
  struct Failure {
    order::OpInfo op_info;
    bool of_all = false;  // all streams of its device stop with it
  };
  Runtime& runtime_;
  std::vector<Failure> failures_ GUARDED_BY(check_lock);  // until everything is reset
};

}  // namespace acl
