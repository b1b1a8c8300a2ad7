// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_sim/base/mutex.h"
#include "device_sim/streams/wait_point.h"

namespace sim {

/// The wait point of a stream whose next op an injected fault holds. It is never completed: the
/// wait ends by a time limit or with the end of the stream.
class StallPoint final : public WaitPoint {
 public:
  /// False when the stream was abandoned: it is then not parked.
  bool park(Stream& stream) noexcept {
    const sim::LockGuard guard(lock_);
    return add_parked(stream);
  }
};

}  // namespace sim
