// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "device_sim/base/per_thread.h"
#include "runtime/acl/check/begun_calls.h"
#include "runtime/acl/check/host_wait_slots.h"
#include "runtime/order/engine/op_info.h"

namespace acl {

/// The places at which a thread has been.
class SeenPlaces {
 public:
  bool is_new(std::uint64_t place) {
    std::uint64_t& last = recent_[(place * 0x9E3779B97F4A7C15U) >> 58];
    if (last == place) [[likely]]
      return false;
    last = place;
    return all_.insert(place).second;
  }

 private:
  std::array<std::uint64_t, 64> recent_{};
  std::unordered_set<std::uint64_t> all_;
};

/// The state that the checker keeps for each host thread.
struct CheckThread {
  ~CheckThread();

  std::uint32_t actor = 0;
  std::uint32_t generation = 0;     // of the checker when `actor` was made; 0: no actor yet
  std::uint32_t serves_stream = 0;  // inside a blocking callback of that stream, + 1
  bool in_callback = false;         // of any kind
  BegunCallSlot begun;              // a running callback, not yet reported to the engine
  HostWaitSlot waits;
  bool had_deferred_calls = false;  // some of its callbacks were deferred
  // The last op that the thread reported to the checker, when that was one without accesses.
  struct TouchedNothing {
    std::uint32_t stream = 0;  // its stream's id, + 1
    std::uint32_t pass = 0;    // valid while BatchedOps of the stream holds the same one
  } touched_nothing;
  std::uint64_t told_at = 0;    // the site of the last warning or error that the thread added
  bool told_of_handle = false;  // a finding has reported the handle of the failing call
  bool failures = false;        // a call of the thread has failed
  SeenPlaces places;            // of calls that enqueue operations
  std::uint64_t enqueued_before_call = 0;  // see CallRaces
  struct Accessed {  // by the kernel that the thread, one of the machine's, has run
    std::uint32_t stream = 0;
    std::uint32_t task = 0;
    std::vector<order::Access> accesses;
  } accessed;
  std::vector<order::Access>
      next_kernel;  // the accesses of the next launch, as the program declares them
};

inline CheckThread& check_thread() { return sim::per_thread<CheckThread>(); }

}  // namespace acl
