// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <utility>

namespace sim {

/// Base of objects that ops, handles and threads own together.
template <class T>
class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

  void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() const noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy();
  }
  bool unique() const noexcept { return count_.load(std::memory_order_acquire) == 1; }

 protected:
  ~RefCounted() = default;

 private:
  void destroy() const noexcept { delete static_cast<const T*>(this); }
  mutable std::atomic<std::uint32_t> count_{1};
};

/// The same for objects of many classes behind one.
class Shared {
 public:
  Shared() = default;
  virtual ~Shared() = default;
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  /// The same while no other thread knows the object.
  void retain_unshared() const noexcept {
    count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void release() const noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  bool unique() const noexcept { return count_.load(std::memory_order_acquire) == 1; }

 private:
  mutable std::atomic<std::uint32_t> count_{1};
};

/// Owning pointer to such an object.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  Ref(const Ref& other) noexcept : ptr_(other.ptr_) {
    if (ptr_) ptr_->retain();
  }
  Ref(Ref&& other) noexcept : ptr_(std::exchange(other.ptr_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(ptr_, other.ptr_);
    return *this;
  }
  template <class U>
    requires std::convertible_to<U*, T*>
  Ref(Ref<U> other) noexcept : ptr_(other.detach()) {}
  ~Ref() {
    if (ptr_) ptr_->release();
  }

  /// Takes over the reference that the caller already holds.
  static Ref adopt(T* ptr) noexcept {
    Ref ref;
    ref.ptr_ = ptr;
    return ref;
  }
  /// Adds a reference of its own.
  static Ref share(T* ptr) noexcept {
    if (ptr) ptr->retain();
    return adopt(ptr);
  }
  /// Gives the reference away; the receiver must release it.
  T* detach() noexcept { return std::exchange(ptr_, nullptr); }

  T* get() const noexcept { return ptr_; }
  T* operator->() const noexcept { return ptr_; }
  T& operator*() const noexcept { return *ptr_; }
  explicit operator bool() const noexcept { return ptr_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) noexcept { return a.ptr_ == b.ptr_; }

 private:
  T* ptr_ = nullptr;
};

template <class T, class... Args>
Ref<T> make_ref(Args&&... args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

}  // namespace sim
