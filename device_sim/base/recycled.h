// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>

#include "device_sim/base/mutex.h"
#include "device_sim/base/sanitizer.h"
#include "device_sim/base/spin_lock.h"

namespace sim {

/// Gives a class an allocator that keeps the memory of freed objects for later ones. It is meant
/// for large, aligned objects that are made and freed often. Under sanitizers it makes ordinary
/// allocations. If `kTogether` is above 1, that many objects are allocated as one chunk without
/// gaps, and their memory is never returned to the system.
template <class T, std::size_t kTogether = 1>
class Recycled {
 public:
  static void* operator new(std::size_t size) {
    if (!kSanitized && size == sizeof(T)) {
      Pool& pool = shared();
      const sim::LockGuard guard(pool.lock);
      if (Node* const node = pool.free) {
        pool.free = node->next;
        --pool.count;
        return node;
      }
      if (kTogether > 1) return first_of_chunk(pool);
    }
    return ::operator new(size, std::align_val_t(alignof(T)));
  }
  static void operator delete(void* memory, std::size_t size) noexcept {
    if (!kSanitized && size == sizeof(T)) {
      Pool& pool = shared();
      const sim::LockGuard guard(pool.lock);
      if (pool.count < kMost || kTogether > 1) {
        pool.free = new (memory) Node{pool.free};
        ++pool.count;
        return;
      }
    }
    ::operator delete(memory, std::align_val_t(alignof(T)));
  }

 private:
  static constexpr std::size_t kMost = 4096;
  struct Node {
    Node* next;
  };
  struct Pool {
    SpinLock lock;
    Node* free GUARDED_BY(lock) = nullptr;
    std::size_t count GUARDED_BY(lock) = 0;
  };
  static void* first_of_chunk(Pool& pool) REQUIRES(pool.lock) {
    auto* const chunk = static_cast<std::byte*>(
        ::operator new(kTogether * sizeof(T), std::align_val_t(alignof(T))));
    for (std::size_t i = kTogether - 1; i > 0; --i) {
      pool.free = new (chunk + i * sizeof(T)) Node{pool.free};
      ++pool.count;
    }
    return chunk;
  }
  static Pool& shared() noexcept {
    static constinit Pool pool;
    return pool;
  }
};

/// The same for std::allocate_shared, which puts the object and its counts into one slot.
template <class T>
struct RecyclingAllocator {
  using value_type = T;
  RecyclingAllocator() noexcept = default;
  template <class U>
  RecyclingAllocator(const RecyclingAllocator<U>&) noexcept {}  // NOLINT: allocators convert

  T* allocate(std::size_t) { return static_cast<T*>(Slot::operator new(sizeof(Slot))); }
  void deallocate(T* at, std::size_t) noexcept { Slot::operator delete(at, sizeof(Slot)); }
  bool operator==(const RecyclingAllocator&) const noexcept { return true; }

 private:
  struct Slot : Recycled<Slot> {
    alignas(T) std::byte bytes[sizeof(T)];
  };
};

}  // namespace sim
