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
  /// The same, for a caller that is mostly the only owner: that needs no locked instruction.
  void release_as_last() const noexcept { unique() ? destroy() : release(); }
  // Apart from these two, which stay small enough to be inlined everywhere.
  void retain_many(std::uint32_t count) const noexcept {
    count_.fetch_add(count, std::memory_order_relaxed);
  }
  void release_many(std::uint32_t count) const noexcept {
    if (count_.fetch_sub(count, std::memory_order_acq_rel) == count) destroy();
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
  /// As in RefCounted.
  void release_as_last() const noexcept { unique() ? delete this : release(); }
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
  requires std::convertible_to<U*, T*> Ref(Ref<U> other)
  noexcept : ptr_(other.detach()) {}
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

/// For one thread at a time that hands out many references to an object, which another thread
/// releases. It takes `kStock` at once, so that the two threads seldom pass the cache line of the
/// count to and fro.
template <class T>
class RefStock {
 public:
  RefStock() = default;
  explicit RefStock(const Ref<T>& of) noexcept { set(of.get()); }
  RefStock(RefStock&& other) noexcept { swap(other); }
  RefStock& operator=(RefStock other) noexcept {
    swap(other);
    return *this;
  }
  ~RefStock() { set(nullptr); }

  T* get() const noexcept { return of_; }
  explicit operator bool() const noexcept { return of_ != nullptr; }
  void set(T* of) noexcept {
    if (of_ == of) return;
    if (of_) of_->release_many(left_);
    of_ = of;
    left_ = 0;
    if (of_) refill();
  }
  /// A reference to the object, which must be set.
  Ref<T> share() noexcept {
    if (left_ == 1) refill();
    --left_;
    return Ref<T>::adopt(of_);
  }

 private:
  static constexpr std::uint32_t kStock = 64;
  void swap(RefStock& other) noexcept {
    std::swap(of_, other.of_);
    std::swap(left_, other.left_);
  }
  void refill() noexcept {
    of_->retain_many(kStock);
    left_ += kStock;
  }
  T* of_ = nullptr;
  std::uint32_t left_ = 0;  // one at least while an object is set, which keeps it
};

/// Collects references and releases those to one object that came in a row with one change of its
/// count.
template <class T>
class RefReturns {
 public:
  RefReturns() = default;
  ~RefReturns() { flush(); }
  RefReturns(const RefReturns&) = delete;
  RefReturns& operator=(const RefReturns&) = delete;

  void add(Ref<T> ref) noexcept {
    if (!ref) return;
    if (ref.get() != of_) flush();
    of_ = ref.detach();
    ++count_;
  }
  void flush() noexcept {
    if (count_ == 0) return;
    std::exchange(of_, nullptr)->release_many(std::exchange(count_, 0));
  }

 private:
  T* of_ = nullptr;
  std::uint32_t count_ = 0;
};

template <class T, class... Args>
Ref<T> make_ref(Args&&... args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

}  // namespace sim
