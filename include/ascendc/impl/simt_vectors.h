/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short vectors of SIMT code: 2, 3 or 4 elements of one type with the members x, y, z and w.
 * Vectors of 2 and 4 elements are aligned to their size.
 */
#ifndef ASCENDC_IMPL_SIMT_VECTORS_H_
#define ASCENDC_IMPL_SIMT_VECTORS_H_

#include "ascendc/impl/half.h"

#define ACLSIM_VECTOR_2(NAME, T)       \
  struct alignas(2 * sizeof(T)) NAME { \
    T x;                               \
    T y;                               \
  };                                   \
  inline NAME make_##NAME(T x, T y) {  \
    NAME made;                         \
    made.x = x;                        \
    made.y = y;                        \
    return made;                       \
  }
#define ACLSIM_VECTOR_3(NAME, T)           \
  struct NAME {                            \
    T x;                                   \
    T y;                                   \
    T z;                                   \
  };                                       \
  inline NAME make_##NAME(T x, T y, T z) { \
    NAME made;                             \
    made.x = x;                            \
    made.y = y;                            \
    made.z = z;                            \
    return made;                           \
  }
#define ACLSIM_VECTOR_4(NAME, T)                \
  struct alignas(4 * sizeof(T)) NAME {          \
    T x;                                        \
    T y;                                        \
    T z;                                        \
    T w;                                        \
  };                                            \
  inline NAME make_##NAME(T x, T y, T z, T w) { \
    NAME made;                                  \
    made.x = x;                                 \
    made.y = y;                                 \
    made.z = z;                                 \
    made.w = w;                                 \
    return made;                                \
  }
#define ACLSIM_VECTORS(NAME, T) \
  ACLSIM_VECTOR_2(NAME##2, T)   \
  ACLSIM_VECTOR_3(NAME##3, T)   \
  ACLSIM_VECTOR_4(NAME##4, T)
ACLSIM_VECTORS(char, signed char)
ACLSIM_VECTORS(uchar, unsigned char)
ACLSIM_VECTORS(short, short)
ACLSIM_VECTORS(ushort, unsigned short)
ACLSIM_VECTORS(int, int)
ACLSIM_VECTORS(uint, unsigned int)
ACLSIM_VECTORS(long, long)
ACLSIM_VECTORS(ulong, unsigned long)
ACLSIM_VECTORS(longlong, long long)
ACLSIM_VECTORS(ulonglong, unsigned long long)
ACLSIM_VECTORS(float, float)
ACLSIM_VECTOR_2(half2, half)
ACLSIM_VECTOR_2(bfloat16x2_t, bfloat16_t)
#undef ACLSIM_VECTORS
#undef ACLSIM_VECTOR_4
#undef ACLSIM_VECTOR_3
#undef ACLSIM_VECTOR_2
using bfloat162 = bfloat16x2_t;

/* Arithmetic element by element; a comparison holds for both elements. */
#define ACLSIM_VECTOR_STEP(NAME, op)                      \
  inline NAME operator op(const NAME& a, const NAME& b) { \
    return make_##NAME(a.x op b.x, a.y op b.y);           \
  }                                                       \
  inline NAME& operator op##=(NAME& a, const NAME& b) { return a = a op b; }
#define ACLSIM_VECTOR_COMPARE(NAME, op) \
  inline bool operator op(const NAME& a, const NAME& b) { return a.x op b.x && a.y op b.y; }
#define ACLSIM_VECTOR_ARITHMETIC(NAME)                                     \
  ACLSIM_VECTOR_STEP(NAME, +)                                              \
  ACLSIM_VECTOR_STEP(NAME, -)                                              \
  ACLSIM_VECTOR_STEP(NAME, *)                                              \
  ACLSIM_VECTOR_STEP(NAME, /)                                              \
  inline NAME operator-(const NAME& a) { return make_##NAME(-a.x, -a.y); } \
  ACLSIM_VECTOR_COMPARE(NAME, ==)                                          \
  ACLSIM_VECTOR_COMPARE(NAME, <)                                           \
  ACLSIM_VECTOR_COMPARE(NAME, <=)                                          \
  ACLSIM_VECTOR_COMPARE(NAME, >)                                           \
  ACLSIM_VECTOR_COMPARE(NAME, >=)                                          \
  inline bool operator!=(const NAME& a, const NAME& b) { return !(a == b); }
ACLSIM_VECTOR_ARITHMETIC(half2)
ACLSIM_VECTOR_ARITHMETIC(bfloat16x2_t)
#undef ACLSIM_VECTOR_ARITHMETIC
#undef ACLSIM_VECTOR_COMPARE
#undef ACLSIM_VECTOR_STEP

inline bfloat162 make_bfloat162(bfloat16_t x, bfloat16_t y) { return make_bfloat16x2_t(x, y); }

#endif /* ASCENDC_IMPL_SIMT_VECTORS_H_ */
