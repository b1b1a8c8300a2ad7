// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/op_queue.h"

#include <boost/lockfree/stack.hpp>
#include <cstdlib>
#include <new>

#include "device_sim/base/sanitizer.h"

namespace sim {
namespace {
// A stream that holds little costs little: the first chunk is small.
constexpr std::uint32_t kFirstCapacity = 3;
constexpr std::uint32_t kCapacity = 63;
}  // namespace

struct alignas(64) OpQueue::Chunk {
  std::atomic<Chunk*> next{nullptr};
  std::uint32_t capacity;
  // `capacity` ops follow.
  Op* ops() noexcept { return reinterpret_cast<Op*>(this + 1); }
};

namespace {
/// Full-size chunks that wait to be used again, so that a burst does not pay page faults twice.
/// Never destroyed: a worker may still run when the process ends. Not under sanitizers: they see
/// a use after free only when memory is freed, and do not understand the stack's tagged indices.
using ChunkPool = boost::lockfree::stack<void*, boost::lockfree::capacity<4096>>;
ChunkPool& chunk_pool() {
  static ChunkPool* const pool = new ChunkPool;
  return *pool;
}
}  // namespace

OpQueue::Chunk* OpQueue::allocate(std::uint32_t capacity) {
  void* memory = nullptr;
  if (!kSanitized && capacity == kCapacity) chunk_pool().pop(memory);
  if (!memory) {
    memory = std::aligned_alloc(64, sizeof(Chunk) + capacity * sizeof(Op));
    if (!memory) throw std::bad_alloc();
  }
  Chunk* const chunk = new (memory) Chunk;
  chunk->capacity = capacity;
  return chunk;
}

void OpQueue::recycle(Chunk* chunk) noexcept {
  const bool pooled = !kSanitized && chunk->capacity == kCapacity;
  chunk->~Chunk();
  if (!pooled || !chunk_pool().bounded_push(chunk)) std::free(chunk);
}

OpQueue::~OpQueue() {
  while (Op* op = front()) {
    dispose_op(*op);
    pop();
  }
  Chunk* const last = head_ ? head_ : first_.load(std::memory_order_relaxed);
  if (last) recycle(last);
}

void OpQueue::append_chunk() {
  Chunk* const chunk = allocate(tail_ ? kCapacity : kFirstCapacity);
  if (tail_) {
    tail_->next.store(chunk, std::memory_order_release);
  } else {
    first_.store(chunk, std::memory_order_release);
  }
  tail_ = chunk;
  tail_at_ = chunk->ops();
  tail_end_ = tail_at_ + chunk->capacity;
}

void OpQueue::enter_next_chunk() noexcept {
  Chunk* const next =
      head_ ? head_->next.load(std::memory_order_acquire) : first_.load(std::memory_order_acquire);
  if (head_) recycle(head_);
  head_ = next;
  at_ = head_->ops();
  end_ = at_ + head_->capacity;
}

}  // namespace sim
