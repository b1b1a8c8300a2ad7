// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device_sim/base/clock.h"
#include "device_sim/base/error.h"

namespace sim {

struct Op;
class Stream;

/// A step of an op.
struct OpStep {
  const char* name = "";  // a literal
  int rank = -1;          // with which other one; -1: none
  std::uint64_t bytes = 0;
  Nanoseconds start = 0;
  Nanoseconds end = 0;
};

/// Watches the machine: timelines, trace sinks and tests. Called by the thread that performs the
/// reported action. Calls for one stream never overlap, apart from `submitted`. The op is valid
/// during the call only.
class Observer {
 public:
  virtual ~Observer() = default;
  /// The op is about to be queued; its task id is not given yet.
  virtual void submitted(const Stream&, const Op&) {}
  /// The op began to run, or began to wait. `now` is the machine's time.
  virtual void started(const Stream&, const Op&, Nanoseconds /*now*/) {}
  /// The op at the head, which has started, did that. Steps of an op do not overlap.
  virtual void step_ended(const Stream&, const Op&, const OpStep&) {}
  /// The op left the stream. `start` is the time that `started` reported.
  virtual void finished(const Stream&, const Op&, Failure, Nanoseconds /*start*/,
                        Nanoseconds /*end*/) {}
};

}  // namespace sim
