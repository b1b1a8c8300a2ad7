// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// The latest fault of each device, until its last context ends: a kernel that reported a device
/// error, or an injected fault. Memory and links never break by themselves.
class DeviceFaults final : public Section {
 public:
  explicit DeviceFaults(Runtime& runtime) : runtime_(runtime) {}

  void note(int device, aclError code);
  /// The memory of the device is whole again: a fault of memory is forgotten.
  void repaired(int device);
  /// ACL_RT_NO_ERROR in a cleared structure when there was none.
  aclrtErrorInfo latest(int device) const;

  void reset() override;
  void device_ends(int device) override;

 private:
  void describe_memory(int device, aclrtErrorInfo& info) const;

  Runtime& runtime_;
  mutable sim::Mutex mutex_;
  std::unordered_map<int, aclError> latest_ GUARDED_BY(mutex_);
};

}  // namespace acl
