// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "acl/acl_rt.h"
#include "runtime/acl/base/named_callbacks.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// Aborts of all tasks of a device, and who wants to be told before and after.
class TaskAbort final : public Section {
 public:
  explicit TaskAbort(Runtime& runtime) : runtime_(runtime) {}

  NamedCallbacks<aclrtDeviceTaskAbortCallback> callbacks;

  /// Drops what is queued on the device and lets go of what runs; does not wait for it. While it is
  /// under way, calls that enqueue on the device or wait for it are refused.
  void abort(int device_id, std::uint32_t timeout_ms);
  bool under_way(int device) const;

  void reset() override { callbacks.clear(); }

 private:
  void tell(int device_id, aclrtDeviceTaskAbortStage stage, std::uint32_t timeout_ms) const;

  Runtime& runtime_;
};

}  // namespace acl
