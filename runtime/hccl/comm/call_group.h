// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

namespace hccl {

/// The calls of a host thread between HcclGroupStart and HcclGroupEnd.
class CallGroup {
 public:
  /// Returns the group of the calling thread.
  static CallGroup& mine();

  void start() noexcept { ++depth_; }
  /// The outermost end runs each job in a new thread, on the job's device, and waits for all.
  /// Raises the first error of a job, and HCCL_E_NOT_SUPPORT without a start.
  void end();
  bool open() const noexcept { return depth_ > 0; }
  /// Runs `work` at the end of the group, or immediately outside of a group.
  void run_or_defer(int device, std::function<void()> work);

  /// Calls of one communicator that are combined into one call at the end of the group, by the
  /// calling thread.
  class Deferred {
   public:
    virtual ~Deferred() = default;
    virtual void run() = 0;
  };
  /// Returns the calls that were deferred for `key`; null: none yet.
  std::shared_ptr<Deferred> deferred(const void* key) const;
  void defer(const void* key, std::shared_ptr<Deferred> calls);

 private:
  struct Job {
    int device;
    std::function<void()> work;
  };
  int depth_ = 0;
  std::vector<Job> jobs_;
  struct Kept {
    const void* key;
    std::shared_ptr<Deferred> calls;
  };
  std::vector<Kept> deferred_;
};

}  // namespace hccl
