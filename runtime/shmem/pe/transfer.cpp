// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/pe/transfer.h"

#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/shmem/base/error.h"

namespace shmem {
namespace {

/// The distance from the begin of the first element to the end of the last.
std::size_t span_of(const Elements& elements, std::ptrdiff_t stride, const char* what) {
  if (elements.count == 0) return 0;
  if (stride < 1) {
    fail(ACLSHMEM_INVALID_PARAM, "the stride of the {} is {}; expected 1 or more", what, stride);
  }
  std::size_t steps = 0;
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(elements.count - 1, static_cast<std::size_t>(stride), &steps) ||
      __builtin_add_overflow(steps, std::size_t{1}, &steps) ||
      __builtin_mul_overflow(steps, elements.bytes, &bytes)) {
    fail(ACLSHMEM_INVALID_PARAM, "{} elements of {} bytes pass the end of all addresses",
         elements.count, elements.bytes);
  }
  return bytes;
}

template <class T>
bool copy_word(std::byte* to, const std::byte* from) {
  if (reinterpret_cast<std::uintptr_t>(to) % sizeof(T) != 0) return false;
  T value;
  std::memcpy(&value, from, sizeof value);
  // Another PE may wait for the value. The wake-up has the fence.
  std::atomic_ref<T>(*reinterpret_cast<T*>(to)).store(value, std::memory_order_release);
  return true;
}

void copy_elements(std::byte* to, const std::byte* from, const Elements& elements) {
  if (elements.to_stride == 1 && elements.from_stride == 1) {
    return copy_element(to, from, elements.bytes * elements.count);
  }
  for (std::size_t i = 0; i < elements.count; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i * elements.bytes);
    copy_element(to + at * elements.to_stride, from + at * elements.from_stride, elements.bytes);
  }
}

/// The size of one put of the transport.
std::size_t chunk_bytes(const Elements& elements) {
  const bool together = elements.to_stride == 1 && elements.from_stride == 1;
  return together ? elements.bytes * elements.count : elements.bytes;
}

/// Calls `move(offset of the target, offset of the source, bytes)` for each chunk.
template <class Move>
void each_piece(const Elements& elements, Move move) {
  const std::size_t bytes = chunk_bytes(elements);
  const std::size_t pieces = bytes == elements.bytes ? elements.count : 1;
  for (std::size_t i = 0; i < pieces; ++i) {
    move(i * elements.bytes * static_cast<std::size_t>(elements.to_stride),
         i * elements.bytes * static_cast<std::size_t>(elements.from_stride), bytes);
  }
}

void put_remote(Connections& connections, int pe, std::size_t offset, const std::byte* source,
                const Elements& elements) {
  each_piece(elements, [&](std::size_t to, std::size_t from, std::size_t bytes) {
    connections.put(pe, offset + to, {source + from, bytes});
  });
}

void get_remote(Connections& connections, int pe, std::byte* target, std::size_t offset,
                const Elements& elements) {
  each_piece(elements, [&](std::size_t to, std::size_t from, std::size_t bytes) {
    connections.get(pe, offset + from, {target + to, bytes});
  });
}

/// The places of a put to a PE of this host.
struct PutTarget {
  std::byte* target;
  const std::byte* source;  // null: no data
  std::byte* word;          // null: no signal
  int pe;
};

void land(Pe& me, const PutTarget& where, const Elements& elements, const SignalSpec& signal) {
  if (where.source) copy_elements(where.target, where.source, elements);
  if (where.word) change_word(where.word, signal);
  me.waiter().wake(where.pe);
}

/// The task of a transfer. It names the bytes that it writes and reads, if tasks are measured or
/// checked.
Task moving(Pe& me, const char* name, std::size_t bytes, const Elements& elements) {
  Task task{name, bytes};
  if (me.published().on()) task.elements = elements;
  return task;
}

WordEffect value_of(const std::byte* value, std::size_t bytes) {
  std::uint64_t bits = 0;
  if (bytes > sizeof bits) return {};
  std::memcpy(&bits, value, bytes);
  return WordEffect::set(bits);
}

const void* at_or(const Pe& me, const void* address, int pe) {
  const void* const there = me.at(address, pe);
  return there ? there : address;
}

}  // namespace

void copy_element(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 8 && copy_word<std::uint64_t>(to, from)) return;
  if (bytes == 4 && copy_word<std::uint32_t>(to, from)) return;
  if (bytes == 2 && copy_word<std::uint16_t>(to, from)) return;
  if (bytes == 1 && copy_word<std::uint8_t>(to, from)) return;
  std::memmove(to, from, bytes);
}

