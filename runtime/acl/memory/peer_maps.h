// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <utility>

#include "runtime/acl/base/section.h"
#include "runtime/acl/memory/transfer.h"

namespace acl {

/// Allocations that one other device may reach without peer access, until they are freed.
class PeerMaps final : public Section {
 public:
  explicit PeerMaps(Runtime&) {}

  void add(const sim::Allocation& allocation, int device) {
    const std::lock_guard guard(mutex_);
    maps_.emplace(allocation.serial, device);
  }
  /// True when either end of a transfer was opened to the other's device.
  bool join(const Place& a, const Place& b) const {
    const std::lock_guard guard(mutex_);
    return maps_.contains({a.allocation->serial, b.device()}) ||
           maps_.contains({b.allocation->serial, a.device()});
  }
  void reset() override {
    const std::lock_guard guard(mutex_);
    maps_.clear();
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::pair<std::uint64_t, int>> maps_;  // an allocation's serial, a device
};

}  // namespace acl
