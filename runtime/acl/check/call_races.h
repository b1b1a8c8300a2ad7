// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <list>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/op.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/check_thread.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/watch/host_threads.h"
#include "runtime/order/engine/op_info.h"

namespace acl {

class Reporter;
class Runtime;
class Stream;

/// Finds conflicting operations that two host threads enqueue on one stream while nothing orders
/// the two calls (ACL037). The checker does not see how threads wait for each other, so it tries
/// the order out: a thread that enqueues an operation at some place for the first time while other
/// threads run is held for some 20 ms. A conflicting operation that another thread enqueues
/// meanwhile could have come first. A thread that waits for the held one cannot enqueue any.
///
/// The hold also gives other threads the time to wait for an event before this thread records it.
///
/// A controlled schedule lets one thread go on at a time, so none is held there. A thread that has
/// begun its call, and waits for its turn, while another thread enqueues could have come first.
class CallRaces {
 public:
  CallRaces(Runtime& runtime, CheckLock& lock, Reporter& reporter,
            const watch::HostThreads& host_threads);

  /// A call of the thread begins. Called for each call under a controlled schedule.
  void call_begins() {
    check_thread().enqueued_before_call = enqueued_.load(std::memory_order_relaxed);
  }
  /// The calling thread is about to enqueue the op. The caller holds no lock of the machine.
  void enqueueing(Stream& stream, const sim::Op& op) {
    const bool looks = takes_turns_
                           ? watch::threads_that_called() > 1
                           : held_now_.load(std::memory_order_relaxed) != 0 || is_new_place();
    if (looks) [[unlikely]]
      look_at(stream, op);
  }

 private:
  /// An operation of a thread that is held, or a recent one.
  struct Held {
    bool conflicts_with(const Held& other) const;

    std::uint32_t stream = 0;
    order::OpInfo what;
    std::vector<order::Access> accesses;
    std::uint64_t number = 0;  // in the order of `recent_`
    bool met = false;          // another thread has enqueued a conflicting operation
  };

  /// Whether the thread has not been here since the program's last thread made its first call.
  static bool is_new_place() {
    return check_thread().places.is_new(call_site_of(thread_state()) ^
                                        (watch::threads_that_called() << 48));
  }
  void look_at(Stream& stream, const sim::Op& op) EXCLUDES(mutex_, check_lock);
  /// The recent operations that were enqueued while the thread waited for its turn.
  std::vector<order::OpInfo> meet_recent(Held&& later) REQUIRES(mutex_);
  bool may_hold() const;
  bool another_thread_runs() const;
  /// Returns the accesses that are known: a guess about a kernel proves no conflict.
  std::vector<order::Access> accesses_of(const sim::Op& op) const;
  /// Ends the holds of the conflicting operations, and returns these.
  std::vector<order::OpInfo> meet_held(const Held& later) REQUIRES(mutex_);
  /// `guard` holds `mutex_`, which the analysis does not know.
  void hold(Held& own, sim::UniqueLock<sim::Mutex>& guard)
      REQUIRES(mutex_) NO_THREAD_SAFETY_ANALYSIS;
  void report(const order::OpInfo& earlier, const order::OpInfo& later) EXCLUDES(check_lock);

  Runtime& runtime_;
  CheckLock& lock_;
  Reporter& reporter_;
  const watch::HostThreads& host_threads_;
  const bool takes_turns_;
  std::atomic<unsigned> holds_{0};  // so far
  std::atomic<unsigned> held_now_{0};
  sim::Mutex mutex_;
  sim::CondVar met_;
  std::list<Held*> held_ GUARDED_BY(mutex_);
  std::deque<Held> recent_ GUARDED_BY(mutex_);
  std::atomic<std::uint64_t> enqueued_{0};  // operations that were in `recent_`
};

}  // namespace acl
