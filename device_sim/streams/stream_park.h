// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device_sim/streams/driver.h"
#include "device_sim/streams/stream.h"

namespace sim {

/// Parks the stream at `point`; `try_park` puts it into the list there and says whether it did.
/// True: the stream is parked, and another thread may already own it. For the files of Stream.
template <class TryPark>
bool Stream::park_at(WaitPoint& point, WaitLimit limit, TryPark try_park) {
  // Taken now: once parked, the stream may belong to another thread.
  const Ref<Stream> self = limit.ns != 0 ? Ref<Stream>::share(this) : Ref<Stream>();
  const Ref<WaitPoint> until = limit.ns != 0 ? Ref<WaitPoint>::share(&point) : Ref<WaitPoint>();
  const std::uint64_t serial = park_serial_ + 1;
  timed_park_ = limit.ns != 0;
  set_parked_on(&point, timed_park_, head());
  state_.store(State::parked, std::memory_order_seq_cst);
  if (try_park()) {
    if (self) {
      driver_.arm_timeout(self, until, serial, limit);
      // A thread that released the stream before the limit was armed found nothing to disarm.
      if (!until->holds(*self, serial)) driver_.disarm_timeout(*self, serial);
    }
    return true;
  }
  state_.store(State::running, std::memory_order_seq_cst);
  set_parked_on(nullptr);
  return false;
}

}  // namespace sim
