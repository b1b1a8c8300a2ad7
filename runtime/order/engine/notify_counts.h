// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace order {

/// How often a notify was recorded and waited for, without what a failure or an abort dropped.
struct NotifyCounts {
  std::uint64_t records = 0;
  std::uint64_t waits = 0;
  std::uint64_t dropped_records = 0;
  std::uint64_t dropped_waits = 0;

  /// Each wait has its record, or would have if what was dropped had happened.
  bool balanced() const noexcept {
    return records <= waits + dropped_waits && waits <= records + dropped_records;
  }
};

}  // namespace order
