// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// The ranges of device memory that an injected fault broke, until they are repaired or the
/// device's last context ends. Operations that touch one fail.
class BrokenMemory final : public Section {
 public:
  struct Range {
    int device = 0;  // of the machine
    std::uintptr_t begin = 0;
    std::size_t size = 0;
    std::uint16_t fault = 0;  // its number
  };

  explicit BrokenMemory(Runtime&) {}

  /// Breaks the page that contains the address.
  void add(int device, const void* address, std::uint16_t fault);
  std::vector<aclrtMemUceInfo> ranges(int device) const;
  /// Ranges that are broken within [begin, begin + size) are whole again.
  void repair(int device, const void* begin, std::size_t size);
  /// A broken range that [begin, begin + size) touches.
  std::optional<Range> touched(const void* begin, std::size_t size) const;
  bool any() const noexcept { return any_.load(std::memory_order_acquire); }

  void reset() override;
  void device_ends(int device) override;

 private:
  template <class Gone>
  void erase(Gone gone);

  mutable sim::Mutex mutex_;
  std::atomic<bool> any_{false};
  std::vector<Range> ranges_ GUARDED_BY(mutex_);
};

}  // namespace acl
