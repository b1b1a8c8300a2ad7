// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <thread>
#include <unordered_set>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/base/ref.h"
#include "device_sim/streams/host_lane.h"
#include "device_sim/streams/stream.h"

namespace acl {

struct DeviceBlock;
class Runtime;
class Stream;

/// Threads of the runtime that serve one lane of host functions: one, started on first use, and
/// more so that one attends to the lane while others are inside kernels.
class LaneCrew final : public sim::HostLane::Crew {
 public:
  ~LaneCrew() override { stop(false); }
  /// Throws sim::MachineError(no_thread) when no thread can be started to serve it.
  sim::HostLane& lane();
  /// Null before the first call of lane().
  sim::Ref<sim::HostLane> lane_in_use();
  bool add_thread() override;
  /// Serves what is queued, then ends; with `force` without waiting for a function that runs. Safe
  /// from one of the crew's own threads.
  void stop(bool force);

 private:
  sim::Mutex mutex_;
  sim::Ref<sim::HostLane> lane_ GUARDED_BY(mutex_);
  // Closed because they got no thread. A thread may still post to them.
  std::vector<sim::Ref<sim::HostLane>> deserted_ GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ GUARDED_BY(mutex_);
};

/// A device's environment for threads: streams belong to it and fail with it.
class Context : public sim::RefCounted<Context> {
 public:
  Context(Runtime& runtime, int device, bool primary);
  ~Context();

  Runtime& runtime() const noexcept { return runtime_; }
  int device() const noexcept { return device_; }
  bool primary() const noexcept { return primary_; }
  bool alive() const noexcept { return alive_.load(std::memory_order_acquire); }
  void* handle() const noexcept { return handle_; }
  void set_handle(void* handle) noexcept { handle_ = handle; }

  /// Null once the context has ended.
  void* default_stream_handle() const noexcept {
    return default_handle_.load(std::memory_order_acquire);
  }
  [[gnu::always_inline]] bool usable() const noexcept {
    return !domain_->failed() && !device_block_.load(std::memory_order_acquire);
  }
  /// Raises the error of a context that stopped on a failure, or whose device takes no calls now.
  void require_usable() const {
    if (domain_->failed()) [[unlikely]]
      raise_failure();
    require_device_usable();
  }
  /// Raises the error of a device that takes no calls now. A failure of the context does not count.
  void require_device_usable() const {
    if (const DeviceBlock* const block = device_block_.load(std::memory_order_acquire))
        [[unlikely]] {
      raise(*block);
    }
  }
  const sim::Ref<sim::FailureDomain>& failure_domain() const noexcept { return domain_; }

  /// Held while a stream replaces its sim::Stream (abort), which is rare.
  sim::Mutex& aborts_mutex() noexcept { return aborts_mutex_; }

  void add_stream(void* handle);
  void remove_stream(void* handle);
  /// The handles of all streams, the default one first.
  std::vector<void*> stream_handles() const;

  /// Runs functions of aclrtLaunchHostFunc.
  sim::HostLane& host_func_lane() { return host_funcs_.lane(); }
  sim::Ref<sim::HostLane> host_func_lane_in_use() { return host_funcs_.lane_in_use(); }

  /// Waits for all streams; raises the first error. With a deadline:
  /// ACL_ERROR_RT_STREAM_SYNC_TIMEOUT.
  void synchronize(const sim::Deadline& deadline);
  /// Ends the context: its streams finish (or are dropped with `force`) and their handles go.
  /// False when another thread is ending it or has ended it.
  bool destroy(bool force, std::exception_ptr& failure);

 private:
  friend class Runtime;
  [[noreturn]] void raise_failure() const;
  [[noreturn]] static void raise(const DeviceBlock& block);

  Runtime& runtime_;
  const int device_;
  const bool primary_;
  void* handle_ = nullptr;
  std::atomic<bool> alive_{true};
  std::atomic<bool> ending_{false};
  sim::Ref<sim::FailureDomain> domain_;
  const std::atomic<const DeviceBlock*>& device_block_;
  sim::Mutex aborts_mutex_;
  mutable sim::Mutex mutex_;
  std::atomic<void*> default_handle_{nullptr};
  std::unordered_set<void*> streams_ GUARDED_BY(mutex_);
  LaneCrew host_funcs_;
};

}  // namespace acl
