// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/section.h"
#include "runtime/acl/memory/transfer.h"

namespace acl {

/// Allocations that one other device may reach without peer access, until they are freed.
class PeerMaps final : public Section {
 public:
  explicit PeerMaps(Runtime&) {}

  void add(const sim::Allocation& allocation, int device) {
    const sim::LockGuard guard(mutex_);
    maps_.emplace(allocation.serial, device);
  }
  /// True when either end of a transfer was opened to the other's device.
  bool join(const MemoryLocation& a, const MemoryLocation& b) const {
    const sim::LockGuard guard(mutex_);
    return maps_.contains({a.allocation->serial, b.device()}) ||
           maps_.contains({b.allocation->serial, a.device()});
  }
  void reset() override {
    const sim::LockGuard guard(mutex_);
    maps_.clear();
  }

 private:
  mutable sim::Mutex mutex_;
  std::set<std::pair<std::uint64_t, int>> maps_
      GUARDED_BY(mutex_);  // an allocation's serial, a device
};

}  // namespace acl
