// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "device_sim/base/error.h"
#include "device_sim/base/mutex.h"
#include "device_sim/streams/host_lane.h"
#include "device_sim/streams/stream.h"

namespace sim {

/// The host functions that a controlled schedule waits for. The schedule sent them to a lane and
/// continues when they have returned. There may be several, because the report of a failure is a
/// host function as well. Each has a ticket. Any thread may call.
class AwaitedCalls {
 public:
  /// True when the calling thread runs a function that is awaited.
  bool here() const;
  /// A function is about to be sent to the lane, and will be awaited. Returns its ticket.
  std::uint64_t send(HostLane& lane);
  /// The function has returned.
  void over(std::uint64_t ticket);
  /// The calling thread has run a function that its stream waited for. False when the function is
  /// not awaited. Otherwise the stream is kept for `settle` and goes on from there.
  bool returned(Stream& stream, Failure failure);

  /// How the functions that were awaited ended.
  struct Outcome {
    bool in_time = false;
    Ref<HostLane> lane;    // of the newest function
    Ref<Stream> returned;  // the stream that goes on, or null
    Failure failure;       // of its function
  };
  /// Waits until all have returned, or for `patience` and as long as they only lack a processor;
  /// then none is awaited any more. Nothing when none was awaited.
  std::optional<Outcome> settle(std::chrono::nanoseconds patience);

 private:
  bool awaits(std::uint64_t ticket) const REQUIRES(mutex_) {
    return open_ != 0 && ticket >= first_ && ticket != 0;
  }

  mutable sim::Mutex mutex_;
  sim::CondVar over_;
  std::uint64_t first_ GUARDED_BY(mutex_) = 0;  // tickets from here on are awaited
  std::uint64_t last_ GUARDED_BY(mutex_) = 0;   // the newest ticket
  int open_ GUARDED_BY(mutex_) = 0;             // how many have not returned
  Ref<HostLane> lane_ GUARDED_BY(mutex_);       // of the newest
  Ref<Stream> returned_ GUARDED_BY(mutex_);
  Failure failure_ GUARDED_BY(mutex_);
};

}  // namespace sim
