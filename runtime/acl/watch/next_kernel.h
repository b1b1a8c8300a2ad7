// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <vector>

#include "device_sim/base/per_thread.h"
#include "device_sim/streams/op.h"

namespace acl::watch {

/// The accesses of the thread's next kernel launch, as the program declares them, for a recording.
/// They are kept only during a recording.
struct NextKernel {
  std::vector<sim::MemoryRange> ranges;
  static inline std::atomic<bool> wanted{false};
};

inline NextKernel& next_kernel() { return sim::per_thread<NextKernel>(); }

}  // namespace acl::watch
