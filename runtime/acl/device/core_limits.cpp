// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/device/core_limits.h"

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"

namespace acl {

CoreLimits::CoreLimits(Runtime& runtime)
    : physical_{static_cast<std::uint32_t>(runtime.config().system.ai_cores),
                static_cast<std::uint32_t>(runtime.config().system.vector_cores)} {}

std::size_t CoreLimits::index(aclrtDevResLimitType type) {
  if (type != ACL_RT_DEV_RES_CUBE_CORE && type != ACL_RT_DEV_RES_VECTOR_CORE) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "type is {}; expected ACL_RT_DEV_RES_CUBE_CORE or ACL_RT_DEV_RES_VECTOR_CORE",
         static_cast<int>(type));
  }
  return static_cast<std::size_t>(type);
}

std::uint32_t CoreLimits::checked(aclrtDevResLimitType type, std::uint32_t value) const {
  const std::uint32_t most = physical_[index(type)];
  if (value == 0 || value > most) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "value is {}; expected 1 to {}, the cores that there are",
         value, most);
  }
  return value;
}

void CoreLimits::set_device(int device, aclrtDevResLimitType type, std::uint32_t value) {
  checked(type, value);
  const sim::LockGuard guard(mutex_);
  devices_.try_emplace(device, physical_).first->second[index(type)] = value;
}

std::uint32_t CoreLimits::of_device(int device, aclrtDevResLimitType type) const {
  const std::size_t at = index(type);
  const sim::LockGuard guard(mutex_);
  const auto it = devices_.find(device);
  return (it == devices_.end() ? physical_ : it->second)[at];
}

void CoreLimits::reset_device(int device) {
  const sim::LockGuard guard(mutex_);
  devices_.erase(device);
}

void CoreLimits::set_stream(Stream& stream, aclrtDevResLimitType type, std::uint32_t value) const {
  stream.attributes.core_limits[index(type)] = checked(type, value);
}

std::uint32_t CoreLimits::of_stream(const Stream& stream, aclrtDevResLimitType type) const {
  const std::uint32_t own = stream.attributes.core_limits[index(type)];
  return own != 0 ? own : of_device(stream.device(), type);
}

void CoreLimits::reset_stream(Stream& stream) {
  for (auto& limit : stream.attributes.core_limits) limit = 0;
}

void CoreLimits::reset() {
  const sim::LockGuard guard(mutex_);
  devices_.clear();
}

}  // namespace acl
