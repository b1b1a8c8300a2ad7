// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/kernel/kernel_timeout.h"

#include <algorithm>

#include "runtime/acl/core/runtime.h"

namespace acl {
namespace {
constexpr std::uint64_t kMostIntervals = 254;
}

KernelTimeout::KernelTimeout(Runtime& runtime)
    : runtime_(runtime),
      interval_us_(runtime.config().kernel_timeout_interval_us),
      actual_us_(kMostIntervals * interval_us_) {}

std::uint64_t KernelTimeout::set(std::uint64_t timeout_us) {
  const std::uint64_t whole = timeout_us / interval_us_ + (timeout_us % interval_us_ != 0 ? 1 : 0);
  const std::uint64_t intervals = whole == 0 ? kMostIntervals : std::min(whole, kMostIntervals);
  const std::uint64_t actual_us = intervals * interval_us_;
  actual_us_.store(actual_us, std::memory_order_relaxed);
  runtime_.driver().set_kernel_limit_ns(intervals == kMostIntervals ? 0 : actual_us * 1000);
  return actual_us;
}

}  // namespace acl
