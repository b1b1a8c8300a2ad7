// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "device_sim/ref.h"
#include "device_sim/spin_lock.h"
#include "device_sim/stream.h"

namespace sim {

/// The ready streams of one device: the most urgent first, first come first served among equals.
/// A stream that somebody else took meanwhile may still stand in here; whoever pops it finds out
/// by `try_own`. Holds a reference to each entry.
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

  /// Does nothing when the stream stands in the list already.
  void push(Stream& stream) {
    // Pairs with pop: either it sees the stream ready, or this sees the mark gone.
    if (stream.in_ready_list_.load(std::memory_order_seq_cst)) return;
    const std::lock_guard guard(lock_);
    if (stream.in_ready_list_.load(std::memory_order_relaxed)) return;
    stream.retain();
    stream.in_ready_list_.store(true, std::memory_order_seq_cst);
    Level& level = levels_[static_cast<std::size_t>(stream.priority())];
    stream.next_ready_ = nullptr;
    stream.previous_ready_ = level.last;
    (level.last ? level.last->next_ready_ : level.first) = &stream;
    level.last = &stream;
    count_.fetch_add(1, std::memory_order_seq_cst);
  }

  Ref<Stream> pop() {
    if (empty()) return {};
    const std::lock_guard guard(lock_);
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
      const std::lock_guard guard(lock_);
      if (!stream.in_ready_list_.load(std::memory_order_relaxed)) return;
      unlink(levels_[static_cast<std::size_t>(stream.priority())], stream);
    }
    stream.release();
  }

  bool empty() const noexcept { return count_.load(std::memory_order_seq_cst) == 0; }

 private:
  struct Level {
    Stream* first = nullptr;
    Stream* last = nullptr;
  };

  void unlink(Level& level, Stream& stream) {
    (stream.previous_ready_ ? stream.previous_ready_->next_ready_ : level.first) =
        stream.next_ready_;
    (stream.next_ready_ ? stream.next_ready_->previous_ready_ : level.last) =
        stream.previous_ready_;
    stream.in_ready_list_.store(false, std::memory_order_seq_cst);
    count_.fetch_sub(1, std::memory_order_seq_cst);
  }

  SpinLock lock_;
  std::array<Level, kPriorities> levels_;
  std::atomic<int> count_{0};
};

}  // namespace sim
