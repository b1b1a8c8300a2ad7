// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/pe/transfer.h"

#include <atomic>
#include <cstring>
#include <limits>

#include "runtime/shmem/base/error.h"

namespace shmem {
namespace {

/// From the first element's begin to the last one's end.
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
  // Another PE may wait for it.
  std::atomic_ref<T>(*reinterpret_cast<T*>(to)).store(value);
  return true;
}

void copy(std::byte* to, const std::byte* from, const Elements& elements) {
  if (elements.to_stride == 1 && elements.from_stride == 1) {
    return copy_element(to, from, elements.bytes * elements.count);
  }
  for (std::size_t i = 0; i < elements.count; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i * elements.bytes);
    copy_element(to + at * elements.to_stride, from + at * elements.from_stride, elements.bytes);
  }
}

}  // namespace

void copy_element(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 8 && copy_word<std::uint64_t>(to, from)) return;
  if (bytes == 4 && copy_word<std::uint32_t>(to, from)) return;
  if (bytes == 2 && copy_word<std::uint16_t>(to, from)) return;
  if (bytes == 1 && copy_word<std::uint8_t>(to, from)) return;
  std::memmove(to, from, bytes);
}

std::byte* signal_word(const Pe& me, const SignalSpec& signal, int pe) {
  if (!signal.address) fail(ACLSHMEM_INVALID_PARAM, "sig_addr is NULL");
  std::byte* const word = me.remote(signal.address, sizeof(std::int32_t), pe, "sig_addr");
  if (reinterpret_cast<std::uintptr_t>(word) % sizeof(std::int32_t) != 0) {
    fail(ACLSHMEM_INVALID_PARAM, "sig_addr is {}; expected a multiple of 4", signal.address);
  }
  return word;
}

void change_word(std::byte* word, const SignalSpec& signal) {
  const std::atomic_ref<std::int32_t> at(*reinterpret_cast<std::int32_t*>(word));
  if (signal.op == ACLSHMEM_SIGNAL_SET) at.store(signal.value);
  if (signal.op == ACLSHMEM_SIGNAL_ADD) at.fetch_add(signal.value);
}

void put(acl::embedding::Caller caller, void* to, const void* from, const Elements& elements,
         int pe, Returns returns, const SignalSpec& signal) {
  const auto me = Pe::get();
  const std::size_t to_span = span_of(elements, elements.to_stride, "target");
  const std::size_t from_span = span_of(elements, elements.from_stride, "source");
  std::byte* const word = signal.address ? signal_word(*me, signal, pe) : nullptr;
  std::byte* const target = me->remote(to, to_span, pe, "dst");
  const std::byte* const source = to_span > 0 ? me->local(from, from_span, false, "src") : nullptr;
  perform(caller, *me, {word ? "shmem put signal" : "shmem put", to_span}, returns,
          [=, elements = elements, signal = signal, peer = me.get()] {
            if (source) copy(target, source, elements);
            if (word) change_word(word, signal);
            peer->waiter().wake(pe);
          });
}

void get(acl::embedding::Caller caller, void* to, const void* from, const Elements& elements,
         int pe, Returns returns) {
  const auto me = Pe::get();
  const std::size_t to_span = span_of(elements, elements.to_stride, "target");
  const std::size_t from_span = span_of(elements, elements.from_stride, "source");
  const std::byte* const source = me->remote(from, from_span, pe, "src");
  if (to_span == 0) return;
  std::byte* const target = me->local(to, to_span, true, "dst");
  perform(caller, *me, {"shmem get", to_span}, returns,
          [=, elements = elements] { copy(target, source, elements); });
}

void signal(acl::embedding::Caller caller, const SignalSpec& signal, int pe) {
  const auto me = Pe::get();
  std::byte* const word = signal_word(*me, signal, pe);
  perform(caller, *me, {"shmem signal", sizeof(std::int32_t)}, Returns::when_done,
          [=, signal = signal, peer = me.get()] {
            change_word(word, signal);
            peer->waiter().wake(pe);
          });
}

void put_value(acl::embedding::Caller caller, void* to, const void* value, std::size_t bytes,
               int pe) {
  const auto me = Pe::get();
  std::byte* const target = me->remote(to, bytes, pe, "dst");
  perform(caller, *me, {"shmem put", bytes}, Returns::when_done, [=, peer = me.get()] {
    copy_element(target, static_cast<const std::byte*>(value), bytes);
    peer->waiter().wake(pe);
  });
}

void get_value(acl::embedding::Caller caller, void* value, const void* from, std::size_t bytes,
               int pe) {
  const auto me = Pe::get();
  const std::byte* const source = me->remote(from, bytes, pe, "src");
  perform(caller, *me, {"shmem get", bytes}, Returns::when_done,
          [=] { copy_element(static_cast<std::byte*>(value), source, bytes); });
}

}  // namespace shmem
