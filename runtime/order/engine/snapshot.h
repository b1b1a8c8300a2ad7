// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <utility>

#include "runtime/order/engine/vector_clock.h"

namespace order {

/// A copy of a clock. Items share one copy as long as the clock does not change. The reference
/// count is not atomic, since the owner of the engine locks.
struct ClockCopy : boost::intrusive_ref_counter<ClockCopy, boost::thread_unsafe_counter> {
  explicit ClockCopy(const VectorClock& now, boost::intrusive_ptr<const ClockCopy> hosts = {})
      : clock(now), hosts_clock(std::move(hosts)) {}
  const VectorClock clock;
  // For a function call: the joined clocks of all hosts when the call was issued; else null.
  const boost::intrusive_ptr<const ClockCopy> hosts_clock;
};
using Snapshot = boost::intrusive_ptr<const ClockCopy>;

}  // namespace order
