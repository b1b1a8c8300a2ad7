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

/// Memory of the device for operations of one communicator that have begun. However many are
/// enqueued, there are as many blocks as run at a time, and these stay in the caches. It lasts
/// while operations hold it.
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
  /// Makes sure that a block of that size exists, free or not: so a call that enqueues fails where
  /// there is no memory. Throws Error(HCCL_E_MEMORY).
  void provide(std::uint64_t bytes);
  /// One that is free, or a new one. Throws as `provide`.
  Block& take(std::uint64_t bytes);
  void give_back(Block& block);

 private:
  Block& add(std::uint64_t bytes);

  const int physical_device_;
  sim::Mutex mutex_;
  std::list<Block> blocks_;
};

/// Where ranks of other hosts put the parts that this one reduces: one behind the other, by rank;
/// and a last one for a result that is wanted elsewhere.
class Staging {
 public:
  /// None where `bytes`, those of each part, are 0 or no rank is on another host.
  Staging(Communicator& communicator, std::uint64_t bytes)
      : Staging(communicator, communicator.links()->remote_ranks().empty() ? 0 : bytes,
                communicator.links()->remote_ranks().size()) {}
  /// So many parts, and one more.
  Staging(Communicator& communicator, std::uint64_t bytes, std::size_t parts);
  ~Staging() { give_back(); }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Around the time in which the operation uses it. `take` throws Error(HCCL_E_MEMORY).
  void take();
  void give_back() noexcept;

  const BufferRef& ref() const noexcept { return ref_; }
  /// So far the parts are from each other.
  static std::uint64_t stride(std::uint64_t bytes) noexcept { return (bytes + 63) / 64 * 64; }
  std::byte* part(std::size_t index) const noexcept {
    return block_ ? block_->memory + index * stride_ : nullptr;
  }
  std::byte* result() const noexcept { return part(parts_); }

 private:
  const int physical_device_;
  const std::size_t parts_;
  const std::uint64_t stride_;
  const std::shared_ptr<StagingShelf> shelf_;  // null: there is none
  StagingShelf::Block* block_ = nullptr;
  BufferRef ref_{};
};

}  // namespace hccl
