// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "device_sim/base/mutex.h"
#include "device_sim/base/ref.h"
#include "device_sim/base/spin_lock.h"
#include "device_sim/streams/stream.h"

namespace sim {

/// The ready streams of one device: the most urgent first, first come first served among equals.
/// A stream that another thread has taken meanwhile may still be in the list; the thread that pops
/// it finds out by `try_own`. Holds a reference to each entry. A stream is in one list at most.
class ReadyList {
 public:
  static constexpr int kPriorities = 8;

  ReadyList() = default;
  ~ReadyList() {
    while (pop()) {
    }
  }
  ReadyList(const ReadyList&) = delete;
  ReadyList& operator=(const ReadyList&) = delete;

  /// Moves the stream into this list, out of any other. In this list already, it keeps its place.
  void push(Stream& stream) {
    // Pairs with pop: the popping thread sees the stream ready, or this thread sees it unlisted.
    for (;;) {
      ReadyList* const list = stream.ready_list_.load(std::memory_order_seq_cst);
      if (list == this) return;
      // Out of both lists for a moment: nothing is lost, since this thread goes on to append it.
      if (list) list->remove(stream);
      if (append(stream)) return;
    }
  }

  /// The same, unless the stream is in any list already.
  void push_unlisted(Stream& stream) {
    while (!stream.ready_list_.load(std::memory_order_seq_cst)) {
      if (append(stream)) return;
    }
  }

  Ref<Stream> pop() {
    if (empty()) return {};
    const sim::LockGuard guard(lock_);
    for (Level& level : levels_) {
      if (Stream* const stream = level.first) {
        unlink(level, *stream);
        return Ref<Stream>::adopt(stream);
      }
    }
    return {};
  }

  void remove(Stream& stream) {
    {
      const sim::LockGuard guard(lock_);
      if (stream.ready_list_.load(std::memory_order_relaxed) != this) return;
      unlink(levels_[static_cast<std::size_t>(stream.ready_level_)], stream);
    }
    stream.release();
  }

  /// Takes the stream out of the list that it is in, if any.
  static void remove_anywhere(Stream& stream) {
    while (ReadyList* const list = stream.ready_list_.load(std::memory_order_seq_cst)) {
      list->remove(stream);
    }
  }

  /// Whether it is in any list.
  static bool lists(const Stream& stream) noexcept {
    return stream.ready_list_.load(std::memory_order_seq_cst) != nullptr;
  }

  bool empty() const noexcept { return size() == 0; }
  int size() const noexcept { return count_.load(std::memory_order_seq_cst); }

 private:
  struct Level {
    Stream* first = nullptr;
    Stream* last = nullptr;
  };

  // ready_list_ changes between null and this list under this list's lock only.
  bool append(Stream& stream) {
    const sim::LockGuard guard(lock_);
    ReadyList* none = nullptr;
    if (!stream.ready_list_.compare_exchange_strong(none, this)) return false;
    stream.retain();
    stream.ready_level_ = stream.priority();
    Level& level = levels_[static_cast<std::size_t>(stream.ready_level_)];
    stream.next_ready_ = nullptr;
    stream.previous_ready_ = level.last;
    (level.last ? level.last->next_ready_ : level.first) = &stream;
    level.last = &stream;
    count_.fetch_add(1, std::memory_order_seq_cst);
    return true;
  }

  void unlink(Level& level, Stream& stream) REQUIRES(lock_) {
    (stream.previous_ready_ ? stream.previous_ready_->next_ready_ : level.first) =
        stream.next_ready_;
    (stream.next_ready_ ? stream.next_ready_->previous_ready_ : level.last) =
        stream.previous_ready_;
    stream.ready_list_.store(nullptr, std::memory_order_seq_cst);
    count_.fetch_sub(1, std::memory_order_seq_cst);
  }

  SpinLock lock_;
  std::array<Level, kPriorities> levels_ GUARDED_BY(lock_);
  std::atomic<int> count_{0};
};

}  // namespace sim
