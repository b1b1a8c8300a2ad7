// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "device_sim/streams/host_lane.h"
#include "device_sim/streams/op.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/base/section.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/kernel/kernel.h"

namespace acl {
class Launch;
}

/// The data that an exception callback may query.
struct rtExceptionInfo {
  std::uint32_t task_id;
  std::uint32_t stream_id;
  std::uint32_t thread_id;
  std::uint32_t device_id;
  std::uint32_t error_code;
  /// A kernel that was launched by handle, with its arguments; null for others.
  sim::Ref<const acl::Launch> launch;
  std::vector<unsigned char> args;  // of other kernels: a copy
};

namespace acl {

/// A failure that callbacks receive. The callbacks get a handle: the program may keep it for
/// longer, or invent one.
class ToldFailure;
using ExceptionTable = HandleTable<ToldFailure, HandleKind::exception>;

class ToldFailure final : public sim::Shared {
 public:
  ToldFailure(const aclrtExceptionInfo& info, std::vector<aclrtExceptionInfoCallback> callbacks,
              OpExceptionCallback of_binary)
      : info_(info), callbacks_(std::move(callbacks)), of_binary_(of_binary) {}

  const aclrtExceptionInfo& info() const noexcept { return info_; }
  /// Calls the callbacks. The handle lives until the last of them has returned.
  void tell();
  /// Empty when no callback that still runs was given this.
  static ExceptionTable::Pin find(const aclrtExceptionInfo* handle) noexcept;

 private:
  const aclrtExceptionInfo info_;
  const std::vector<aclrtExceptionInfoCallback> callbacks_;
  const OpExceptionCallback of_binary_;
};

/// The functions to call when a task fails: one slot that the last setter owns, and a set. They run
/// in a thread of the runtime, before the failed task leaves its stream.
class ExceptionCallbacks final : public Section {
 public:
  explicit ExceptionCallbacks(Runtime&) {}
  void set_slot(aclrtExceptionInfoCallback callback);
  void add(aclrtExceptionInfoCallback callback);
  void remove(aclrtExceptionInfoCallback callback);
  void reset() override;

  /// True if a callback is set, the kernel binary's included: `item` then calls them, in `lane`.
  bool prepare(const aclrtExceptionInfo& info, sim::HostLane*& lane, sim::HostLane::Item& item);

 private:
  std::vector<aclrtExceptionInfoCallback> current() const;

  mutable sim::Mutex mutex_;
  aclrtExceptionInfoCallback slot_ GUARDED_BY(mutex_) = nullptr;
  std::vector<aclrtExceptionInfoCallback> set_ GUARDED_BY(mutex_);
  LaneCrew crew_;
  std::atomic<bool> told_{false};  // that there is no thread to call them
};

}  // namespace acl
