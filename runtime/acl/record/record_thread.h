// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "device_sim/base/per_thread.h"
#include "device_sim/streams/op.h"

namespace acl {

/// The recorder's state for one host thread.
struct RecordThread {
  std::uint32_t host = 0;       // its number in the recording; 0: none yet
  std::uint32_t lines = 0;      // that the current call has added
  std::uint64_t call_time = 0;  // when the current call began
  std::uint64_t open = 0;       // the op that ends with the current call; 0: none
  std::uint64_t open_since = 0;
  bool explained = false;           // a mark gives the reason why the current call fails
  bool told_of_handle = false;      // the same, and the code of the call says no more
  bool failed = false;              // a call has failed whose error the program may read
  std::uint64_t function = 0;       // the op whose function the thread is in; 0: none
  std::uint64_t function_time = 0;  // when that began
  bool function_marked = false;     // the recording has the beginning
  struct Accessed {  // by the kernel that this thread, a thread of the machine, has run
    std::uint32_t stream = 0;
    std::uint32_t task = 0;
    std::vector<sim::MemoryRange> ranges;
  } accessed;
};

inline RecordThread& record_thread() { return sim::per_thread<RecordThread>(); }

}  // namespace acl
