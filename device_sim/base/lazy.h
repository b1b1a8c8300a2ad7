// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>

namespace sim {

/// A part of an object that most objects of the class never need. It is made on the first access.
/// Any thread may call.
template <class T>
class Lazy {
 public:
  Lazy() = default;
  ~Lazy() { delete made_.load(std::memory_order_relaxed); }
  Lazy(const Lazy&) = delete;
  Lazy& operator=(const Lazy&) = delete;

  T& get() {
    T* const made = if_made();
    return made ? *made : make();
  }
  /// Null before the first access.
  T* if_made() const noexcept { return made_.load(std::memory_order_acquire); }

 private:
  T& make() {
    auto own = std::make_unique<T>();
    T* first = nullptr;
    if (!made_.compare_exchange_strong(first, own.get(), std::memory_order_acq_rel)) return *first;
    return *own.release();
  }

  std::atomic<T*> made_{nullptr};
};

}  // namespace sim
