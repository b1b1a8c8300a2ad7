// SPDX-License-Identifier: Apache-2.0
// Functions of two and three numbers, for the lanes that operators have them in.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>

namespace aclnn {

/// Integers wrap, also where C++ leaves signed ones undefined.
template <class T, class F>
T wrapped(T a, T b, F f) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(f(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
  } else {
    return f(a, b);
  }
}

struct Plus {
  template <class T>
  T operator()(T a, T b) const {
    return wrapped(a, b, [](auto x, auto y) { return x + y; });
  }
};
struct Times {
  template <class T>
  T operator()(T a, T b) const {
    return wrapped(a, b, [](auto x, auto y) { return x * y; });
  }
};
template <class T>
struct PlusScaled {
  T alpha;
  T operator()(T a, T b) const { return Plus{}(a, Times{}(alpha, b)); }
};

/// Division of floats and complex numbers.
struct Over {
  template <class T>
  T operator()(T a, T b) const {
    return a / b;
  }
};

/// Towards zero. Integers: 0 where the divisor is 0.
struct OverTruncated {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return std::trunc(a / b);
    } else if constexpr (std::is_signed_v<T>) {
      if (b == 0) return 0;
      return b == -1 ? static_cast<T>(-static_cast<std::uint64_t>(a)) : a / b;
    } else {
      return b == 0 ? 0 : a / b;
    }
  }
};
/// Towards minus infinity.
struct OverFloored {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return std::floor(a / b);
    } else {
      const T q = OverTruncated{}(a, b);
      if constexpr (std::is_signed_v<T>) {
        if (b != 0 && b != -1 && a % b != 0 && (a % b < 0) != (b < 0)) return q - 1;
      }
      return q;
    }
  }
};
/// The sign of the dividend, as C's fmod. Integers: 0 where the divisor is 0.
struct Fmod {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return std::fmod(a, b);
    } else if constexpr (std::is_signed_v<T>) {
      return b == 0 || b == -1 ? 0 : a % b;
    } else {
      return b == 0 ? 0 : a % b;
    }
  }
};
/// The sign of the divisor, as Python's %.
struct Remainder {
  template <class T>
  T operator()(T a, T b) const {
    const T rest = Fmod{}(a, b);
    return rest != T(0) && (rest < T(0)) != (b < T(0)) ? rest + b : rest;
  }
};

struct Power {
  template <class T>
  T operator()(T base, T exponent) const {
    if constexpr (!std::is_integral_v<T>) {
      return std::pow(base, exponent);
    } else {
      if constexpr (std::is_signed_v<T>) {
        if (exponent < 0) {  // a fraction, but of 1 and -1
          if (base == 1) return 1;
          if (base != -1) return 0;
          return exponent % 2 == 0 ? 1 : -1;
        }
      }
      std::uint64_t result = 1, factor = static_cast<std::uint64_t>(base);
      for (auto left = static_cast<std::uint64_t>(exponent); left != 0; left /= 2) {
        if (left % 2 != 0) result *= factor;
        factor *= factor;
      }
      return static_cast<T>(result);
    }
  }
};

/// NaN wins.
struct Maximum {
  template <class T>
  T operator()(T a, T b) const {
    return a > b || a != a ? a : b;
  }
};
struct Minimum {
  template <class T>
  T operator()(T a, T b) const {
    return a < b || a != a ? a : b;
  }
};

#define ACLNN_COMPARISON(Name, op) \
  struct Name {                    \
    template <class T>             \
    T operator()(T a, T b) const { \
      return a op b ? T(1) : T(0); \
    }                              \
  };
ACLNN_COMPARISON(Equal, ==)
ACLNN_COMPARISON(NotEqual, !=)
ACLNN_COMPARISON(Greater, >)
ACLNN_COMPARISON(GreaterEqual, >=)
ACLNN_COMPARISON(Less, <)
ACLNN_COMPARISON(LessEqual, <=)
#undef ACLNN_COMPARISON

struct LogicalAnd {
  template <class T>
  T operator()(T a, T b) const {
    return a != T(0) && b != T(0) ? T(1) : T(0);
  }
};
struct LogicalOr {
  template <class T>
  T operator()(T a, T b) const {
    return a != T(0) || b != T(0) ? T(1) : T(0);
  }
};
struct BitwiseAnd {
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};

struct Where {
  template <class T>
  T operator()(T condition, T a, T b) const {
    return condition != T(0) ? a : b;
  }
};

/// A function of two numbers whose second is always the same.
template <class T, class F>
struct WithSecond {
  T second;
  T operator()(T first) const { return F{}(first, second); }
};
template <class T, class F>
struct WithFirst {
  T first;
  T operator()(T second) const { return F{}(first, second); }
};

}  // namespace aclnn
