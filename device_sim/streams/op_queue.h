// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <new>

#include "device_sim/base/mutex.h"
#include "device_sim/base/spin_lock.h"
#include "device_sim/streams/op.h"

namespace sim {

/// The ops of one stream, first in first out, without a bound. Many threads may push; one at a
/// time (the stream's owner) looks at the head and pops. An op keeps its address until popped.
/// Producer and consumer touch each other's cache line once per op at most.
class OpQueue {
 public:
  OpQueue() = default;
  ~OpQueue();
  OpQueue(const OpQueue&) = delete;
  OpQueue& operator=(const OpQueue&) = delete;

  /// Appends a copy of `op` with its task id set; returns how many were pushed so far.
  std::uint64_t push(const Op& op) {
    const sim::LockGuard guard(push_lock_);
    if (tail_at_ == tail_end_) [[unlikely]]
      append_chunk();
    const std::uint64_t count = pushed_.load(std::memory_order_relaxed) + 1;
    Op* const slot = new (tail_at_) Op(op);
    slot->task_id = static_cast<std::uint32_t>(count);
    ++tail_at_;
    // Sequentially consistent: a stream that goes idle reads this after it has set its state.
    pushed_.store(count, std::memory_order_seq_cst);
    return count;
  }
  /// The same for an op that `make` constructs in place. Returns 0, and does nothing, if another
  /// thread is pushing or the chunk is full.
  template <class Make>
  std::uint64_t try_push(const Make& make) noexcept {
    if (!push_lock_.try_lock()) [[unlikely]]
      return 0;
    if (tail_at_ == tail_end_) [[unlikely]] {
      push_lock_.unlock();
      return 0;
    }
    const std::uint64_t count = pushed_.load(std::memory_order_relaxed) + 1;
    Op* const slot = new (tail_at_) Op(make());
    slot->task_id = static_cast<std::uint32_t>(count);
    tail_at_ = slot + 1;
    pushed_.store(count, std::memory_order_seq_cst);  // as above
    push_lock_.unlock();
    if (count == 0) __builtin_unreachable();
    return count;
  }
  std::uint64_t pushed() const noexcept { return pushed_.load(std::memory_order_seq_cst); }

  // The owner's side.
  /// The op at the head, or null.
  Op* front() noexcept {
    if (popped_ == seen_) {
      seen_ = pushed_.load(std::memory_order_seq_cst);
      if (popped_ == seen_) return nullptr;
    }
    if (at_ == end_) [[unlikely]]
      enter_next_chunk();
    if (!at_) __builtin_unreachable();
    return at_;
  }
  void pop() noexcept {
    ++at_;
    ++popped_;
  }
  std::uint64_t popped() const noexcept { return popped_; }

 private:
  struct Chunk;
  static Chunk* allocate(std::uint32_t capacity);
  static void recycle(Chunk* chunk) noexcept;
  void append_chunk() REQUIRES(push_lock_);
  void enter_next_chunk() noexcept;

  alignas(64) SpinLock push_lock_;
  Chunk* tail_ GUARDED_BY(push_lock_) = nullptr;
  Op* tail_at_ GUARDED_BY(push_lock_) = nullptr;  // the next free slot in tail_, up to tail_end_
  Op* tail_end_ GUARDED_BY(push_lock_) = nullptr;
  std::atomic<std::uint64_t> pushed_{0};
  std::atomic<Chunk*> first_{nullptr};  // set once, by the first push

  alignas(64) Op* at_ = nullptr;  // in head_, from its first op to end_
  Op* end_ = nullptr;
  Chunk* head_ = nullptr;
  std::uint64_t popped_ = 0;
  std::uint64_t seen_ = 0;  // the last value read from pushed_
};

}  // namespace sim
