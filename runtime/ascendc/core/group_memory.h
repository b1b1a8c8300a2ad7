// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/ascendc/core/arch.h"

namespace ascendc {

/// The local memories of a core that other cores of its group write. On 3510 Fixpipe and
/// DataCopyL1ToUB fill the unified buffers of the vector cores, and vector cores fill L1 of the
/// cube core.
class GroupMemory {
 public:
  struct Bytes {
    Memory memory;
    std::uint64_t begin;
    std::uint64_t end;
  };

  /// The core belongs to this group from now on. Groups have numbers other than 0, each its own.
  void join(std::uint64_t group, std::byte* ub, std::byte* l1);
  /// Bytes that still come for the core are dropped.
  void leave();
  std::uint64_t group() const noexcept { return own_group_; }

  // --- called by other cores, in their threads ---
  struct Write {
    Memory memory;
    std::uint64_t offset;
    const std::byte* values;
    std::uint64_t bytes;
  };
  /// Calls `before(same)` and then stores the bytes. `same`: the memory has these values already.
  void receive(std::uint64_t group, const Write& write,
               const std::function<void(bool same)>& before);

  // --- called by the core ---
  bool has_received() const noexcept { return received_.load(std::memory_order_acquire); }
  /// The bytes that came since the last call.
  std::vector<Bytes> take();

 private:
  std::byte* memory(std::uint64_t group, Memory memory) const REQUIRES(mutex_);

  std::uint64_t own_group_ = 0;  // for the core itself
  std::atomic<bool> received_{false};
  sim::Mutex mutex_;
  std::uint64_t group_ GUARDED_BY(mutex_) = 0;
  std::byte* ub_ GUARDED_BY(mutex_) = nullptr;
  std::byte* l1_ GUARDED_BY(mutex_) = nullptr;
  std::vector<Bytes> bytes_ GUARDED_BY(mutex_);
};

}  // namespace ascendc
