// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "device_sim/base/clock.h"
#include "device_sim/streams/stream.h"
#include "device_sim/streams/wait_point.h"

namespace sim {

/// The time limits of the waits of parked streams. Not synchronised: the owning driver has a lock.
/// The caller should release a limit that it has taken out without holding that lock.
class WaitLimits {
 public:
  struct Limit {
    Deadline at = Deadline::never();
    Ref<Stream> stream;
    Ref<WaitPoint> point;
    std::uint64_t serial = 0;  // of the park, see Driver::arm_timeout
    bool looks = false;
  };

  /// False when the stream has the limit of a later park already, which then stays.
  bool arm(Limit limit);
  /// Takes out the limit of that park, or of an earlier one. Empty if the stream has none.
  Limit disarm(const Stream& stream, std::uint64_t serial);
  /// Takes out the limits that have passed.
  std::vector<Limit> take_passed();
  /// When the next one passes.
  Deadline next() const;

 private:
  std::unordered_map<const Stream*, Limit> limits_;
};

}  // namespace sim
