// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/pe/symmetric_heap.h"

#include <cstring>
#include <optional>

#include "device_sim/base/mutex.h"

namespace shmem {

SymmetricHeap::SymmetricHeap(const SymmetricMemory& memory, int me, std::size_t reserved,
                             std::size_t bytes)
    : begin_(memory.begin(me) + reserved),
      engine_(memory.engine(me) + reserved),
      heap_(bytes, reserved) {}

void* SymmetricHeap::allocate(std::size_t bytes, std::size_t alignment, bool zero) {
  if (!is_alignment(alignment)) return nullptr;
  std::optional<std::size_t> offset;
  {
    const sim::LockGuard guard(mutex_);
    offset = heap_.allocate(bytes, alignment);
  }
  if (!offset) return nullptr;
  if (zero) std::memset(engine_ + *offset, 0, bytes);
  return begin_ + *offset;
}

std::size_t SymmetricHeap::free_bytes() {
  const sim::LockGuard guard(mutex_);
  return heap_.free_bytes();
}

bool SymmetricHeap::release(const void* address) {
  const auto* const at = static_cast<const std::byte*>(address);
  if (at < begin_) return false;
  const sim::LockGuard guard(mutex_);
  return heap_.release(static_cast<std::size_t>(at - begin_));
}

}  // namespace shmem
