// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/base/config.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// The limits that aclrtDeviceSetLimit set for each device, until its last context ends. Kernels
/// are host functions: the limits can be queried and have no effect.
class DeviceLimits final : public Section {
 public:
  explicit DeviceLimits(Runtime& runtime);

  void set(int device, aclrtDeviceLimit limit, std::uint32_t value);
  std::uint32_t get(int device, aclrtDeviceLimit limit) const;

  void reset() override;
  void device_ends(int device) override;

 private:
  const Config::DeviceLimits defaults_;
  mutable sim::Mutex mutex_;
  std::unordered_map<int, Config::DeviceLimits> devices_ GUARDED_BY(mutex_);
};

}  // namespace acl
