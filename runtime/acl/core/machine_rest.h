// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "device_sim/streams/stream.h"

namespace acl {

class Runtime;

/// A stream with unfinished tasks that cannot go on by itself.
struct RestingStream {
  sim::Ref<sim::Stream> stream;
  sim::Parked wait;
};

/// A stream that runs, or may run.
struct MovingStream {
  std::uint32_t id = 0;
  int device = 0;                // the machine's
  const char* kernel = nullptr;  // that it runs; null: it runs none
};

/// The streams of the machine at one moment, streams of graphs included.
struct MachineRest {
  bool moves = false;          // some stream runs, may run, or waits for a limited time
  std::uint64_t progress = 0;  // grows with each task that is enqueued or ends
  std::vector<RestingStream> resting;
  std::vector<MovingStream> moving;

  /// Null: the stream has nothing to do, or moves.
  const RestingStream* find(const sim::Stream* stream) const noexcept;
  const RestingStream* find(std::uint32_t stream_id) const noexcept;
};

/// If two looks find that nothing moves, and no progress between them, then only a host thread, or
/// another process, can move a stream.
MachineRest look_at_machine(Runtime& runtime);

/// Another process, or an injected fault, may end the wait.
bool others_may_end(const sim::Parked& wait);

}  // namespace acl
