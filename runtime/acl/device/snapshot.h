// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "device_sim/memory/address_space.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// A copy of all device memory, taken and put back while the process is locked: then its devices
/// are idle and take no calls that enqueue or wait.
class Snapshot final : public Section {
 public:
  explicit Snapshot(Runtime& runtime) : runtime_(runtime) {}

  void lock();
  void unlock();
  void backup();
  /// Puts the latest backup back; what was freed since then cannot be.
  void restore();

  void add(aclrtSnapShotStage stage, aclrtSnapShotCallBack function, void* args);
  void remove(aclrtSnapShotStage stage, aclrtSnapShotCallBack function);

  void reset() override;

 private:
  struct Entry {
    aclrtSnapShotStage stage;
    aclrtSnapShotCallBack function;
    void* args;
  };
  struct SavedAllocation {
    sim::Allocation allocation;
    std::vector<std::byte> bytes;
  };
  void tell(aclrtSnapShotStage stage);
  void set_device_block(bool blocked);
  bool wait_for_devices();

  Runtime& runtime_;
  sim::Mutex callbacks_mutex_;
  std::vector<Entry> callbacks_ GUARDED_BY(callbacks_mutex_);
  sim::Mutex mutex_;  // one of these calls at a time
  bool locked_ GUARDED_BY(mutex_) = false;
  std::optional<std::vector<SavedAllocation>> backup_ GUARDED_BY(mutex_);
};

}  // namespace acl
