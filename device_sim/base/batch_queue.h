// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace sim {

/// A first-in, first-out queue for many producers and one consumer at a time. The consumer takes
/// all queued items as one batch and needs no lock for the items of its batch. Items that it has
/// not begun can still be taken back. The queue has no lock: its owner has one, and the comments
/// below name the functions that are called with it ("locked").
template <class T>
class BatchQueue {
 public:
  /// Locked. `of`: the owner of the item, for `take_back`.
  void push(T item, const void* of) {
    pushed_.push_back({std::move(item), of});
    was_pushed_.store(true, std::memory_order_relaxed);
  }
  /// Without the lock, by any thread: whether an item was pushed since the last batch began. The
  /// answer may be slightly out of date.
  bool was_pushed() const noexcept { return was_pushed_.load(std::memory_order_relaxed); }

  /// Consumer, without the lock: the next item of its batch. False at the end of the batch.
  bool next(T& item) {
    if (!spent_.empty()) tidy();
    for (std::size_t at = at_.load(std::memory_order_relaxed); at < batch_.size();) {
      Slot& slot = batch_[at];
      at_.store(++at, std::memory_order_relaxed);
      if (!claim(slot)) continue;
      item = std::move(slot.item);
      return true;
    }
    return false;
  }

  /// Consumer: the number of items at the start of its batch.
  std::size_t batch_size() const noexcept { return batch_.size(); }

  /// Consumer, locked: begins the next batch if the previous one is at its end. False when no item
  /// is queued.
  bool refill() {
    if (at_.load(std::memory_order_relaxed) != batch_.size()) return true;
    if (pushed_.empty()) return false;
    was_pushed_.store(false, std::memory_order_relaxed);
    batch_.swap(pushed_);
    pushed_.swap(spent_);
    at_.store(0, std::memory_order_relaxed);
    return true;
  }

  /// Locked: takes out the items of this owner that the consumer has not begun.
  std::vector<T> take_back(const void* of) {
    return take_if([of](const Slot& slot) { return slot.of == of; });
  }
  /// The same for all items.
  std::vector<T> take_all() {
    return take_if([](const Slot&) { return true; });
  }

  /// Locked. True: the consumer finds no item. Items that were taken back may still count until the
  /// consumer has passed them.
  bool empty() const {
    return pushed_.empty() && at_.load(std::memory_order_relaxed) == batch_.size();
  }
  /// Locked: the number of items that the consumer has not begun.
  std::size_t size() const {
    const auto waits = [](const Slot& slot) { return !is_claimed(slot); };
    return pushed_.size() +
           static_cast<std::size_t>(std::count_if(batch_.begin(), batch_.end(), waits));
  }

 private:
  struct Slot {
    T item;
    const void* of = nullptr;  // stays when the consumer moves `item` away
    bool claimed = false;      // by the consumer or by take_back, by the first of the two
  };
  static constexpr std::size_t kMostKept = 1024;  // slots

  static bool claim(Slot& slot) {
    return !std::atomic_ref(slot.claimed).exchange(true, std::memory_order_acq_rel);
  }
  static bool is_claimed(const Slot& slot) {
    return std::atomic_ref(const_cast<bool&>(slot.claimed)).load(std::memory_order_acquire);
  }

  template <class Wanted>
  std::vector<T> take_if(Wanted wanted) {
    std::vector<T> taken;
    for (Slot& slot : batch_) {
      if (wanted(slot) && claim(slot)) taken.push_back(std::move(slot.item));
    }
    const auto out = std::stable_partition(pushed_.begin(), pushed_.end(),
                                           [&](const Slot& slot) { return !wanted(slot); });
    for (auto it = out; it != pushed_.end(); ++it) taken.push_back(std::move(it->item));
    pushed_.erase(out, pushed_.end());
    return taken;
  }

  void tidy() {
    spent_.clear();
    if (spent_.capacity() > kMostKept) spent_ = {};
  }

  std::vector<Slot> pushed_;
  std::atomic<bool> was_pushed_{false};
  std::vector<Slot> batch_;  // its size changes in `refill` alone
  std::atomic<std::size_t> at_{0};
  std::vector<Slot> spent_;  // the batch before
};

}  // namespace sim
