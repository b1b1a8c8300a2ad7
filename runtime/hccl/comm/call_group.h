// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

namespace hccl {

/// Calls of this host thread between HcclGroupStart and HcclGroupEnd.
class CallGroup {
 public:
  /// Of the calling thread.
  static CallGroup& mine();

  void start() noexcept { ++depth_; }
  /// The outermost end runs the jobs, each in a thread of its own that has the job's device, and
  /// waits for all. Raises what the first of them raised; HCCL_E_NOT_SUPPORT without a start.
  void end();
  bool open() const noexcept { return depth_ > 0; }
  /// Runs `work` at the end of the group, or now when there is none.
  void run_or_defer(int device, std::function<void()> work);

  /// Calls of one communicator that become one at the end of the group, in the calling thread.
  class Deferred {
   public:
    virtual ~Deferred() = default;
    virtual void run() = 0;
  };
  /// The one that was put there for `key`; null: none yet.
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
