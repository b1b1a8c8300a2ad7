// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <vector>

#include "device_sim/base/per_thread.h"
#include "device_sim/streams/op.h"

namespace acl::watch {

/// What the program says that the thread's next kernel launch accesses, for a recording. Kept only
/// while something is recorded.
struct NextKernel {
  std::vector<sim::MemoryRange> ranges;
  static inline std::atomic<bool> wanted{false};
};

inline NextKernel& next_kernel() { return sim::per_thread<NextKernel>(); }

}  // namespace acl::watch
