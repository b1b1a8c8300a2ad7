// SPDX-License-Identifier: Apache-2.0
// device/shmem_device_amo.h, device/shmem_device_rma.h
#include <atomic>
#include <cstdint>
#include <cstring>

#include "runtime/shmem/base/guard.h"
#include "runtime/shmem/pe/transfer.h"
#include "shmem/device/shmem_device_amo.h"
#include "shmem/device/shmem_device_rma.h"

using namespace shmem;
using acl::embedding::Caller;
using fabric::AtomicOp;

namespace {

/// The form of an atomic for a PE on another host.
struct RemoteAtomic {
  AtomicOp op = AtomicOp::add;
  std::uint64_t operand = 0;
  std::uint64_t expected = 0;
  bool asks = true;
};

template <class T>
std::uint64_t bits(T value) {
  std::uint64_t all = 0;
  std::memcpy(&all, &value, sizeof value);
  return all;
}

template <class T>
T atomically_remote(Caller caller, Pe& me, int pe, std::size_t offset, const RemoteAtomic& remote) {
  const std::uint64_t before = change_remote(
      caller, me, {"shmem atomic", sizeof(T)},
      {pe,
       offset,
       {remote.op, static_cast<std::uint8_t>(sizeof(T)), remote.operand, remote.expected}},
      remote.asks);
  T value{};
  std::memcpy(&value, &before, sizeof value);
  return value;
}

/// Applies `change` to the word at PE `pe` and returns its result, or 0 after an error.
template <class T, class Change>
T atomically(Caller caller, T* dst, int pe, const RemoteAtomic& remote, Change change) {
  return guarded_value(caller.function, T{}, [&] {
    const auto me = Pe::get();
    if (!dst) fail(ACLSHMEM_INVALID_PARAM, "dst is NULL");
    const PeAddress spot = me->remote(dst, sizeof(T), pe, "dst");
    if (reinterpret_cast<std::uintptr_t>(dst) % sizeof(T) != 0) {
      fail(ACLSHMEM_INVALID_PARAM, "dst is {}; expected a multiple of {}",
           static_cast<const void*>(dst), sizeof(T));
    }
    if (me->connections().is_remote(pe))
      return atomically_remote<T>(caller, *me, pe, spot.offset, remote);
    std::byte* const at = spot.here;
    Task task{"shmem atomic", sizeof(T)};
    const bool changes = remote.op != AtomicOp::add || remote.operand != 0;
    if (changes) {
      task.key =
          me->tell_change(spot, pe, sizeof(T), {true, remote.op, remote.operand, remote.expected});
    }
    T result{};
    perform(caller, *me, task, Returns::when_done, [=, &result, peer = me.get()] {
      result = change(std::atomic_ref<T>(*reinterpret_cast<T*>(at)));
      peer->waiter().wake(pe);
    });
    if (remote.asks && spot.offset != kElsewhere) {
      me->published().saw(
          pe, spot.offset, sizeof(T),
          changes ? PublishedOrder::Ends()
                  : [old = bits(result)](auto value) { return value == old; });
    }
    return result;
  });
}

template <class T>
T compare_swap(std::atomic_ref<T> word, T cond, T value) {
  word.compare_exchange_strong(cond, value);
  return cond;  // the old value in both cases
}

}  // namespace

extern "C" {

void aclshmem_quiet(void) {
  guarded(__func__, [] {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    Pe::get()->quiet();
  });
}
void aclshmem_fence(void) { aclshmem_quiet(); }

void aclshmemx_signal_op(int32_t* sig_addr, int32_t value, int sig_op, int pe) {
  const Caller caller(__func__);
  guarded(__func__, [&] { shmem::signal(caller, {sig_addr, value, sig_op}, pe); });
}

#define SHMEM_DEFINE(NAME, TYPE)                                                           \
  TYPE aclshmem_##NAME##_atomic_fetch(TYPE* dst, int pe) {                                 \
    return atomically<TYPE>(__func__, dst, pe, {}, [](auto word) { return word.load(); }); \
  }                                                                                        \
  void aclshmem_##NAME##_atomic_set(TYPE* dst, TYPE value, int pe) {                       \
    atomically<TYPE>(__func__, dst, pe, {AtomicOp::set, bits(value), 0, false},            \
                     [=](auto word) { return word.exchange(value); });                     \
  }                                                                                        \
  TYPE aclshmem_##NAME##_atomic_swap(TYPE* dst, TYPE value, int pe) {                      \
    return atomically<TYPE>(__func__, dst, pe, {AtomicOp::set, bits(value)},               \
                            [=](auto word) { return word.exchange(value); });              \
  }
ACLSHMEM_AMO_SET_TYPE_FUNC(SHMEM_DEFINE)
#undef SHMEM_DEFINE

#define SHMEM_CHANGE(NAME, TYPE, OPERATION, METHOD, FAR)                           \
  void aclshmem_##NAME##_atomic_##OPERATION(TYPE* dst, TYPE value, int pe) {       \
    atomically<TYPE>(__func__, dst, pe, {AtomicOp::FAR, bits(value), 0, false},    \
                     [=](auto word) { return word.METHOD(value); });               \
  }                                                                                \
  TYPE aclshmem_##NAME##_atomic_fetch_##OPERATION(TYPE* dst, TYPE value, int pe) { \
    return atomically<TYPE>(__func__, dst, pe, {AtomicOp::FAR, bits(value)},       \
                            [=](auto word) { return word.METHOD(value); });        \
  }
#define SHMEM_DEFINE(NAME, TYPE)                                                         \
  SHMEM_CHANGE(NAME, TYPE, add, fetch_add, add)                                          \
  SHMEM_CHANGE(NAME, TYPE, and, fetch_and, bit_and)                                      \
  SHMEM_CHANGE(NAME, TYPE, or, fetch_or, bit_or)                                         \
  SHMEM_CHANGE(NAME, TYPE, xor, fetch_xor, bit_xor)                                      \
  void aclshmem_##NAME##_atomic_inc(TYPE* dst, int pe) {                                 \
    atomically<TYPE>(__func__, dst, pe, {AtomicOp::add, 1, 0, false},                    \
                     [](auto word) { return word.fetch_add(1); });                       \
  }                                                                                      \
  TYPE aclshmem_##NAME##_atomic_fetch_inc(TYPE* dst, int pe) {                           \
    return atomically<TYPE>(__func__, dst, pe, {AtomicOp::add, 1},                       \
                            [](auto word) { return word.fetch_add(1); });                \
  }                                                                                      \
  TYPE aclshmem_##NAME##_atomic_compare_swap(TYPE* dst, TYPE cond, TYPE value, int pe) { \
    return atomically<TYPE>(__func__, dst, pe,                                           \
                            {AtomicOp::compare_and_set, bits(value), bits(cond)},        \
                            [=](auto word) { return compare_swap(word, cond, value); }); \
  }
ACLSHMEM_AMO_TYPE_FUNC(SHMEM_DEFINE)
#undef SHMEM_DEFINE
#undef SHMEM_CHANGE

}  // extern "C"
