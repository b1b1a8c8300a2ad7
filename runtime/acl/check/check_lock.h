// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "device_sim/base/biased_lock.h"
#include "device_sim/base/thread_annotations.h"
#include "runtime/acl/check/check_thread.h"

namespace acl {

/// The name of the checker's lock in annotations. A process has one checker; its classes share the
/// lock and need one name for it.
class CAPABILITY("lock of the checker") CheckLockName {
 public:
  /// For functions that a container or the engine calls while its caller holds the lock: the
  /// analysis does not follow such a call. Does nothing.
  void assert_held() const ASSERT_CAPABILITY(this) {}
};
inline CheckLockName check_lock;

/// The checker's lock. Most callbacks of a program do nothing that the checker has to take in, and
/// graphs run many copies and fills. Their reports are deferred: the next thread that enters takes
/// them in.
class CheckLock {
 public:
  class Deferral {
   public:
    /// Takes in all reports that were deferred.
    virtual void take_deferred() REQUIRES(check_lock) = 0;
    /// The calling thread is in a callback and makes a call: takes in the beginning of the
    /// callback.
    virtual void take_begun() REQUIRES(check_lock) = 0;

   protected:
    ~Deferral() = default;
  };
  enum class Deferred { taken, left };

  /// Holds the lock. The constructor takes in deferred reports; with `Deferred::left` the holder
  /// does so, before it reads anything that they may change.
  class SCOPED_CAPABILITY Entry {
   public:
    // The analysis knows the lock by its name alone.
    [[gnu::always_inline]] explicit Entry(CheckLock& lock, Deferred deferred = Deferred::taken)
        ACQUIRE(check_lock) NO_THREAD_SAFETY_ANALYSIS : lock_(lock) {
      lock_.lock_.lock();
      CheckThread& thread = check_thread();
      thread.touched_nothing = {};
      const bool in_call = !thread.begun.empty();
      if (deferred == Deferred::taken || in_call) lock_.take_deferred();
      if (in_call) [[unlikely]]
        lock_.deferral_.take_begun();
    }
    ~Entry() RELEASE() NO_THREAD_SAFETY_ANALYSIS { lock_.lock_.unlock(); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    CheckLock& lock_;
  };

  explicit CheckLock(Deferral& deferral) : deferral_(deferral) {}
  void take_deferred() REQUIRES(check_lock) {
    if (some_deferred_.load(std::memory_order_acquire)) [[unlikely]]
      deferral_.take_deferred();
  }
  /// Callable without the lock.
  void set_deferred() { some_deferred_.store(true, std::memory_order_release); }
  void clear_deferred() { some_deferred_.store(false, std::memory_order_relaxed); }

 private:
  Deferral& deferral_;
  sim::BiasedLock lock_;
  std::atomic<bool> some_deferred_{false};
};

}  // namespace acl
