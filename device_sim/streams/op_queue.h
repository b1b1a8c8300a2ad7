// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

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
  std::uint64_t push(const Op& op);
  std::uint64_t pushed() const noexcept { return pushed_.load(std::memory_order_seq_cst); }

  // The owner's side.
  Op* front() noexcept;
  void pop() noexcept;
  std::uint64_t popped() const noexcept { return popped_; }

 private:
  struct Chunk;
  static Chunk* allocate(std::uint32_t capacity);
  static void recycle(Chunk* chunk) noexcept;
  void append_chunk();

  alignas(64) SpinLock push_lock_;
  Chunk* tail_ = nullptr;
  std::uint32_t tail_used_ = 0;
  std::atomic<std::uint64_t> pushed_{0};
  std::atomic<Chunk*> first_{nullptr};  // set once, by the first push

  alignas(64) Chunk* head_ = nullptr;
  std::uint32_t head_used_ = 0;
  std::uint64_t popped_ = 0;
  std::uint64_t seen_ = 0;  // what pushed_ was when last looked at
};

}  // namespace sim
