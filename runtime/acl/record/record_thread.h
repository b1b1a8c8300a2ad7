// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "device_sim/base/per_thread.h"
#include "device_sim/streams/op.h"

namespace acl {

/// What the recorder keeps for each host thread.
struct RecordThread {
  std::uint32_t host = 0;       // its number in the recording; 0: none yet
  std::uint32_t lines = 0;      // of the call that it is in
  std::uint64_t call_time = 0;  // when that began
  std::uint64_t open = 0;       // the op that ends with it; 0: none
  std::uint64_t open_since = 0;
  bool told = false;    // the call fails for what a finding says, or is not checked
  bool failed = false;  // some call did that the program may ask for
  struct Accessed {     // by the kernel that the thread, one of the machine's, has run
    std::uint32_t stream = 0;
    std::uint32_t task = 0;
    std::vector<sim::MemoryRange> ranges;
  } accessed;
};

inline RecordThread& record_thread() { return sim::per_thread<RecordThread>(); }

}  // namespace acl
