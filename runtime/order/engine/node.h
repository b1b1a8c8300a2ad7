// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/order/engine/op_info.h"
#include "runtime/order/engine/vector_clock.h"

namespace order {

/// The clock of an event's record: all that happens before it. A stream may be made to wait for the
/// record before the engine has taken it in.
struct Node {
  bool resolved = false;
  VectorClock clock;
  OpInfo record;
  Actor by = 0;  // the stream that records
  // The host that issued the record, the version of its clock then (0: unknown), and the epoch.
  Actor host = 0;
  std::uint32_t version = 0;
  Epoch when;
  std::uint64_t serial = 0;    // of the record, among all
  std::vector<Actor> blocked;  // streams that are blocked at a wait for it

  /// Resets the node for another record; its vectors keep their capacity.
  void renew();
  /// Adds a wait that is bound to this record.
  void bind(Epoch wait);
  template <class Test>
  bool any_wait(Test&& test) const {
    return (first_wait_.count != 0 && test(first_wait_)) ||
           std::any_of(more_waits_.begin(), more_waits_.end(), test);
  }

 private:
  void forget_earlier_waits();

  Epoch first_wait_;               // nearly always the only one
  std::vector<Epoch> more_waits_;  // of each stream the last one counts
};

}  // namespace order
