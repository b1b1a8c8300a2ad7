// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_sim/faults/fault_plan.h"
#include "device_sim/streams/op.h"

namespace acl::watch {

/// Is asked before an act, and may delay it, or refuse it by raising an error, which the call
/// returns. Devices have the numbers of the machine.
class Intervener {
 public:
  virtual ~Intervener() = default;
  /// A call of the interface begins. True: `after_call` is to follow if the call succeeds.
  virtual bool before_call(const char* /*function*/) { return false; }
  virtual void after_call() {}
  virtual void before_allocation(int /*device*/) {}
  virtual void before_creation(sim::FaultSite::Point, int /*device*/) {}
  /// A copy that the call itself makes.
  virtual void before_copy(const sim::CopyOp&) {}
  /// The device is about to be used.
  virtual void before_use(int /*device*/) {}
};

}  // namespace acl::watch
