// SPDX-License-Identifier: Apache-2.0
// The functions that order the pipes: flags, barriers, queues; and the memory that queues hand out.
#include <fmt/format.h>

#include <utility>

#include "ascendc/impl/limit_rows.h"
#include "runtime/ascendc/core/core.h"

namespace ascendc {

void Core::require_event(std::uint32_t event, std::int32_t id, const char* function,
                         const void* site) {
  if (!event_of(event))
    violated("event-range", fmt::format("{}: event {} is unknown", function, event), site);
  constexpr std::int32_t kMost = ACLSIM_MOST_EVENT_ID;
  if (id < 0 || id > kMost) {
    violated("event-range",
             fmt::format("{}<{}>: the id is {}; expected 0 to {}", function, event_of(event)->name,
                         id, kMost),
             site);
  }
}

void Core::set_flag(std::uint32_t event, std::int32_t id, const void* site) {
  require_event(event, id, "SetFlag", site);
  const EventPipes& pipes = *event_of(event);
  Flag& flag = flags_[event][static_cast<std::size_t>(id)];
  clocks_.step(pipes.from);
  flags_used_[event] |= static_cast<std::uint8_t>(1U << id);
  any_flag_used_ = true;
  Flag now{true, site, clocks_.of(pipes.from), pipes_.signal(pipes.from)};
  if (!flag.set) {
    flag = now;
    return;
  }
  found_once("flag-set-twice",
             fmt::format("SetFlag<{}>({}): the flag is set already, at {}; a WaitFlag is missing "
                         "between them",
                         pipes.name, id, host_->place_of(flag.site)),
             site);
  further_sets_[{event, id}].push_back(now);
}

void Core::wait_flag(std::uint32_t event, std::int32_t id, const void* site) {
  require_event(event, id, "WaitFlag", site);
  const EventPipes& pipes = *event_of(event);
  Flag& flag = flags_[event][static_cast<std::size_t>(id)];
  if (!flag.set) {
    host_->found(
        {.level = Level::error,
         .rule = "flag-never-set",
         .text = fmt::format("WaitFlag<{}>({}): no SetFlag comes before it; hardware would "
                             "wait forever",
                             pipes.name, id),
         .site = site});
    host_->end(End::hang);
    __builtin_unreachable();
  }
  settle();
  clocks_.step(pipes.to);
  clocks_.wait(pipes.to, flag.clock);
  pipes_.wait(pipes.to, flag.token);
  flag = {};
  if (further_sets_.empty()) return;
  const auto further = further_sets_.find({event, id});
  if (further == further_sets_.end() || further->second.empty()) return;
  flag = further->second.front();
  further->second.pop_front();
}

Pipe Core::require_mutex(std::uint32_t pipe, std::uint32_t id, const char* function,
                         const void* site) {
  const Pipe of = pipe_of(pipe);
  if (of == Pipe::count || id >= kMutexes) {
    violated("event-range",
             fmt::format("{}: pipe {}, mutex {}; expected one pipe and a number below {}", function,
                         pipe, id, kMutexes),
             site);
  }
  if (mutexes_.empty()) mutexes_.resize(kMutexes);
  return of;
}

// Hardware queues the locks of a mutex: a pipe waits for the unlock of the pipe that locked before,
// which the program may issue later.
void Core::lock_mutex(std::uint32_t pipe, std::uint32_t id, const void* site) {
  const Pipe of = require_mutex(pipe, id, "Lock", site);
  Mutex& mutex = mutexes_[id];
  const void*& locked = mutex.locked[static_cast<std::size_t>(of)];
  if (locked != nullptr && options_.checks) {
    found_once(
        "mutex",
        fmt::format("Lock<{}>({}): the pipe has locked this mutex at {}; expected its Unlock "
                    "before the next Lock",
                    name(of), id, host_->place_of(locked)),
        site);
  }
  settle();
  clocks_.step(of);
  for (std::size_t i = 0; i < kPipes; ++i) {
    const auto other = static_cast<Pipe>(i);
    if (other == of) continue;
    if (mutex.locked[i] != nullptr) {
      clocks_.step(other);
      mutex.released[i] = {true, site, clocks_.of(other), pipes_.signal(other)};
    }
    const Flag& released = mutex.released[i];
    if (!released.set) continue;
    clocks_.wait(of, released.clock);
    pipes_.wait(of, released.token);
  }
  locked = site;
}

void Core::unlock_mutex(std::uint32_t pipe, std::uint32_t id, const void* site) {
  const Pipe of = require_mutex(pipe, id, "Unlock", site);
  Mutex& mutex = mutexes_[id];
  const auto index = static_cast<std::size_t>(of);
  if (options_.checks && mutex.locked[index] == nullptr) {
    found_once(
        "mutex",
        fmt::format("Unlock<{}>({}): the pipe has not locked the mutex; expected a Lock of the "
                    "same pipe before",
                    name(of), id),
        site);
  }
  mutex.locked[index] = nullptr;
  clocks_.step(of);
  mutex.released[index] = {true, site, clocks_.of(of), pipes_.signal(of)};
}

std::uint32_t Core::take_mutex_id(const void* site) {
  for (std::uint32_t id = 0; id < kMutexIds; ++id) {
    if ((mutex_ids_ >> id & 1U) != 0) continue;
    mutex_ids_ |= 1U << id;
    return id;
  }
  violated(
      "mutex",
      fmt::format("AllocMutexID: all {} ids are in use; expected ReleaseMutexID before", kMutexIds),
      site);
}

void Core::release_mutex_id(std::uint32_t id, const void* site) {
  if (id >= kMutexIds || (mutex_ids_ >> id & 1U) == 0) {
    violated("mutex", fmt::format("ReleaseMutexID({}): AllocMutexID has not returned this id", id),
             site);
  }
  mutex_ids_ &= ~(1U << id);
}

void Core::settle() {
  if (std::exchange(streams_, false)) settle_streams();
}

// The scalar unit hands instructions to the pipes when it has done what it did before.
Clock Core::over(Pipe pipe) const noexcept {
  Clock clock = clocks_.of(pipe);
  clock[0] = clocks_.of(Pipe::s)[0];
  return clock;
}

Clock Core::reach(std::uint32_t pipe) {
  const Pipe of = pipe_of(pipe);
  if (of == Pipe::count) {
    pipes_.drain();
  } else {
    pipes_.drain(of);
  }
  settle();
  if (of == Pipe::count) return steps();
  clocks_.step(of);
  return over(of);
}

void Core::barrier(std::uint32_t pipe, const void* site) {
  constexpr std::uint32_t kAll = 6;
  settle();
  if (pipe == kAll) {
    pipes_.drain();
    return clocks_.barrier();
  }
  if (pipe_of(pipe) == Pipe::s) {
    violated("barrier", "PipeBarrier<PIPE_S>: the scalar unit has no barrier of its own", site);
  }
}

void Core::set_atomic(std::uint32_t operation, std::uint32_t element) {
  atomic_ = operation <= 3 ? static_cast<Atomic>(operation) : atomic_;
  if (operation == 0) element = 0;
  atomic_element_ = static_cast<std::uint8_t>(element);
}

void Core::set_pad_value(std::uint64_t value, std::uint32_t bytes) {
  pad_value_ = value;
  pad_bytes_ = bytes;
}

std::int32_t Core::event_id(std::uint32_t event, bool take) {
  if (event >= kEvents) return -1;
  for (std::int32_t id = 0; id < 8; ++id) {
    const auto bit = static_cast<std::uint8_t>(1U << id);
    if ((taken_ids_[event] & bit) != 0 || flags_[event][static_cast<std::size_t>(id)].set) continue;
    if (take) taken_ids_[event] |= bit;
    return id;
  }
  return -1;
}

void Core::release_event_id(std::uint32_t event, std::int32_t id) {
  if (event < kEvents && id >= 0 && id < 8) {
    taken_ids_[event] &= static_cast<std::uint8_t>(~(1U << id));
  }
}

// ---- TPipe and queues ----

void Core::open_pipe(void* pipe, const void* site) {
  if (info.pipe && options_.checks) {
    violated("two-pipes",
             "a second TPipe is initialised while the first is alive; expected one on a core",
             site);
  }
  info.pipe = pipe;
}

void Core::close_pipe(void* pipe, bool wait) {
  if (info.pipe != pipe) return;
  if (wait) barrier(6, nullptr);
  if (options_.checks) leftovers();
  queues_.forget_buffers();
  pointed_.clear();
  info.pipe = nullptr;
}

void Core::reset_pipe() {
  barrier(6, nullptr);
  queues_.forget_buffers();
  pointed_.clear();
}

void Core::leftovers() {
  for (const auto& [sentence, site] : queues_.left()) {
    host_->found({.level = Level::warning, .rule = "tensor-left", .text = sentence, .site = site});
  }
}

void Core::finish() {
  pipes_.drain();
  settle();
  if (!options_.checks) return;
  if (info.pipe) leftovers();
  for (std::size_t id = 0; id < mutexes_.size(); ++id) {
    for (std::size_t i = 0; i < kPipes; ++i) {
      const void* const locked = mutexes_[id].locked[i];
      if (locked == nullptr) continue;
      host_->found({.level = Level::error,
                    .rule = "mutex",
                    .text = fmt::format("Lock<{}>({}): the mutex is still locked when the kernel "
                                        "ends; an Unlock is missing",
                                        name(static_cast<Pipe>(i)), id),
                    .site = locked});
    }
  }
  for (std::uint32_t event = 0; any_flag_used_ && event < kEvents; ++event) {
    if (flags_used_[event] == 0) continue;
    for (std::uint32_t id = 0; id < 8; ++id) {
      if (!flags_[event][id].set) continue;
      // `flag-set-twice` has named the missing wait.
      if (further_sets_.count({event, static_cast<std::int32_t>(id)}) != 0) continue;
      host_->found(
          {.level = Level::error,
           .rule = "flag-left",
           .text = fmt::format("SetFlag<{}>({}): the flag is still set when the kernel ends; "
                               "a WaitFlag is missing",
                               event_of(event)->name, id),
           .site = flags_[event][id].site});
    }
  }
}

std::uint32_t Core::create_pool(std::uint32_t parent, std::uint32_t position, std::uint64_t bytes,
                                std::uint32_t share, const void* site) {
  const Memory memory = memory_of(position);
  const std::uint32_t made = queues_.add_pool();
  const auto index = static_cast<std::size_t>(memory);
  if (share != 0) {
    queues_.pool(made) = queues_.pool(share);
    Pool& from = queues_.pool(share);
    queues_.pool(made).next[index] = from.end[index] - std::min(from.end[index], bytes);
    return made;
  }
  std::uint64_t tensor = 0;
  if (auto problem = queues_.take(parent, position, bytes, *arch_, site, tensor)) {
    violated("local-exceeded", *problem, site);
  }
  const LocalBuffer& buffer = *queues_.buffer(tensor);
  Pool& pool = queues_.pool(made);
  pool.begin[index] = buffer.offset;
  pool.next[index] = buffer.offset;
  pool.end[index] = buffer.offset + buffer.bytes;
  return made;
}

void Core::init_queue(std::uint32_t queue, std::uint32_t pool, std::uint32_t position,
                      std::uint32_t num, std::uint64_t bytes, const void* site) {
  if (auto problem = queues_.init(queue, pool, position, num, bytes, *arch_, site)) {
    violated("local-exceeded", *problem, site);
  }
}

void Core::start_queue(std::uint32_t queue, std::uint32_t num, const void* site) {
  if (auto problem = queues_.start(queue, num)) violated("local-exceeded", *problem, site);
}

void Core::place_buffer(std::uint32_t queue, std::uint32_t number, std::uint32_t position,
                        std::uint64_t offset, std::uint64_t bytes, const void* site) {
  if (auto problem = queues_.place(queue, number, position, offset, bytes, *arch_, site)) {
    violated("local-exceeded", *problem, site);
  }
}

aclsimBuffer Core::place_one(std::uint32_t position, std::uint64_t offset, std::uint64_t bytes,
                             const void* site) {
  std::uint64_t tensor = 0;
  if (auto problem = queues_.place_one(position, offset, bytes, *arch_, site, tensor)) {
    violated("local-exceeded", *problem, site);
  }
  return buffer_of(tensor);
}

aclsimBuffer Core::create_buffer(std::uint32_t pool, std::uint32_t position, std::uint64_t bytes,
                                 const void* site) {
  std::uint64_t tensor = 0;
  if (auto problem = queues_.take(pool, position, bytes, *arch_, site, tensor)) {
    violated("local-exceeded", *problem, site);
  }
  return buffer_of(tensor);
}

aclsimBuffer Core::buffer_of(std::uint64_t tensor) {
  const LocalBuffer* const buffer = queues_.buffer(tensor);
  return buffer ? buffer_of(*buffer, tensor) : aclsimBuffer{};
}

aclsimBuffer Core::buffer_of(const LocalBuffer& buffer, std::uint64_t tensor) {
  return {memory(buffer.memory) + buffer.offset, buffer.bytes, tensor, buffer.offset};
}

aclsimBuffer Core::alloc(std::uint32_t queue, const void* site) {
  LocalBuffer* const buffer = queues_.alloc(queue, site);
  if (!buffer) refused(site);
  const std::uint64_t tensor = queues_.tensor_of(*buffer);
  const Pipe producer = queues_.pipes(queue).producer;
  if (options_.checks) clocks_.wait(producer, buffer->released);
  if (options_.seeded) wait_for(released_, tensor, producer);
  if (options_.checks) {
    local_[static_cast<std::size_t>(buffer->memory)].forget_values(buffer->offset,
                                                                   buffer->offset + buffer->bytes);
  }
  return buffer_of(*buffer, tensor);
}

void Core::enque(std::uint32_t queue, std::uint64_t tensor, const void* site) {
  LocalBuffer* const buffer = queues_.enque(queue, tensor, site);
  if (!buffer) refused(site);
  const Pipe producer = queues_.pipes(queue).producer;
  if (options_.checks) buffer->produced = clocks_.after_step(producer);
  if (options_.seeded) tell(ready_, tensor, producer);
}

aclsimBuffer Core::deque(std::uint32_t queue, const void* site) {
  LocalBuffer* const buffer = queues_.deque(queue, site);
  if (!buffer) refused(site);
  const std::uint64_t tensor = queues_.tensor_of(*buffer);
  const Pipe consumer = queues_.pipes(queue).consumer;
  if (options_.checks) clocks_.wait(consumer, buffer->produced);
  if (options_.seeded) wait_for(ready_, tensor, consumer);
  return buffer_of(*buffer, tensor);
}

void Core::free(std::uint32_t queue, std::uint64_t tensor, const void* site) {
  LocalBuffer* const buffer = queues_.free(queue, tensor, site);
  if (!buffer) refused(site);
  const Pipe consumer = queues_.pipes(queue).consumer;
  if (options_.checks) buffer->released = clocks_.after_step(consumer);
  if (options_.seeded) tell(released_, tensor, consumer);
}

void Core::refused(const void* site) { violated("queue", queues_.refusal(), site); }

void Core::wait_for(Tokens& tokens, std::uint64_t tensor, Pipe pipe) {
  pipes_.wait(pipe, tokens[tensor & 0xffffffffU]);
}

void Core::tell(Tokens& tokens, std::uint64_t tensor, Pipe pipe) {
  tokens[tensor & 0xffffffffU] = pipes_.signal(pipe);
}

}  // namespace ascendc
