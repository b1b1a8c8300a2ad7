// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/acl/base/section.h"

namespace acl {

/// After how long a kernel counts as failed: a whole number of intervals, at most 254. A kernel is
/// a host function and cannot be stopped: one that took longer fails when it returns. The maximum,
/// which is the default, is no limit here: hosts are slower than devices.
class KernelTimeout final : public Section {
 public:
  explicit KernelTimeout(Runtime& runtime);

  std::uint64_t interval_us() const noexcept { return interval_us_; }
  /// Rounds up to whole intervals; 0 is the maximum. Returns what holds from now on.
  std::uint64_t set(std::uint64_t timeout_us);
  std::uint64_t get_us() const noexcept { return actual_us_.load(std::memory_order_relaxed); }

  void reset() override { set(0); }

 private:
  Runtime& runtime_;
  const std::uint64_t interval_us_;
  std::atomic<std::uint64_t> actual_us_;
};

}  // namespace acl
