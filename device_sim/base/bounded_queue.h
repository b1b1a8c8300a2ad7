// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>

#include "device_sim/base/clock.h"
#include "device_sim/base/mutex.h"

namespace sim {

struct Nothing {
  void operator()() const noexcept {}
};

/// Sleeps until `done` holds; false when it does not hold by the deadline. `before` is called
/// before the thread sleeps, and not at all if it need not sleep.
template <class Predicate, class Before>
bool sleep_until(sim::CondVar& changed, sim::UniqueLock<sim::Mutex>& lock, const Deadline& deadline,
                 Predicate done, Before before) {
  if (done()) return true;
  if (deadline.passed()) return false;
  before();
  if (!deadline.is_never()) return changed.wait_until(lock, deadline.at(), done);
  changed.wait(lock, done);
  return true;
}

/// A queue of at most `depth` items for several producers and consumers. The owner of the queue
/// supplies the lock. Therefore several queues under one lock can move items between each other in
/// one step, and a consumer can look at an item before it takes it. Every function is called with
/// the lock held, and calls `before` with the lock held before it sleeps.
///
/// Each change wakes all sleeping threads that it could concern, and each of them checks again.
/// Therefore a woken thread that takes no item does not keep the item from the others.
template <class T>
class BoundedQueue {
 public:
  using Lock = sim::UniqueLock<sim::Mutex>;
  enum class Wait : std::uint8_t { ready, timed_out, closed };

  explicit BoundedQueue(std::size_t depth) : depth_(depth) {}

  /// `ready` when the queue has an item, closed or not.
  template <class Before = Nothing>
  Wait for_item(Lock& lock, const Deadline& deadline, Before before = {}) {
    const bool in_time = sleep_until(
        not_empty_, lock, deadline, [this] { return closed_ || !empty(); }, before);
    if (!empty()) return Wait::ready;
    return in_time ? Wait::closed : Wait::timed_out;
  }
  /// `ready` when the queue has room for a push; never when it is closed.
  template <class Before = Nothing>
  Wait for_room(Lock& lock, const Deadline& deadline, Before before = {}) {
    const bool in_time = sleep_until(
        not_full_, lock, deadline, [this] { return closed_ || !full(); }, before);
    if (closed_) return Wait::closed;
    return in_time ? Wait::ready : Wait::timed_out;
  }

  /// Needs room.
  void push(T item) {
    items_.push_back(std::move(item));
    not_empty_.notify_all();
  }
  /// Needs an item.
  T pop() {
    T item = std::move(items_.front());
    items_.pop_front();
    not_full_.notify_all();
    return item;
  }
  const T& front() const { return items_.front(); }
  /// Takes all items, so that the caller can destroy them without the lock.
  std::deque<T> drain() {
    not_full_.notify_all();
    return std::exchange(items_, {});
  }
  /// Refuses further items and wakes all sleeping threads. Queued items can still be taken.
  void close() {
    closed_ = true;
    not_empty_.notify_all();
    not_full_.notify_all();
  }

  bool empty() const noexcept { return items_.empty(); }
  bool full() const noexcept { return items_.size() >= depth_; }
  bool closed() const noexcept { return closed_; }
  std::size_t size() const noexcept { return items_.size(); }

 private:
  const std::size_t depth_;
  std::deque<T> items_;
  bool closed_ = false;
  sim::CondVar not_empty_;
  sim::CondVar not_full_;
};

}  // namespace sim
