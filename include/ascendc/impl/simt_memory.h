/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory in SIMT code: atomics, accesses that name a cache, and the space of an address.
 */
#ifndef ASCENDC_IMPL_SIMT_MEMORY_H_
#define ASCENDC_IMPL_SIMT_MEMORY_H_

#include <cstring>
#include <type_traits>

#include "ascendc/impl/atomic_step.h"
#include "ascendc/impl/machine.h"
#include "ascendc/impl/simt_machine.h"
#include "ascendc/impl/simt_vectors.h"

namespace aclsim_simt {

using aclsim_atomic::atomic;
using aclsim_atomic::same;

/* The types of values in memory, by the functions that take them. */
template <typename T>
inline constexpr bool is_pair = std::is_same_v<T, half2> || std::is_same_v<T, bfloat16x2_t>;
template <typename T>
inline constexpr bool is_word = std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);
template <typename T>
inline constexpr bool is_count = is_word<T>&& std::is_unsigned_v<T>;
template <typename T>
inline constexpr bool is_value = is_word<T> || std::is_same_v<T, float> || is_pair<T>;
template <typename T>
inline constexpr bool is_number =
    is_value<T> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>;

template <typename T>
T greatest(T a, T b) {
  if constexpr (is_pair<T>) {
    a.x = greatest(a.x, b.x);
    a.y = greatest(a.y, b.y);
    return a;
  } else {
    return a < b ? b : a;
  }
}
template <typename T>
T least(T a, T b) {
  if constexpr (is_pair<T>) {
    a.x = least(a.x, b.x);
    a.y = least(a.y, b.y);
    return a;
  } else {
    return b < a ? b : a;
  }
}

}  // namespace aclsim_simt

/* ---- atomics: they return the old value ---- */

#define ACLSIM_ATOMICS(R)                                                                  \
  R(add, is_number, "a word, float, half, bfloat16_t or a pair of these", old + val)       \
  R(sub, is_value, "a word, float, half2 or bfloat16x2_t", old - val)                      \
  R(exch, is_value, "a word, float, half2 or bfloat16x2_t", (static_cast<void>(old), val)) \
  R(max, is_number, "a word, float, half, bfloat16_t or a pair", greatest<T>(old, val))    \
  R(min, is_number, "a word, float, half, bfloat16_t or a pair", least<T>(old, val))       \
  R(and, is_word, "an integer of 4 or 8 bytes", old& val)                                  \
  R(or, is_word, "an integer of 4 or 8 bytes", old | val)                                  \
  R(xor, is_word, "an integer of 4 or 8 bytes", old ^ val)                                 \
  R(inc, is_count, "uint32_t or uint64_t", old >= val ? 0 : old + 1)                       \
  R(dec, is_count, "uint32_t or uint64_t", old == 0 || old > val ? val : old - 1)
#define ACLSIM_ATOMIC(NAME, TYPES, TEXT, EXPRESSION)                                \
  template <typename T>                                                             \
  T asc_atomic_##NAME(T* address, aclsim_simt::same<T> val) {                       \
    using namespace aclsim_simt;                                                    \
    static_assert(TYPES<T>, "asc_atomic_" #NAME ": the type is not " TEXT);         \
    return aclsim_simt::atomic(address, [&](T old) -> T { return T(EXPRESSION); }); \
  }
ACLSIM_ATOMICS(ACLSIM_ATOMIC)
#undef ACLSIM_ATOMIC
#undef ACLSIM_ATOMICS
template <typename T>
T asc_atomic_cas(T* address, aclsim_simt::same<T> compare, aclsim_simt::same<T> val) {
  static_assert(aclsim_simt::is_value<T>,
                "asc_atomic_cas: the type is not a word, float, half2 or bfloat16x2_t");
  return aclsim_simt::atomic(address, [&](T old) -> T { return old == compare ? val : old; });
}

/* ---- caches change no results ---- */

template <typename T>
T asc_ldcg(const T* address) {
  return *address;
}
template <typename T>
T asc_ldca(const T* address) {
  return *address;
}
template <typename T>
void asc_stcg(T* address, aclsim_simt::same<T> val) {
  *address = val;
}
template <typename T>
void asc_stwt(T* address, aclsim_simt::same<T> val) {
  *address = val;
}
inline void asc_dcci_single(const void* /*dst*/) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void asc_dcci_entire(const void* /*dst*/) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void asc_nop() {}

/* ---- the space of an address ---- */

inline unsigned int __isGlobal(const void* ptr) { return aclsimSpaceOf(ptr) == ACLSIM_IN_GLOBAL; }
inline unsigned int __isUbuf(const void* ptr) { return aclsimSpaceOf(ptr) == ACLSIM_IN_UNIFIED; }
inline unsigned int __isLocal(const void* ptr) { return aclsimSpaceOf(ptr) == ACLSIM_IN_STACK; }

/* Global memory and stacks have the addresses of the process; addresses of the unified buffer count
 * from its start. */
inline size_t __cvta_generic_to_global(const void* ptr) { return reinterpret_cast<size_t>(ptr); }
inline size_t __cvta_generic_to_local(const void* ptr) { return reinterpret_cast<size_t>(ptr); }
namespace aclsim_simt {
inline uintptr_t unified_start() {
  constexpr uint32_t kVectorBuffer = 11; /* TPosition::VECCALC */
  return reinterpret_cast<uintptr_t>(aclsimLocalAddress(kVectorBuffer, 0, 0, nullptr));
}
}  // namespace aclsim_simt
inline size_t __cvta_generic_to_ubuf(const void* ptr) {
  return static_cast<size_t>(reinterpret_cast<uintptr_t>(ptr) - aclsim_simt::unified_start());
}
inline void* __cvta_global_to_generic(size_t rawbits) { return reinterpret_cast<void*>(rawbits); }
inline void* __cvta_local_to_generic(size_t rawbits) { return reinterpret_cast<void*>(rawbits); }
inline void* __cvta_ubuf_to_generic(size_t rawbits) {
  return reinterpret_cast<void*>(aclsim_simt::unified_start() + rawbits);
}

#endif /* ASCENDC_IMPL_SIMT_MEMORY_H_ */
