// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_sim/streams/program.h"
#include "runtime/acl/watch/rendezvous.h"

namespace acl {

/// A control that is called when the launch of its model is enqueued. Its runs are therefore in the
/// order of the program's calls, independent of the order in which they begin.
class LaunchedControl : public sim::Control {
 public:
  /// A launch is being enqueued; the answer names its run of this op.
  virtual std::uint64_t launch_enqueued() = 0;
  /// That run of the model begins.
  virtual void run_begins(std::uint64_t run) = 0;
  /// The run of the model is over, or will never begin.
  virtual void run_over(std::uint64_t run) noexcept = 0;
  /// The rendezvous of its last run.
  virtual std::vector<Rendezvous> rendezvous() const { return {}; }
  virtual FlagUse flag() const { return {}; }
  /// The others that its last run waits for, in words. Any thread.
  virtual std::string waits_for() const { return "another process or library"; }
};

}  // namespace acl