PeAddress signal_word(const Pe& me, const SignalSpec& signal, int pe) {
  if (!signal.address) fail(ACLSHMEM_INVALID_PARAM, "sig_addr is NULL");
  const PeAddress word = me.remote(signal.address, sizeof(std::int32_t), pe, "sig_addr");
  if (reinterpret_cast<std::uintptr_t>(signal.address) % sizeof(std::int32_t) != 0) {
    fail(ACLSHMEM_INVALID_PARAM, "sig_addr is {}; expected a multiple of 4", signal.address);
  }
  return word;
}

void change_word(std::byte* word, const SignalSpec& signal) {
  const std::atomic_ref<std::int32_t> at(*reinterpret_cast<std::int32_t*>(word));
  if (signal.op == ACLSHMEM_SIGNAL_SET) at.store(signal.value);
  if (signal.op == ACLSHMEM_SIGNAL_ADD) at.fetch_add(signal.value);
}

WordEffect effect_of(const SignalSpec& signal) {
  const bool sets = signal.op == ACLSHMEM_SIGNAL_SET;
  if (!sets && signal.op != ACLSHMEM_SIGNAL_ADD) return {};
  return {true, sets ? fabric::AtomicOp::set : fabric::AtomicOp::add,
          static_cast<std::uint32_t>(signal.value), 0};
}

void change_remote_word(Connections& connections, int pe, const PeAddress& word,
                        const SignalSpec& signal) {
  if (signal.op != ACLSHMEM_SIGNAL_SET && signal.op != ACLSHMEM_SIGNAL_ADD) return;
  connections.change(
      pe, word.offset,
      {.op = signal.op == ACLSHMEM_SIGNAL_SET ? fabric::AtomicOp::set : fabric::AtomicOp::add,
       .width = sizeof(std::int32_t),
       .operand = static_cast<std::uint32_t>(signal.value)});
}

void put(acl::embedding::Caller caller, void* to, const void* from, const Elements& elements,
         int pe, Returns returns, const SignalSpec& signal) {
  const auto me = Pe::get();
  const std::size_t to_span = span_of(elements, elements.to_stride, "target");
  const std::size_t from_span = span_of(elements, elements.from_stride, "source");
  const bool signals = signal.address != nullptr;
  const PeAddress word = signals ? signal_word(*me, signal, pe) : PeAddress{};
  const PeAddress target = me->remote(to, to_span, pe, "dst");
  const std::byte* const source = to_span > 0 ? me->local(from, from_span, false, "src") : nullptr;
  Task task = moving(*me, signals ? "shmem put signal" : "shmem put", to_span, elements);
  if (me->connections().is_remote(pe)) {
    const bool copied = chunk_bytes(elements) <= fabric::kCopiedPut;
    const bool flushed = !copied && returns == Returns::when_done;
    RemoteWork work{pe, !copied,
                    [=, elements = elements, signal = signal](Connections& connections) {
                      if (source) put_remote(connections, pe, target.offset, source, elements);
                      if (signals) change_remote_word(connections, pe, word, signal);
                      flushed ? connections.wake(pe) : connections.push(pe);
                    }};
    return perform_remote(caller, *me, task, copied ? Returns::at_once : returns, std::move(work));
  }
  if (me->published().on()) {
    task.written = at_or(*me, to, pe);
    task.read = from;
    task.key = me->tell_change(target, pe, to_span);
    if (signals) {
      task.second_key = me->tell_change(word, pe, sizeof(std::int32_t), effect_of(signal));
    }
  }
  const PutTarget landed{target.here, source, word.here, pe};
  if (!me->shown()) [[likely]] {
    me->drain();
    return land(*me, landed, elements, signal);
  }
  perform(caller, *me, task, returns, [=, elements = elements, signal = signal, peer = me.get()] {
    land(*peer, landed, elements, signal);
  });
}

void get(acl::embedding::Caller caller, void* to, const void* from, const Elements& elements,
         int pe, Returns returns) {
  const auto me = Pe::get();
  const std::size_t to_span = span_of(elements, elements.to_stride, "target");
  const std::size_t from_span = span_of(elements, elements.from_stride, "source");
  const PeAddress source = me->remote(from, from_span, pe, "src");
  if (to_span == 0) return;
  std::byte* const target = me->local(to, to_span, true, "dst");
  Task task = moving(*me, "shmem get", to_span, elements);
  if (me->connections().is_remote(pe)) {
    return perform_remote(caller, *me, task, returns,
                          {pe, true, [=, elements = elements](Connections& connections) {
                             get_remote(connections, pe, target, source.offset, elements);
                           }});
  }
  if (me->published().on()) {
    task.written = to;
    task.read = at_or(*me, from, pe);
  }
  perform(caller, *me, task, returns,
          [=, elements = elements] { copy_elements(target, source.here, elements); });
}

