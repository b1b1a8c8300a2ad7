// SPDX-License-Identifier: Apache-2.0
// The queues of a core and the buffers in them, as states. Nothing here moves a byte.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ascendc/impl/limit_rows.h"
#include "runtime/ascendc/core/arch.h"
#include "runtime/ascendc/core/clocks.h"

namespace ascendc {

enum class BufferState : std::uint8_t { free, occupied, enqueued, dequeued };

/// A part of local memory that a tensor refers to. It fills one cache line, and another one for the
/// clocks.
struct alignas(64) LocalBuffer {
  std::uint32_t queue = 0;       // 0: of none (TBuf)
  std::uint32_t number = 0;      // in its queue
  std::uint32_t generation = 0;  // how often it was taken
  BufferState state = BufferState::free;
  Memory memory = Memory::ub;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  const void* site = nullptr;  // where it got into this state
  std::uint32_t behind = 0;    // while it is enqueued: the buffer that comes after it
  Clock produced{};            // the producer's clock at the enqueue
  Clock released{};            // the consumer's clock at the free
};

/// Which pipe writes the buffers of a queue, and which reads them.
struct QueuePipes {
  Pipe producer;
  Pipe consumer;
};
QueuePipes queue_pipes(std::uint32_t from, std::uint32_t to) noexcept;

/// A memory as a TPipe or a TBufPool hands it out: from its begin to its end, nothing comes back.
struct Pool {
  std::array<std::uint64_t, kMemories> begin{};
  std::array<std::uint64_t, kMemories> next{};
  std::array<std::uint64_t, kMemories> end{};
};

class Queues {
 public:
  explicit Queues() { clear(); }
  void clear();

  /// The error as a sentence, or empty.
  using Problem = std::optional<std::string>;

  std::uint32_t add_queue(std::uint32_t from, std::uint32_t to, std::uint32_t depth);
  std::uint32_t add_pool() {
    pools_.emplace_back();
    return static_cast<std::uint32_t>(pools_.size() - 1);
  }
  void reset_pool(std::uint32_t id) { pools_[id].next = pools_[id].begin; }
  std::uint64_t pool_begin(std::uint32_t id, std::uint32_t position) const {
    const Memory memory = memory_of(position);
    return memory == Memory::count ? 0 : pools_[id].next[static_cast<std::size_t>(memory)];
  }
  Pool& pool(std::uint32_t id) { return pools_[id]; }

  Problem init(std::uint32_t queue, std::uint32_t pool, std::uint32_t position, std::uint32_t num,
               std::uint64_t bytes, const Arch& arch, const void* site);
  /// `num` buffers in memory that the program divides itself; `place` returns the location of each.
  Problem start(std::uint32_t queue, std::uint32_t num);
  Problem place(std::uint32_t queue, std::uint32_t number, std::uint32_t position,
                std::uint64_t offset, std::uint64_t bytes, const Arch& arch, const void* site);
  /// The same, of no queue.
  Problem place_one(std::uint32_t position, std::uint64_t offset, std::uint64_t bytes,
                    const Arch& arch, const void* site, std::uint64_t& tensor);
  /// A buffer without a queue; `tensor` is its identifier.
  Problem take(std::uint32_t pool, std::uint32_t position, std::uint64_t bytes, const Arch& arch,
               const void* site, std::uint64_t& tensor);

  // Operations of tiles. Null: the operation is refused, and `refusal` gives the reason.
  LocalBuffer* alloc(std::uint32_t queue, const void* site);
  LocalBuffer* enque(std::uint32_t queue, std::uint64_t tensor, const void* site);
  LocalBuffer* deque(std::uint32_t queue, const void* site);
  LocalBuffer* free(std::uint32_t queue, std::uint64_t tensor, const void* site);
  const std::string& refusal() const noexcept { return refusal_; }
  /// The identifier of the buffer's last allocation.
  std::uint64_t tensor_of(const LocalBuffer& buffer) const noexcept {
    return std::uint64_t{buffer.generation} << 32 |
           static_cast<std::uint64_t>(&buffer - buffers_.data() + 1);
  }

  /// The buffer of a tensor; null if it has none.
  LocalBuffer* buffer(std::uint64_t tensor) {
    const std::uint64_t index = (tensor & 0xffffffffU) - 1;
    return index < buffers_.size() ? &buffers_[index] : nullptr;
  }
  /// Whether the tensor must not be used any more.
  bool is_stale(std::uint64_t tensor) {
    const LocalBuffer* const found = buffer(tensor);
    return found && found->queue != 0 &&
           (found->generation != tensor >> 32 || found->state == BufferState::free);
  }
  /// Why not.
  std::string stale(std::uint64_t tensor);
  /// Buffers that are taken or enqueued, in sentences.
  std::vector<std::pair<std::string, const void*>> left() const;

