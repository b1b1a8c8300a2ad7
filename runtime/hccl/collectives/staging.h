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
class StagingShelf {
 public:
  explicit StagingShelf(int physical_device) noexcept : physical_device_(physical_device) {}
  ~StagingShelf();
  StagingShelf(const StagingShelf&) = delete;
  StagingShelf& operator=(const StagingShelf&) = delete;

  struct Block {
    void* owned = nullptr;
    std::byte* memory = nullptr;
    std::uint64_t bytes = 0;
    bool taken = false;
  };
  /// Makes sure that a block of that size exists, free or not, so that lack of memory fails the
  /// call that enqueues. Throws Error(HCCL_E_MEMORY).
  void provide(std::uint64_t bytes);
  /// Returns a free block or a new one. Throws as `provide`.
  Block& take(std::uint64_t bytes);
  void give_back(Block& block);

 private:
  Block& add(std::uint64_t bytes) REQUIRES(mutex_);

  const int physical_device_;
  sim::Mutex mutex_;
  std::list<Block> blocks_ GUARDED_BY(mutex_);
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
    return block_ ? block_->memory + index * stride_ : nullptr;
  }
  std::byte* result() const noexcept { return part(parts_); }

 private:
  const int physical_device_;
  const std::size_t parts_;
  const std::uint64_t stride_;
  const std::shared_ptr<StagingShelf> shelf_;  // null: no memory
  StagingShelf::Block* block_ = nullptr;
  BufferRef ref_{};
};

}  // namespace hccl
