// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>

#include "device_sim/base/mutex.h"
#include "runtime/shmem/heap/heap.h"
#include "runtime/shmem/links/symmetric_memory.h"
#include "shmem/host/shmem_host_def.h"

namespace shmem {

/// The allocations in this PE's block of a symmetric memory. Any thread.
class SymmetricHeap {
 public:
  /// Manages `bytes` of the block, after the first `reserved` ones.
  SymmetricHeap(const SymmetricMemory& memory, int me, std::size_t reserved, std::size_t bytes);

  /// The alignment of blocks.
  static constexpr std::size_t kMostAlignment = ACLSHMEM_HEAP_ALIGNMENT_SIZE;
  static constexpr bool is_alignment(std::size_t number) noexcept {
    return std::has_single_bit(number) && number <= kMostAlignment;
  }

  /// Returns null if there is no room, for 0 bytes, and for an invalid alignment.
  void* allocate(std::size_t bytes, std::size_t alignment, bool zero);
  /// Returns false if the address is not an allocation.
  bool release(const void* address);
  std::size_t free_bytes();

 private:
  std::byte* const begin_;
  std::byte* const engine_;
  sim::Mutex mutex_;
  Heap heap_ GUARDED_BY(mutex_);
};

}  // namespace shmem
