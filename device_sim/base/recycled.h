// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>

#include "device_sim/base/mutex.h"
#include "device_sim/base/sanitizer.h"
#include "device_sim/base/spin_lock.h"

namespace sim {

/// Gives a class an allocator that keeps freed objects for the next ones. For large, aligned
/// objects that come and go in numbers; the sanitizers see ordinary allocations instead. With
/// `kTogether` above 1 so many are allocated in one piece, without gaps, and their memory is never
/// given back.
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
      if (kTogether > 1) return first_of_piece(pool);
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
    Node* free = nullptr;
    std::size_t count = 0;
  };
  // With the pool's lock.
  static void* first_of_piece(Pool& pool) {
    auto* const piece = static_cast<std::byte*>(
        ::operator new(kTogether * sizeof(T), std::align_val_t(alignof(T))));
    for (std::size_t i = kTogether - 1; i > 0; --i) {
      pool.free = new (piece + i * sizeof(T)) Node{pool.free};
      ++pool.count;
    }
    return piece;
  }
  static Pool& shared() noexcept {
    static constinit Pool pool;
    return pool;
  }
};

/// The same for std::allocate_shared: object and counts are one piece.
template <class T>
struct RecyclingAllocator {
  using value_type = T;
  RecyclingAllocator() noexcept = default;
  template <class U>
  RecyclingAllocator(const RecyclingAllocator<U>&) noexcept {}  // NOLINT: allocators convert

  T* allocate(std::size_t) { return static_cast<T*>(Piece::operator new(sizeof(Piece))); }
  void deallocate(T* at, std::size_t) noexcept { Piece::operator delete(at, sizeof(Piece)); }
  bool operator==(const RecyclingAllocator&) const noexcept { return true; }

 private:
  struct Piece : Recycled<Piece> {
    alignas(T) std::byte bytes[sizeof(T)];
  };
};

}  // namespace sim
