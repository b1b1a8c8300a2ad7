// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/device/device_limits.h"

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"

namespace acl {
namespace {

struct LimitRow {
  aclrtDeviceLimit limit;
  std::uint32_t Config::DeviceLimits::*value;
};

constexpr LimitRow kLimitRows[] = {
    {ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE, &Config::DeviceLimits::simt_stack},
    {ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE, &Config::DeviceLimits::simt_warp_stack},
    {ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, &Config::DeviceLimits::simd_stack},
    {ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE, &Config::DeviceLimits::simd_printf},
    {ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE, &Config::DeviceLimits::simt_printf},
};

std::uint32_t Config::DeviceLimits::*field_of(aclrtDeviceLimit limit) {
  for (const LimitRow& row : kLimitRows) {
    if (row.limit == limit) return row.value;
  }
  fail(ACL_ERROR_INVALID_PARAM, "limit is {}, which is not a limit of a device",
       static_cast<int>(limit));
}

}  // namespace

DeviceLimits::DeviceLimits(Runtime& runtime) : defaults_(runtime.config().device_limits) {}

void DeviceLimits::set(int device, aclrtDeviceLimit limit, std::uint32_t value) {
  const auto field = field_of(limit);
  const sim::LockGuard guard(mutex_);
  devices_.try_emplace(device, defaults_).first->second.*field = value;
}

std::uint32_t DeviceLimits::get(int device, aclrtDeviceLimit limit) const {
  const auto field = field_of(limit);
  const sim::LockGuard guard(mutex_);
  const auto it = devices_.find(device);
  return it == devices_.end() ? defaults_.*field : it->second.*field;
}

void DeviceLimits::reset() {
  const sim::LockGuard guard(mutex_);
  devices_.clear();
}

void DeviceLimits::device_ends(int device) {
  const sim::LockGuard guard(mutex_);
  devices_.erase(device);
}

}  // namespace acl
