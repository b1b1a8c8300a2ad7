/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The multimem instructions of device code, as functions for kernels and host functions: stores and
 * reductions to every replica of an address of a multicast object, and loads that reduce over all
 * replicas. The C part finds the replicas; the rest is for C++11.
 *
 * Replicas are visited in the order in which devices were added to the team, so a reduction of
 * floating-point numbers gives the same result every time. 16-bit numbers are reduced with 32 bits
 * and rounded once. Every replica is accessed atomically, all of them together are not.
 */
#ifndef ACLSIM_CUDA_MULTIMEM_H_
#define ACLSIM_CUDA_MULTIMEM_H_

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Stores the addresses of the `size` bytes at `address` on each device of the team, and returns the
 * number of devices. On errors it returns 0 and sets the text of aclGetRecentErrMsg: the address is
 * in no multicast object, the bytes pass the end of the memory that one device bound there, a
 * device has no memory there, or the team has more than `capacity` devices. May be called by
 * kernels. The addresses are valid until an unbind or unmap.
 */
ACL_FUNC_VISIBILITY uint32_t aclsimMultimemTargets(const void* address, size_t size, void** targets,
                                                   uint32_t capacity);

/*
 * The ranges that a kernel declares (aclsimLaunch.ranges) if it accesses these bytes of a multicast
 * object: one range for each replica, or for each contiguous part of a replica. Returns the number
 * of ranges and stores at most `capacity` of them; 0 as above.
 */
ACL_FUNC_VISIBILITY uint32_t aclsimMultimemRanges(const void* address, size_t size, uint32_t access,
                                                  aclsimMemRange* ranges, uint32_t capacity);

#ifdef __cplusplus
}

#include <cstring>
#include <stdexcept>