void signal(acl::embedding::Caller caller, const SignalSpec& signal, int pe) {
  const auto me = Pe::get();
  const PeAddress word = signal_word(*me, signal, pe);
  Task task{"shmem signal", sizeof(std::int32_t)};
  if (me->connections().is_remote(pe)) {
    return perform_remote(caller, *me, task, Returns::at_once,
                          {pe, false, [=, signal = signal](Connections& connections) {
                             change_remote_word(connections, pe, word, signal);
                           }});
  }
  task.key = me->tell_change(word, pe, sizeof(std::int32_t), effect_of(signal));
  perform(caller, *me, task, Returns::when_done, [=, signal = signal, peer = me.get()] {
    change_word(word.here, signal);
    peer->waiter().wake(pe);
  });
}

void put_value(acl::embedding::Caller caller, void* to, const void* value, std::size_t bytes,
               int pe) {
  const auto me = Pe::get();
  const PeAddress target = me->remote(to, bytes, pe, "dst");
  const auto* const from = static_cast<const std::byte*>(value);
  if (me->connections().is_remote(pe)) {
    const std::vector<std::byte> kept(from, from + bytes);
    return perform_remote(caller, *me, {"shmem put", bytes}, Returns::at_once,
                          {pe, false, [=](Connections& connections) {
                             connections.put(pe, target.offset, kept);
                             connections.push(pe);
                           }});
  }
  Task task = moving(*me, "shmem put", bytes, {bytes, 1});
  if (me->published().on()) {
    task.written = at_or(*me, to, pe);
    task.key = me->tell_change(target, pe, bytes, value_of(from, bytes));
  }
  perform(caller, *me, task, Returns::when_done, [=, peer = me.get()] {
    copy_element(target.here, from, bytes);
    peer->waiter().wake(pe);
  });
}

void get_value(acl::embedding::Caller caller, void* value, const void* from, std::size_t bytes,
               int pe) {
  const auto me = Pe::get();
  const PeAddress source = me->remote(from, bytes, pe, "src");
  auto* const to = static_cast<std::byte*>(value);
  Task task = moving(*me, "shmem get", bytes, {bytes, 1});
  if (me->connections().is_remote(pe)) {
    if (bytes == 4 || bytes == 8) {
      if (source.offset % bytes == 0) {
        const auto word = change_remote(
            caller, *me, task, {pe, source.offset, {.width = static_cast<std::uint8_t>(bytes)}});
        std::memcpy(value, &word, bytes);
        return;
      }
    }
    const auto kept = std::make_shared<std::vector<std::byte>>(bytes);
    perform_remote(
        caller, *me, task, Returns::when_done,
        {pe, true, [=](Connections& connections) { connections.get(pe, source.offset, *kept); }});
    std::memcpy(value, kept->data(), bytes);
    return;
  }
  if (me->published().on()) task.read = at_or(*me, from, pe);
  perform(caller, *me, task, Returns::when_done, [=] { copy_element(to, source.here, bytes); });
}

std::uint64_t change_remote(acl::embedding::Caller caller, Pe& me, const Task& task,
                            const RemoteChange& change, bool asks) {
  // If the connection is lost, the answer may arrive after the call.
  auto before = asks ? std::make_unique<std::uint64_t>(0) : nullptr;
  std::uint64_t* const place = before.get();
  try {
    perform_remote(caller, me, task, asks ? Returns::when_done : Returns::at_once,
                   {change.pe, false, [=](Connections& connections) {
                      connections.change(change.pe, change.offset, change.what, place);
                    }});
  } catch (...) {
    before.release();  // NOLINT: the answer may still be written there
    throw;
  }
  return asks ? *before : 0;
}

void perform_remote(acl::embedding::Caller caller, Pe& me, const Task& task, Returns returns,
                    RemoteWork work) {
  if (me.shown()) [[unlikely]] {
    enqueue_remote(caller, me, task, std::move(work), nullptr);
    if (returns == Returns::when_done) me.drain();
    return;
  }
  me.drain();
  Connections& connections = me.connections();
  if (work.behind_all || connections.is_full(work.pe)) me.settle(work.pe);
  work.begin(connections);
  if (returns == Returns::when_done) me.settle(work.pe);
}

}  // namespace shmem
