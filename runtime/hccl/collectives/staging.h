// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>

#include "device_sim/base/mutex.h"
#include "runtime/hccl/board/board.h"
#include "runtime/hccl/comm/communicator.h"

namespace hccl {

/// Device memory for the running operations of one communicator. Blocks are reused, so there are
/// only as many as operations run at a time, and they stay in the caches. It lives as long as
/// operations hold it.
class StagingPool {
 public:
  explicit StagingPool(int physical_device) noexcept : physical_device_(physical_device) {}
  ~StagingPool();
  StagingPool(const StagingPool&) = delete;
  StagingPool& operator=(const StagingPool&) = delete;

  struct Slot {
    void* owned = nullptr;
    std::byte* memory = nullptr;
    std::uint64_t bytes = 0;
    bool taken = false;
  };
  /// Makes sure that a slot of that size exists, free or not, so that lack of memory fails the
  /// call that enqueues. Throws Error(HCCL_E_MEMORY).
  void provide(std::uint64_t bytes);
  /// Returns a free slot or a new one. Throws as `provide`.
  Slot& take(std::uint64_t bytes);
  void give_back(Slot& slot);

 private:
  Slot& add(std::uint64_t bytes) REQUIRES(mutex_);

  const int physical_device_;
  sim::Mutex mutex_;
  std::list<Slot> slots_ GUARDED_BY(mutex_);
};

/// The memory in which ranks of other hosts put the operands that this rank reduces, adjacent and
/// in the order of the ranks, and after them a place for a result that another rank gets.
class Staging {
 public:
  /// Has no memory if `bytes`, the size of each part, is 0 or no rank is on another host.
  Staging(Communicator& communicator, std::uint64_t bytes)
      : Staging(communicator, communicator.links()->remote_ranks().empty() ? 0 : bytes,
                communicator.links()->remote_ranks().size()) {}
  /// Memory for `parts` operands and a result.
  Staging(Communicator& communicator, std::uint64_t bytes, std::size_t parts);
  ~Staging() { give_back(); }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Take and return the memory; called when the operation begins and ends. `take` throws
  /// Error(HCCL_E_MEMORY).
  void take();
  void give_back() noexcept;

  const BufferRef& ref() const noexcept { return ref_; }
  /// The distance between the parts.
  static std::uint64_t stride(std::uint64_t bytes) noexcept { return (bytes + 63) / 64 * 64; }
  std::byte* part(std::size_t index) const noexcept {
    return slot_ ? slot_->memory + index * stride_ : nullptr;
  }
  std::byte* result() const noexcept { return part(parts_); }

 private:
  const int physical_device_;
  const std::size_t parts_;
  const std::uint64_t stride_;
  const std::shared_ptr<StagingPool> pool_;  // null: no memory
  StagingPool::Slot* slot_ = nullptr;
  BufferRef ref_{};
};

}  // namespace hccl
