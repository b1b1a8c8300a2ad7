// SPDX-License-Identifier: Apache-2.0
// The computation of each instruction in one lane. `R` rounds a step of several to the precision of
// the type.
#pragma once

#include <cmath>
#include <type_traits>

#include "runtime/ascendc/vector/loop_formats.h"

namespace ascendc::vector::ACLSIM_LOOPS {
namespace {

template <typename T>
using Unsigned = std::make_unsigned_t<T>;
template <typename T>
constexpr bool kReal = std::is_floating_point_v<T>;

// Wrapping arithmetic; types narrower than int would be promoted, and their product could overflow
// it.
template <typename T>
using Wide = std::conditional_t<sizeof(T) < 4, std::uint32_t, Unsigned<T>>;

template <typename T>
T add(T a, T b) {
  if constexpr (kReal<T>)
    return a + b;
  else
    return static_cast<T>(static_cast<Wide<T>>(a) + static_cast<Wide<T>>(b));
}
template <typename T>
T sub(T a, T b) {
  if constexpr (kReal<T>)
    return a - b;
  else
    return static_cast<T>(static_cast<Wide<T>>(a) - static_cast<Wide<T>>(b));
}
template <typename T>
T mul(T a, T b) {
  if constexpr (kReal<T>)
    return a * b;
  else
    return static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
}
// By zero: all bits set. The one quotient that does not fit wraps.
template <typename T>
T divide(T a, T b) {
  if constexpr (kReal<T>) {
    return a / b;
  } else {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return sub(T{0}, a);
    }
    return static_cast<T>(a / b);
  }
}
// NaN of either source is kept; of equal values (0 and -0) the second is.
template <typename T>
T greater(T a, T b) {
  const T most = a > b ? a : b;
  if constexpr (kReal<T>)
    return a != a ? a : most;
  else
    return most;
}
template <typename T>
T lesser(T a, T b) {
  const T least = a < b ? a : b;
  if constexpr (kReal<T>)
    return a != a ? a : least;
  else
    return least;
}
template <typename T>
T relu(T a) {
  return a <= T{0} ? T{0} : a;
}  // NaN is kept

/// e to the power of x within one unit in the last place, by a polynomial over [-ln 2 / 2, ln 2 /
/// 2].
inline float exponential(float x) {
  float bounded = x > 89.0F ? 89.0F : x;
  bounded = bounded < -104.0F ? -104.0F : bounded;
  const float shifted = bounded * 1.44269504088896341F + 12582912.0F;
  const float n = shifted - 12582912.0F;
  const auto power = static_cast<int>(as<std::uint32_t>(shifted) - as<std::uint32_t>(12582912.0F));
  const float r = (bounded - n * 0.693359375F) - n * -2.12194440e-4F;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  const float y = (p * (r * r) + r) + 1.0F;
  // In two steps: the result may be subnormal, or its power more than a float has.
  const int first = power >> 1;
  const float scaled = y * as<float>(static_cast<std::uint32_t>(first + 127) << 23);
  const float result = scaled * as<float>(static_cast<std::uint32_t>(power - first + 127) << 23);
  return x != x ? x : result;
}

struct Add {
  template <typename R, typename T>
  static T two(T a, T b) {
    return add(a, b);
  }
};
struct Sub {
  template <typename R, typename T>
  static T two(T a, T b) {
    return sub(a, b);
  }
};
struct Mul {
  template <typename R, typename T>
  static T two(T a, T b) {
    return mul(a, b);
  }
};
struct Div {
  template <typename R, typename T>
  static T two(T a, T b) {
    return divide(a, b);
  }
};
struct SubFrom {
  template <typename R, typename T>
  static T two(T a, T b) {
    return sub(b, a);
  }
};
struct DivInto {
  template <typename R, typename T>
  static T two(T a, T b) {
    return divide(b, a);
  }
};
struct Max {
  template <typename R, typename T>
  static T two(T a, T b) {
    return greater(a, b);
  }
};
struct Min {
  template <typename R, typename T>
  static T two(T a, T b) {
    return lesser(a, b);
  }
};
struct And {
  template <typename R, typename T>
  static T two(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename R, typename T>
  static T two(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct AddRelu {
  template <typename R, typename T>
  static T two(T a, T b) {
    return relu(add(a, b));
  }
};
struct SubRelu {
  template <typename R, typename T>
  static T two(T a, T b) {
    return relu(sub(a, b));
  }
};
struct AbsSub {
  template <typename R, typename T>
  static T two(T a, T b) {
    return as<float>(as<std::uint32_t>(a - b) & 0x7fffffffU);
  }
};
struct Prelu {
  template <typename R, typename T>
  static T two(T a, T b) {
    return a >= T{0} ? a : mul(a, b);
  }
};
struct ExpSub {
  template <typename R, typename T>
  static T two(T a, T b) {
    return exponential(R::round(a - b));
  }
};
struct ShiftLeft {
  template <typename R, typename T>
  static T two(T a, T b) {
    constexpr Unsigned<T> kBits = sizeof(T) * 8;
    const auto by = static_cast<Unsigned<T>>(b);
    const auto left = static_cast<Wide<T>>(a) << (by & (kBits - 1));
    return by < kBits ? static_cast<T>(left) : T{0};
  }
};
struct ShiftRight {
  template <typename R, typename T>
  static T two(T a, T b) {
    constexpr Unsigned<T> kBits = sizeof(T) * 8;
    const auto by = static_cast<Unsigned<T>>(b);
    const T far = a < T{0} ? static_cast<T>(~T{0}) : T{0};
    return by < kBits ? static_cast<T>(a >> (by & (kBits - 1))) : far;
  }
};
/// The bit that is dropped last is added.
struct ShiftRightRounded {
  template <typename R, typename T>
  static T two(T a, T b) {
    constexpr Unsigned<T> kBits = sizeof(T) * 8;
    const auto by = static_cast<Unsigned<T>>(b);
    const T last =
        static_cast<T>(ShiftRight::two<R>(a, static_cast<T>(by == 0 ? kBits : by - 1)) & T{1});
    return by == 0 ? a : add(ShiftRight::two<R>(a, b), by > kBits ? T{0} : last);
  }
};

// dst, src0, src1
struct FusedMulAdd {
  template <typename R, typename T>
  static T three(T d, T a, T b) {
    return add(R::round(mul(a, d)), b);
  }
};
struct MulAddRelu {
  template <typename R, typename T>
  static T three(T d, T a, T b) {
    return relu(add(R::round(mul(a, d)), b));
  }
};
struct MulAddDst {
  template <typename R, typename T>
  static T three(T d, T a, T b) {
    return add(R::round(mul(a, b)), d);
  }
};

struct Relu {
  template <typename R, typename T>
  static T one(T a) {
    return relu(a);
  }
};
struct Abs {
  template <typename R, typename T>
  static T one(T a) {
    if constexpr (kReal<T>)
      return as<float>(as<std::uint32_t>(a) & 0x7fffffffU);
    else
      return a < T{0} ? sub(T{0}, a) : a;
  }
};
struct Neg {
  template <typename R, typename T>
  static T one(T a) {
    if constexpr (kReal<T>)
      return as<float>(as<std::uint32_t>(a) ^ 0x80000000U);
    else
      return sub(T{0}, a);
  }
};
struct Not {
  template <typename R, typename T>
  static T one(T a) {
    return static_cast<T>(~a);
  }
};
struct Copy {
  template <typename R, typename T>
  static T one(T a) {
    return a;
  }
};
struct Exp {
  template <typename R, typename T>
  static T one(T a) {
    return exponential(a);
  }
};
struct Ln {
  template <typename R, typename T>
  static T one(T a) {
    return ::logf(a);
  }
};
struct Sqrt {
  template <typename R, typename T>
  static T one(T a) {
    return __builtin_sqrtf(a);
  }
};
struct Rsqrt {
  template <typename R, typename T>
  static T one(T a) {
    return 1.0F / __builtin_sqrtf(a);
  }
};
struct Reciprocal {
  template <typename R, typename T>
  static T one(T a) {
    return divide(T{1}, a);
  }
};

struct LT {
  template <typename T>
  static bool test(T a, T b) {
    return a < b;
  }
};
struct GT {
  template <typename T>
  static bool test(T a, T b) {
    return a > b;
  }
};
struct EQ {
  template <typename T>
  static bool test(T a, T b) {
    return a == b;
  }
};
struct LE {
  template <typename T>
  static bool test(T a, T b) {
    return a <= b;
  }
};
struct GE {
  template <typename T>
  static bool test(T a, T b) {
    return a >= b;
  }
};
struct NE {
  template <typename T>
  static bool test(T a, T b) {
    return a != b;
  }
};

}  // namespace
}  // namespace ascendc::vector::ACLSIM_LOOPS
