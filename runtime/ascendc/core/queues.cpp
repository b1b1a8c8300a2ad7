// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/core/queues.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ascendc/impl/limit_rows.h"

namespace ascendc {
namespace {

constexpr const char* kPositionNames[] = {
    "GM",  "A1",    "A2",     "B1",      "B2",  "C1",   "C2",        "CO1",
    "CO2", "VECIN", "VECOUT", "VECCALC", "SPM", "TSCM", "C2PIPE2GM", "C2PIPE2LOCAL"};
enum Position : std::uint32_t { gm, a1, a2, b1, b2, c1, c2, co1, co2, vecin, vecout, veccalc };

constexpr const char* kStateNames[] = {"free", "taken by AllocTensor", "enqueued", "dequeued"};
constexpr std::uint64_t kUnit = 32;
constexpr std::size_t kMostBuffers = ACLSIM_MOST_QUEUE_BUFFERS;

/// The pipe that brings data to a position, and the one that takes it from there.
Pipe filler(std::uint32_t position) {
  switch (position) {
    case a2:
    case b2:
    case c2:
      return Pipe::mte1;
    case co1:
      return Pipe::m;
    case co2:
      return Pipe::fix;
    case vecout:
    case veccalc:
      return Pipe::v;
    default:
      return Pipe::mte2;
  }
}
Pipe user(std::uint32_t position) {
  switch (position) {
    case gm:
    case vecout:
      return Pipe::mte3;
    case a1:
    case b1:
    case c1:
      return Pipe::mte1;
    case a2:
    case b2:
    case c2:
      return Pipe::m;
    case co1:
      return Pipe::fix;
    default:
      return Pipe::v;
  }
}

}  // namespace

const char* name_of_position(std::uint32_t position) noexcept {
  return position < std::size(kPositionNames) ? kPositionNames[position] : "?";
}

QueuePipes queue_pipes(std::uint32_t from, std::uint32_t to) noexcept {
  if (from == gm || from == to) return {filler(to), user(to)};
  if (to == gm || to == co2) return {filler(from), user(from)};
  if (from == vecin && to == vecout) return {Pipe::mte2, Pipe::mte3};
  return {filler(from), user(to)};
}

void Queues::clear() {
  if (queues_.empty() && buffers_.empty() && pools_.size() == 1) return;
  queues_.clear();
  buffers_.clear();
  pools_.assign(1, Pool{});
  taken_ = {};
}

void Queues::forget_buffers() {
  for (Queue& queue : queues_) {
    queue.count = 0;
    queue.enqueued = 0;
  }
  for (LocalBuffer& buffer : buffers_) {
    buffer.state = BufferState::free;
    ++buffer.generation;
  }
  pools_[0].next = {};
  taken_ = {};
}

std::uint32_t Queues::add_queue(std::uint32_t from, std::uint32_t to, std::uint32_t depth) {
  Queue& queue = queues_.emplace_back();
  queue.from = from;
  queue.to = to;
  queue.pipes = queue_pipes(from, to);
  queue.depth = depth;
  return static_cast<std::uint32_t>(queues_.size());
}

Queues::Problem Queues::take(std::uint32_t pool, std::uint32_t position, std::uint64_t bytes,
                             const Arch& arch, const void* site, std::uint64_t& tensor) {
  const Memory memory = memory_of(position);
  if (memory == Memory::count)
    return fmt::format("InitBuffer: {} is no local memory", name_of_position(position));
  const auto index = static_cast<std::size_t>(memory);
  Pool& from = pools_[pool];
  const std::uint64_t end = pool == 0 ? arch.memories[index].bytes : from.end[index];
  const std::uint64_t size = (bytes + kUnit - 1) / kUnit * kUnit;
  if (bytes == 0) return std::string("InitBuffer: the length is 0");
  if (size > end - from.next[index]) {
    return fmt::format("InitBuffer: {} bytes do not fit into {}: {} of {} bytes are left", size,
                       arch.memories[index].name, end - from.next[index], end);
  }
  buffers_.push_back({.state = BufferState::occupied,
                      .memory = memory,
                      .offset = from.next[index],
                      .bytes = size,
                      .site = site});
  from.next[index] += size;
  tensor = tensor_of(buffers_.back());
  return std::nullopt;
}

Queues::Problem Queues::countable(std::uint32_t num) const {
  std::size_t of_queues = 0;
  for (const Queue& other : queues_) of_queues += other.count;
  if (of_queues + num > kMostBuffers) {
    return fmt::format("InitBuffer: {} buffers with those before; expected at most {}",
                       of_queues + num, kMostBuffers);
  }
  if (num == 0) return std::string("InitBuffer: the number of buffers is 0");
  return std::nullopt;
}

Queues::Problem Queues::init(std::uint32_t id, std::uint32_t pool, std::uint32_t position,
                             std::uint32_t num, std::uint64_t bytes, const Arch& arch,
                             const void* site) {
  if (auto problem = countable(num)) return problem;
  Queue& queue = queues_[id - 1];
  queue.first = static_cast<std::uint32_t>(buffers_.size());
  queue.count = 0;
  for (std::uint32_t i = 0; i < num; ++i) {
    std::uint64_t tensor = 0;
    if (auto problem = take(pool, position, bytes, arch, site, tensor)) return problem;
    LocalBuffer& made = buffers_.back();
    made.queue = id;
    made.number = i;
    made.state = BufferState::free;
    ++queue.count;
  }
  queue.next %= num;
  return std::nullopt;
}

Queues::Problem Queues::start(std::uint32_t id, std::uint32_t num) {
  if (auto problem = countable(num)) return problem;
  Queue& queue = queues_[id - 1];
  queue.first = static_cast<std::uint32_t>(buffers_.size());
  queue.count = num;
  queue.next %= num;
  for (std::uint32_t i = 0; i < num; ++i) buffers_.push_back({.queue = id, .number = i});
  return std::nullopt;
}

namespace {
Queues::Problem fits(std::uint32_t position, std::uint64_t offset, std::uint64_t bytes,
                     const Arch& arch) {
  const Memory memory = memory_of(position);
  if (memory == Memory::count) {
    return fmt::format("InitBuffer: {} is no local memory", name_of_position(position));
  }
  const MemoryRow& of = arch.memories[static_cast<std::size_t>(memory)];
  if (bytes == 0) return std::string("InitBuffer: the length is 0");
  if (offset % kUnit != 0) {
    return fmt::format("InitBuffer: the address is {}; expected a multiple of {}", offset, kUnit);
  }
  if (offset > of.bytes || bytes > of.bytes - offset) {
    return fmt::format("InitBuffer: {} bytes at {} do not fit into {}, which has {} bytes", bytes,
                       offset, of.name, of.bytes);
  }
  return std::nullopt;
}
}  // namespace

Queues::Problem Queues::place(std::uint32_t id, std::uint32_t number, std::uint32_t position,
                              std::uint64_t offset, std::uint64_t bytes, const Arch& arch,
                              const void* site) {
  if (id == 0 || number >= at(id).count) {
    return fmt::format(
        "InitBufHandle: the index is {}; expected less than the {} of InitStartBufHandle", number,
        id == 0 ? 0 : at(id).count);
  }
  if (auto problem = fits(position, offset, bytes, arch)) return problem;
  LocalBuffer& buffer = buffers_[at(id).first + number];
  buffer.memory = memory_of(position);
  buffer.offset = offset;
  buffer.bytes = bytes;
  buffer.site = site;
  return std::nullopt;
}

Queues::Problem Queues::place_one(std::uint32_t position, std::uint64_t offset, std::uint64_t bytes,
                                  const Arch& arch, const void* site, std::uint64_t& tensor) {
  if (auto problem = fits(position, offset, bytes, arch)) return problem;
  buffers_.push_back({.state = BufferState::occupied,
                      .memory = memory_of(position),
                      .offset = offset,
                      .bytes = bytes,
                      .site = site});
  tensor = tensor_of(buffers_.back());
  return std::nullopt;
}

std::string Queues::describe(const LocalBuffer& buffer) const {
  if (buffer.queue == 0) return "a TBuf";
  const Queue& queue = at(buffer.queue);
  return fmt::format("buffer {} of {} of the {} queue", buffer.number, queue.count,
                     name_of_position(position_of(queue)));
}

std::string Queues::describe(std::uint32_t number) const {
  return number != 0 && number <= buffers_.size() ? describe(buffers_[number - 1]) : std::string();
}

std::string Queues::stale(std::uint64_t tensor) {
  const LocalBuffer& found = *buffer(tensor);
  if (found.generation != tensor >> 32) {
    return fmt::format("the tensor was freed, and {} was taken again since", describe(found));
  }
  return fmt::format("the tensor ({}) was freed", describe(found));
}

LocalBuffer* Queues::refuse(std::string why) {
  refusal_ = std::move(why);
  return nullptr;
}

LocalBuffer* Queues::refuse_alloc(std::uint32_t id) {
  if (id == 0) return refuse("AllocTensor: the queue was not given to InitBuffer");
  const Queue& queue = at(id);
  const std::uint32_t position = position_of(queue);
  if (taken_[position] >= kMostTaken) {
    return refuse(
        fmt::format("AllocTensor: {} tensors of {} are taken and not freed; expected at most {}, "
                    "as a position has no "
                    "more events",
                    kMostTaken, name_of_position(position), kMostTaken));
  }
  for (std::uint32_t i = 0; i < queue.count; ++i) {  // the first that is free has no address
    const LocalBuffer& candidate = buffers_[queue.first + (queue.next + i) % queue.count];
    if (candidate.state != BufferState::free) continue;
    return refuse(fmt::format("AllocTensor: {} has no address; InitBufHandle was not called for it",
                              describe(candidate)));
  }
  return refuse(fmt::format(
      "AllocTensor: none of the {} buffers of the {} queue is free; hardware would wait forever",
      queue.count, name_of_position(position)));
}

LocalBuffer* Queues::refuse_enque(const Queue& queue) {
  return refuse(
      fmt::format("EnQue: {} tensors are enqueued already, and the depth of the {} queue is {}",
                  queue.enqueued, name_of_position(position_of(queue)), queue.depth));
}

LocalBuffer* Queues::refuse_deque(std::uint32_t id) {
  if (id == 0) return refuse("DeQue: the queue was not given to InitBuffer");
  return refuse(fmt::format("DeQue: nothing is enqueued in the {} queue",
                            name_of_position(position_of(at(id)))));
}

/// `expected`: where it takes tensors from.
LocalBuffer* Queues::refuse_tensor(const char* what, const char* expected, std::uint32_t id,
                                   std::uint64_t tensor) {
  if (id == 0) return refuse(fmt::format("{}: the queue was not given to InitBuffer", what));
  const LocalBuffer* const found = buffer(tensor);
  if (!found || found->queue != id)
    return refuse(fmt::format("{}: the tensor is not from this queue", what));
  if (found->generation != tensor >> 32) return refuse(fmt::format("{}: {}", what, stale(tensor)));
  return refuse(fmt::format("{}: {} is {}; expected a tensor of {}", what, describe(*found),
                            kStateNames[static_cast<int>(found->state)], expected));
}

std::uint32_t Queues::idle(std::uint32_t id) const {
  std::uint32_t count = 0;
  if (id == 0) return 0;
  const Queue& queue = at(id);
  for (std::uint32_t i = 0; i < queue.count; ++i) {
    count += buffers_[queue.first + i].state == BufferState::free ? 1 : 0;
  }
  return count;
}

std::vector<std::pair<std::string, const void*>> Queues::left() const {
  std::vector<std::pair<std::string, const void*>> sentences;
  for (const LocalBuffer& each : buffers_) {
    if (each.queue == 0 || each.state == BufferState::free) continue;
    sentences.emplace_back(fmt::format("{} is still {} when the kernel ends", describe(each),
                                       kStateNames[static_cast<int>(each.state)]),
                           each.site);
  }
  return sentences;
}

}  // namespace ascendc
