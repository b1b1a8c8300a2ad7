// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "acl/acl_rt.h"
#include "runtime/acl/base/named_callbacks.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// Aborts all tasks of a device, and calls the registered callbacks before and after.
class TaskAbort final : public Section {
 public:
  explicit TaskAbort(Runtime& runtime) : runtime_(runtime) {}

  NamedCallbacks<aclrtDeviceTaskAbortCallback> callbacks;

  /// Drops the queued tasks of the device and abandons the running ones without waiting for them.
  /// Meanwhile, calls that enqueue on the device or wait for it are refused.
  void abort(int device_id, std::uint32_t timeout_ms);
  bool under_way(int device) const;

  void reset() override { callbacks.clear(); }

 private:
  void tell(int device_id, aclrtDeviceTaskAbortStage stage, std::uint32_t timeout_ms) const;

  Runtime& runtime_;
};

}  // namespace acl
