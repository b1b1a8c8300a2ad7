/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integers in SIMT code.
 */
#ifndef ASCENDC_IMPL_SIMT_INTEGER_H_
#define ASCENDC_IMPL_SIMT_INTEGER_H_

#include <cstdint>
#include <cstdlib>

namespace aclsim_simt {
template <typename T>
constexpr T reversed(T x) {
  T made = 0;
  for (unsigned i = 0; i < sizeof(T) * 8; ++i) made |= (x >> i & T{1}) << (sizeof(T) * 8 - 1 - i);
  return made;
}
/* The upper half of a product. */
constexpr unsigned long long high(unsigned long long x, unsigned long long y) {
  const unsigned long long low_word = 0xffffffffU;
  const unsigned long long x0 = x & low_word, x1 = x >> 32, y0 = y & low_word, y1 = y >> 32;
  const unsigned long long middle = x1 * y0 + (x0 * y0 >> 32);
  const unsigned long long rest = x0 * y1 + (middle & low_word);
  return x1 * y1 + (middle >> 32) + (rest >> 32);
}
constexpr long long signed_high(long long x, long long y) {
  const auto a = static_cast<unsigned long long>(x), b = static_cast<unsigned long long>(y);
  return static_cast<long long>(high(a, b) - (x < 0 ? b : 0) - (y < 0 ? a : 0));
}
constexpr int low_24(int x) {
  return static_cast<int>((static_cast<uint32_t>(x) & 0xffffffU) ^ 0x800000U) - 0x800000;
}
constexpr unsigned int apart(int64_t x, int64_t y) {
  return static_cast<unsigned int>(x < y ? y - x : x - y);
}
}  // namespace aclsim_simt

/* Overloads for the integers of each size. */
inline int __popc(unsigned int x) { return __builtin_popcount(x); }
inline int __popc(unsigned long x) { return __builtin_popcountl(x); }
inline int __popc(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clz(long x) { return x == 0 ? 64 : __builtin_clzl(static_cast<unsigned long>(x)); }
inline int __clz(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffs(long x) { return __builtin_ffsl(x); }
inline int __ffs(long long x) { return __builtin_ffsll(x); }
inline unsigned int __brev(unsigned int x) { return aclsim_simt::reversed(x); }
inline unsigned long __brev(unsigned long x) { return aclsim_simt::reversed(x); }
inline unsigned long long __brev(unsigned long long x) { return aclsim_simt::reversed(x); }

inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
  const uint64_t bytes = uint64_t{y} << 32 | x;
  uint64_t made = 0;
  for (unsigned i = 0; i < 4; ++i) {
    made |= (bytes >> (s >> 4 * i & 7U) * 8 & 0xffU) << 8 * i;
  }
  return static_cast<unsigned int>(made);
}

/* Averages, without overflow; those with r are rounded up. */
inline int __hadd(int x, int y) { return static_cast<int>((int64_t{x} + y) >> 1); }
inline int __rhadd(int x, int y) { return static_cast<int>((int64_t{x} + y + 1) >> 1); }
inline unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((uint64_t{x} + y) >> 1);
}
inline unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((uint64_t{x} + y + 1) >> 1);
}
inline unsigned int __sad(int x, int y, unsigned int z) { return aclsim_simt::apart(x, y) + z; }
inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return aclsim_simt::apart(x, y) + z;
}

/* Products: of the lower 24 bits, upper halves, and whole. */
inline int __mul24(int x, int y) {
  return static_cast<int>(
      static_cast<uint32_t>(int64_t{aclsim_simt::low_24(x)} * aclsim_simt::low_24(y)));
}
inline unsigned int __umul24(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>(uint64_t{x & 0xffffffU} * (y & 0xffffffU));
}
inline int __mulhi(int x, int y) { return static_cast<int>(int64_t{x} * y >> 32); }
/* A template, because programs define a function of this name for older toolkits. */
template <typename T>
uint32_t __umulhi(T x, uint32_t y) {
  static_assert(sizeof(T) == 4, "__umulhi: x is not a 32-bit integer");
  return static_cast<uint32_t>(uint64_t{static_cast<uint32_t>(x)} * y >> 32);
}
inline long long __mul64hi(long long x, long long y) { return aclsim_simt::signed_high(x, y); }
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return aclsim_simt::high(x, y);
}
inline long long __mul_i32toi64(int x, int y) { return static_cast<long long>(x) * y; }
inline unsigned long long __mul_i32toi64(unsigned int x, unsigned int y) {
  return static_cast<unsigned long long>(x) * y;
}

/* All kernels have max and min of wider integers. */
#define ACLSIM_GREATER_AND_LESS(PREFIX, T)                 \
  inline T PREFIX##max(T x, T y) { return x < y ? y : x; } \
  inline T PREFIX##min(T x, T y) { return y < x ? y : x; }
ACLSIM_GREATER_AND_LESS(ll, long long)
ACLSIM_GREATER_AND_LESS(ull, unsigned long long)
ACLSIM_GREATER_AND_LESS(u, unsigned int)
ACLSIM_GREATER_AND_LESS(, short)
ACLSIM_GREATER_AND_LESS(, unsigned short)
ACLSIM_GREATER_AND_LESS(, char)
ACLSIM_GREATER_AND_LESS(, unsigned char)
#undef ACLSIM_GREATER_AND_LESS

#endif /* ASCENDC_IMPL_SIMT_INTEGER_H_ */
