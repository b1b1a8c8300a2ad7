// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>

#include "device_sim/base/thread_annotations.h"

namespace sim {

/// The standard's locks with the annotations that clang's analysis needs. They cost nothing.
class CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() ACQUIRE() { mutex_.lock(); }
  bool try_lock() TRY_ACQUIRE(true) { return mutex_.try_lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }
  /// States for the analysis that the calling thread holds the lock; does nothing.
  void assert_held() const ASSERT_CAPABILITY(this) {}

  std::mutex& native() { return mutex_; }

 private:
  std::mutex mutex_;
};

class CAPABILITY("mutex") RecursiveMutex {
 public:
  void lock() ACQUIRE() { mutex_.lock(); }
  bool try_lock() TRY_ACQUIRE(true) { return mutex_.try_lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }

 private:
  std::recursive_mutex mutex_;
};

class CAPABILITY("mutex") SharedMutex {
 public:
  void lock() ACQUIRE() { mutex_.lock(); }
  bool try_lock() TRY_ACQUIRE(true) { return mutex_.try_lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }
  void lock_shared() ACQUIRE_SHARED() { mutex_.lock_shared(); }
  void unlock_shared() RELEASE_SHARED() { mutex_.unlock_shared(); }

 private:
  std::shared_mutex mutex_;
};

/// Holds a lock of any kind during a scope.
template <class M>
class SCOPED_CAPABILITY LockGuard {
 public:
  explicit LockGuard(M& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  /// The caller holds the lock already.
  LockGuard(M& mutex, std::adopt_lock_t) REQUIRES(mutex) : mutex_(mutex) {}
  ~LockGuard() RELEASE() { mutex_.unlock(); }
  LockGuard(const LockGuard&) = delete;
  LockGuard& operator=(const LockGuard&) = delete;

 private:
  M& mutex_;
};

/// Holds a lock in shared mode during a scope.
template <class M>
class SCOPED_CAPABILITY SharedLock {
 public:
  explicit SharedLock(M& mutex) ACQUIRE_SHARED(mutex) : mutex_(mutex) { mutex_.lock_shared(); }
  ~SharedLock() RELEASE_GENERIC() { mutex_.unlock_shared(); }
  SharedLock(const SharedLock&) = delete;
  SharedLock& operator=(const SharedLock&) = delete;

 private:
  M& mutex_;
};

/// Holds a lock during a scope, and may release and take it again in between.
template <class M>
class SCOPED_CAPABILITY UniqueLock {
 public:
  explicit UniqueLock(M& mutex) ACQUIRE(mutex) : mutex_(mutex) { lock(); }
  /// The caller holds the lock already.
  UniqueLock(M& mutex, std::adopt_lock_t) REQUIRES(mutex) : mutex_(mutex), owns_(true) {}
  UniqueLock(M& mutex, std::defer_lock_t) EXCLUDES(mutex) : mutex_(mutex) {}
  ~UniqueLock() RELEASE() {
    if (owns_) mutex_.unlock();
  }
  UniqueLock(const UniqueLock&) = delete;
  UniqueLock& operator=(const UniqueLock&) = delete;

  void lock() ACQUIRE() {
    mutex_.lock();
    owns_ = true;
  }
  bool try_lock() TRY_ACQUIRE(true) { return owns_ = mutex_.try_lock(); }
  void unlock() RELEASE() {
    mutex_.unlock();
    owns_ = false;
  }
  bool owns_lock() const { return owns_; }
  M& mutex() RETURN_CAPABILITY(mutex_) { return mutex_; }

 private:
  M& mutex_;
  bool owns_ = false;
};

/// A condition variable for Mutex. A predicate is called with the lock held; for the analysis it is
/// a function of its own, so a predicate that reads guarded members is annotated with REQUIRES.
class CondVar {
 public:
  void wait(UniqueLock<Mutex>& lock) {
    Native native(lock);
    changed_.wait(native.lock);
  }
  template <class Predicate>
  void wait(UniqueLock<Mutex>& lock, Predicate done) {
    Native native(lock);
    changed_.wait(native.lock, done);
  }
  template <class Clock, class Duration>
  std::cv_status wait_until(UniqueLock<Mutex>& lock,
                            const std::chrono::time_point<Clock, Duration>& deadline) {
    Native native(lock);
    return changed_.wait_until(native.lock, deadline);
  }
  template <class Clock, class Duration, class Predicate>
  bool wait_until(UniqueLock<Mutex>& lock, const std::chrono::time_point<Clock, Duration>& deadline,
                  Predicate done) {
    Native native(lock);
    return changed_.wait_until(native.lock, deadline, done);
  }
  template <class Rep, class Period>
  std::cv_status wait_for(UniqueLock<Mutex>& lock, const std::chrono::duration<Rep, Period>& time) {
    Native native(lock);
    return changed_.wait_for(native.lock, time);
  }
  template <class Rep, class Period, class Predicate>
  bool wait_for(UniqueLock<Mutex>& lock, const std::chrono::duration<Rep, Period>& time,
                Predicate done) {
    Native native(lock);
    return changed_.wait_for(native.lock, time, done);
  }
  void notify_one() noexcept { changed_.notify_one(); }
  void notify_all() noexcept { changed_.notify_all(); }

 private:
  /// Lends the lock to the standard library. The lock stays with its owner also if the wait ends
  /// by an exception (a cancelled thread).
  struct Native {
    explicit Native(UniqueLock<Mutex>& owner) : lock(owner.mutex().native(), std::adopt_lock) {}
    ~Native() { lock.release(); }
    Native(const Native&) = delete;
    Native& operator=(const Native&) = delete;
    std::unique_lock<std::mutex> lock;
  };

  std::condition_variable changed_;
};

}  // namespace sim
