// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "acl/acl_rt.h"
#include "device_sim/streams/host_lane.h"
#include "device_sim/streams/op.h"
#include "runtime/acl/base/section.h"
#include "runtime/acl/core/context.h"

namespace acl {
class Launch;
}

/// What an exception callback may ask about.
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

/// A description that callbacks are given, known by its address until it ends. The program may keep
/// the pointer for longer, or invent one: those are looked up and never read.
class LiveException {
 public:
  explicit LiveException(const aclrtExceptionInfo& info);
  ~LiveException();
  LiveException(const LiveException&) = delete;
  LiveException& operator=(const LiveException&) = delete;

  /// Calls `read` with the description, which does not end meanwhile. False when it is not live.
  template <class Read>
  static bool visit(const aclrtExceptionInfo* info, Read&& read) {
    const std::lock_guard guard(mutex());
    if (!is_live(info)) return false;
    read(*info);
    return true;
  }

 private:
  static std::mutex& mutex();
  static bool is_live(const aclrtExceptionInfo* info);
  const aclrtExceptionInfo& info_;
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

  /// True when there is somebody to call, the kernel's binary included: `item` then calls them, in
  /// `lane`.
  bool prepare(const aclrtExceptionInfo& info, sim::HostLane*& lane, sim::HostLane::Item& item);

 private:
  std::vector<aclrtExceptionInfoCallback> current() const;

  mutable std::mutex mutex_;
  aclrtExceptionInfoCallback slot_ = nullptr;
  std::vector<aclrtExceptionInfoCallback> set_;
  LaneCrew crew_;
};

}  // namespace acl
