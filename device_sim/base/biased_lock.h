// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "device_sim/base/spin_lock.h"

namespace sim {

/// A lock that is mostly taken by one thread. After that thread has taken it many times in
/// succession, the lock is biased to the thread, which then takes it without a locked instruction.
/// Another thread revokes the bias with a barrier on all processors (membarrier), which costs
/// microseconds. If the system has no such barrier, this is a SpinLock.
class CAPABILITY("biased lock") BiasedLock {
 public:
  /// Registers the process for the barrier. This costs nothing while the process has one thread,
  /// and milliseconds if it has several, so call it before any thread is started. Otherwise the
  /// first thread that becomes the owner of a lock pays for it.
  static void prepare() noexcept;

  void lock() noexcept ACQUIRE() {
    Owner* const owner = owner_.load(std::memory_order_acquire);
    if (owner && owner->thread == self() && enter(*owner)) return;
    lock_as_any();
  }
  void unlock() noexcept RELEASE() {
    if (Owner* const owner = entered_) {
      owner->inside.store(false, std::memory_order_release);
    } else {
      others_.unlock();
    }
  }

 private:
  static constexpr std::uint32_t kFirstStreak = 1000;
  static constexpr std::uint32_t kLongestStreak = 1 << 20;
  static constexpr std::size_t kMostOwners = 32;

  /// A thread that is or was the owner of the lock. Each has its own `inside` mark, because a
  /// thread that is preempted while its bias is revoked may set its mark later.
  struct Owner {
    const void* thread = nullptr;
    std::atomic<bool> inside{false};
  };

  static const void* self() noexcept {
    static thread_local char here;
    return &here;
  }
  // The processor may load owner_ before others see the mark. The barrier of the revoking thread
  // makes up for that: after it, either that thread sees the mark, or this one sees the change of
  // owner_.
  bool enter(Owner& owner) noexcept {
    // The address may have belonged to a thread that has ended: this orders the caller after it.
    static_cast<void>(owner.inside.load(std::memory_order_acquire));
    owner.inside.store(true, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (owner_.load(std::memory_order_relaxed) == &owner) {
      entered_ = &owner;
      return true;
    }
    owner.inside.store(false, std::memory_order_release);
    return false;
  }
  // Not analysed: these two take and release others_ depending on who owns the lock. lock_as_any
  // takes others_, which unlock releases unless the lock was entered by its owner.
  void lock_as_any() noexcept NO_THREAD_SAFETY_ANALYSIS;
  void become_owner() noexcept NO_THREAD_SAFETY_ANALYSIS;
  Owner* record_of(const void* thread) noexcept REQUIRES(others_);
  void take_away() noexcept REQUIRES(others_);

  std::atomic<Owner*> owner_{nullptr};
  Owner* entered_ = nullptr;  // how the lock is held; null: through others_
  SpinLock others_;
  const void* last_ GUARDED_BY(others_) = nullptr;
  std::uint32_t streak_ GUARDED_BY(others_) = 0;  // how often in a row last_ took the lock
  std::uint32_t wanted_ GUARDED_BY(others_) = kFirstStreak;
  std::size_t known_ GUARDED_BY(others_) = 0;
  std::array<Owner, kMostOwners> owners_;  // entered by their threads without others_
};

}  // namespace sim