namespace aclsim {

/* A 16-bit number: IEEE 754 binary16, or the upper half of a float. */
struct f16 {
  uint16_t bits;
};
struct bf16 {
  uint16_t bits;
};

namespace multimem_detail {

template <class To, class From>
To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

inline float widen(bf16 value) { return bits_as<float>(static_cast<uint32_t>(value.bits) << 16); }

inline float widen(f16 value) {
  const uint32_t sign = static_cast<uint32_t>(value.bits & 0x8000u) << 16;
  const uint32_t exponent = (value.bits >> 10) & 31u;
  const uint32_t fraction = value.bits & 0x3ffu;
  if (exponent == 31) return bits_as<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent != 0) return bits_as<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float tiny = static_cast<float>(fraction) * 5.9604644775390625e-8f; /* 2^-24 */
  return sign != 0 ? -tiny : tiny;
}

/* To the nearest, ties to even. */
inline void narrow(float from, bf16& to) {
  const uint32_t bits = bits_as<uint32_t>(from);
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    to.bits = static_cast<uint16_t>(bits >> 16 | 0x40u);
    return;
  }
  to.bits = static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

inline void narrow(float from, f16& to) {
  const uint32_t bits = bits_as<uint32_t>(from);
  const uint32_t sign = bits >> 16 & 0x8000u;
  const uint32_t size = bits & 0x7fffffffu;
  uint32_t half = 0;
  if (size > 0x7f800000u) {
    half = 0x7e00u;
  } else if (size >= 0x477ff000u) { /* rounds to more than 65504 */
    half = 0x7c00u;
  } else if (size >= 0x38800000u) {
    half = (size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13;
  } else { /* no exponent is left: multiples of 2^-24; adding 0.5 leaves them in the lowest bits */
    half = bits_as<uint32_t>(bits_as<float>(size) + 0.5f) - 0x3f000000u;
  }
  to.bits = static_cast<uint16_t>(sign | half);
}

/* The type in which a type is computed, and the integer type of the same size. */
template <class T>
struct Computed {
  typedef T type;
  static T widened(T value) { return value; }
  static T narrowed(T value) { return value; }
};
template <class T>
struct Computed16 {
  typedef float type;
  static float widened(T value) { return widen(value); }
  static T narrowed(float value) {
    T to;
    narrow(value, to);
    return to;
  }
};
template <>
struct Computed<f16> : Computed16<f16> {};
template <>
struct Computed<bf16> : Computed16<bf16> {};

template <size_t Size>
struct Word;
template <>
struct Word<2> {
  typedef uint16_t type;
};
template <>
struct Word<4> {
  typedef uint32_t type;
};
template <>
struct Word<8> {
  typedef uint64_t type;
};

struct Targets {
  enum { kMost = 64 };
  void* at[kMost];
  uint32_t count;

  Targets(const void* address, size_t size)
      : count(aclsimMultimemTargets(address, size, at, kMost)) {
    if (count == 0) throw std::runtime_error("multimem: no memory of every device lies there");
  }
};

template <class T>
T load(const void* at) {
  typedef typename Word<sizeof(T)>::type W;
  return bits_as<T>(__atomic_load_n(static_cast<const W*>(at), __ATOMIC_ACQUIRE));
}

template <class T, class Op>
void change(void* at, T value, Op op) {
  typedef typename Word<sizeof(T)>::type W;
  typedef Computed<T> C;
  W* const word = static_cast<W*>(at);
  W seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  W wanted;
  do {
    const T now = bits_as<T>(seen);
    wanted = bits_as<W>(C::narrowed(op(C::widened(now), C::widened(value))));
  } while (
      !__atomic_compare_exchange_n(word, &seen, wanted, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
}

template <class T, class Op>
void reduce_into(T* address, T value, Op op) {
  const Targets targets(address, sizeof value);
  for (uint32_t i = 0; i < targets.count; ++i) change(targets.at[i], value, op);
}

template <class T, class Op>
T load_reduced(const T* address, Op op) {
  typedef Computed<T> C;
  const Targets targets(address, sizeof(T));
  typename C::type sum = C::widened(load<T>(targets.at[0]));
  for (uint32_t i = 1; i < targets.count; ++i) sum = op(sum, C::widened(load<T>(targets.at[i])));
  return C::narrowed(sum);
}

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct Min {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Max {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct And {
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b) const {
    return a | b;
  }
};
struct Xor {
  template <class T>
  T operator()(T a, T b) const {
    return a ^ b;
  }
};

} /* namespace multimem_detail */

/* Writes the value to every replica. */
template <class T>
void multimem_st(T* address, T value) {
  typedef typename multimem_detail::Word<sizeof(T)>::type W;
  const multimem_detail::Targets targets(address, sizeof value);
  for (uint32_t i = 0; i < targets.count; ++i) {
    __atomic_store_n(static_cast<W*>(targets.at[i]), multimem_detail::bits_as<W>(value),
                     __ATOMIC_RELEASE);
  }
}

/* multimem_red_OP: combines the value with every replica. multimem_ld_reduce_OP: loads every
 * replica and returns them combined. add, min and max of all types; and_, or_ and xor_ of integers.
 */
#define ACLSIM_MULTIMEM(name, Op)                                         \
  template <class T>                                                      \
  void multimem_red_##name(T* address, T value) {                         \
    multimem_detail::reduce_into(address, value, multimem_detail::Op());  \
  }                                                                       \
  template <class T>                                                      \
  T multimem_ld_reduce_##name(const T* address) {                         \
    return multimem_detail::load_reduced(address, multimem_detail::Op()); \
  }
ACLSIM_MULTIMEM(add, Add)
ACLSIM_MULTIMEM(min, Min)
ACLSIM_MULTIMEM(max, Max)
ACLSIM_MULTIMEM(and_, And)
ACLSIM_MULTIMEM(or_, Or)
ACLSIM_MULTIMEM(xor_, Xor)
#undef ACLSIM_MULTIMEM

} /* namespace aclsim */

#endif /* __cplusplus */

#endif /* ACLSIM_CUDA_MULTIMEM_H_ */