  QueuePipes pipes(std::uint32_t queue) const { return at(queue).pipes; }
  std::uint32_t enqueued(std::uint32_t queue) const { return at(queue).enqueued; }
  std::uint32_t depth(std::uint32_t queue) const { return at(queue).depth; }
  std::uint32_t idle(std::uint32_t queue) const;
  /// The buffer as text; `number`: the low half of its identifier, 0 for none.
  std::string describe(std::uint32_t number) const;
  /// Everything that the TPipe gave out is gone.
  void forget_buffers();

 private:
  struct Queue {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    QueuePipes pipes{};
    std::uint32_t depth = 0;
    std::uint32_t first = 0;  // of its buffers
    std::uint32_t count = 0;
    std::uint32_t next = 0;  // where the search for a free one begins
    std::uint32_t enqueued = 0;
    std::uint32_t front = 0;  // of those, a number of a buffer; LocalBuffer::behind has the next
    std::uint32_t back = 0;
  };
  /// The position of its buffers, a TPosition.
  static std::uint32_t position_of(const Queue& queue) noexcept {
    return (queue.from == 0 ? queue.to : queue.from) % kPositions;
  }
  const Queue& at(std::uint32_t queue) const { return queues_[queue - 1]; }
  std::string describe(const LocalBuffer& buffer) const;
  Problem countable(std::uint32_t num) const;
  /// The buffer of a tensor that the program holds and may free; null if it does not hold one.
  LocalBuffer* taken_from(std::uint32_t id, std::uint64_t tensor) {
    LocalBuffer* const found = buffer(tensor);
    const bool has =
        found && id != 0 && found->queue == id && found->generation == tensor >> 32 &&
        (found->state == BufferState::occupied || found->state == BufferState::dequeued);
    return has ? found : nullptr;
  }
  // The refusals are functions of their own, so that their callers stay small.
  [[gnu::cold]] LocalBuffer* refuse(std::string why);
  [[gnu::cold]] LocalBuffer* refuse_alloc(std::uint32_t queue);
  [[gnu::cold]] LocalBuffer* refuse_enque(const Queue& queue);
  [[gnu::cold]] LocalBuffer* refuse_deque(std::uint32_t queue);
  [[gnu::cold]] LocalBuffer* refuse_tensor(const char* what, const char* expected,
                                           std::uint32_t queue, std::uint64_t tensor);

  static constexpr std::uint32_t kPositions = 16;
  static constexpr std::uint32_t kMostTaken = ACLSIM_MOST_TAKEN_TENSORS;
  std::vector<Queue> queues_;
  std::vector<LocalBuffer> buffers_;
  std::array<std::uint32_t, kPositions> taken_{};  // buffers that are not free, by position
  std::vector<Pool> pools_;
  std::string refusal_;
};

inline LocalBuffer* Queues::alloc(std::uint32_t id, const void* site) {
  if (id == 0) return refuse_alloc(id);
  Queue& queue = queues_[id - 1];
  std::uint32_t& taken = taken_[position_of(queue)];
  if (taken >= kMostTaken) return refuse_alloc(id);
  std::uint32_t number = queue.next;
  for (std::uint32_t i = 0; i < queue.count; ++i) {
    LocalBuffer& candidate = buffers_[queue.first + number];
    number = number + 1 == queue.count ? 0 : number + 1;
    if (candidate.state != BufferState::free) continue;
    if (candidate.bytes == 0) break;
    candidate.state = BufferState::occupied;
    ++taken;
    candidate.site = site;
    ++candidate.generation;
    queue.next = number;
    return &candidate;
  }
  return refuse_alloc(id);
}

inline LocalBuffer* Queues::enque(std::uint32_t id, std::uint64_t tensor, const void* site) {
  LocalBuffer* const found = taken_from(id, tensor);
  if (!found) return refuse_tensor("EnQue", "AllocTensor or DeQue", id, tensor);
  Queue& queue = queues_[id - 1];
  if (queue.enqueued >= std::max(queue.depth, 1U)) return refuse_enque(queue);
  found->state = BufferState::enqueued;
  found->site = site;
  const auto number = static_cast<std::uint32_t>(found - buffers_.data());
  (queue.enqueued++ == 0 ? queue.front : buffers_[queue.back].behind) = number;
  queue.back = number;
  return found;
}

inline LocalBuffer* Queues::deque(std::uint32_t id, const void* site) {
  if (id == 0 || queues_[id - 1].enqueued == 0) return refuse_deque(id);
  Queue& queue = queues_[id - 1];
  LocalBuffer& found = buffers_[queue.front];
  queue.front = found.behind;
  --queue.enqueued;
  found.state = BufferState::dequeued;
  found.site = site;
  return &found;
}

inline LocalBuffer* Queues::free(std::uint32_t id, std::uint64_t tensor, const void* site) {
  LocalBuffer* const found = taken_from(id, tensor);
  if (!found) return refuse_tensor("FreeTensor", "DeQue or AllocTensor", id, tensor);
  found->state = BufferState::free;
  --taken_[position_of(at(id))];
  found->site = site;
  return found;
}

const char* name_of_position(std::uint32_t position) noexcept;

}  // namespace ascendc
