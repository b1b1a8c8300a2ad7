// SPDX-License-Identifier: Apache-2.0
// Functions of one number, for the lanes that operators have them in.
#pragma once

#include <cmath>
#include <complex>
#include <type_traits>

namespace aclnn {

struct Exp {
  template <class T>
  T operator()(T x) const {
    return std::exp(x);
  }
};
struct Log {
  template <class T>
  T operator()(T x) const {
    return std::log(x);
  }
};
struct Log1p {
  template <class T>
  T operator()(T x) const {
    return std::log1p(x);
  }
};
struct Log2 {
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>) {
      return std::log2(x);
    } else {
      return std::log(x) / static_cast<typename T::value_type>(0.693147180559945309417);
    }
  }
};
struct Sqrt {
  template <class T>
  T operator()(T x) const {
    return std::sqrt(x);
  }
};
struct Rsqrt {
  template <class T>
  T operator()(T x) const {
    return T(1) / std::sqrt(x);
  }
};
struct Reciprocal {
  template <class T>
  T operator()(T x) const {
    return T(1) / x;
  }
};
struct Sin {
  template <class T>
  T operator()(T x) const {
    return std::sin(x);
  }
};
struct Cos {
  template <class T>
  T operator()(T x) const {
    return std::cos(x);
  }
};
struct Tanh {
  template <class T>
  T operator()(T x) const {
    return std::tanh(x);
  }
};
struct Erf {
  template <class T>
  T operator()(T x) const {
    return std::erf(x);
  }
};
struct Sigmoid {
  template <class T>
  T operator()(T x) const {
    return T(1) / (T(1) + std::exp(-x));
  }
};
struct Silu {
  template <class T>
  T operator()(T x) const {
    return x / (T(1) + std::exp(-x));
  }
};
struct GeluTanh {
  template <class T>
  T operator()(T x) const {
    const T inner = T(0.79788456080286535588) * (x + T(0.044715) * x * x * x);
    return T(0.5) * x * (T(1) + std::tanh(inner));
  }
};
struct GeluErf {
  template <class T>
  T operator()(T x) const {
    return T(0.5) * x * (T(1) + std::erf(x * T(0.70710678118654752440)));
  }
};
struct Mish {
  template <class T>
  T operator()(T x) const {
    return x * std::tanh(x > T(20) ? x : std::log1p(std::exp(x)));
  }
};
struct Hardsigmoid {
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>) {
      const T y = x / T(6) + T(0.5);
      return y < T(0) ? T(0) : y > T(1) ? T(1) : y;
    } else {
      return x >= 3 ? 1 : 0;  // only the integer part is left
    }
  }
};
struct Hardswish {
  template <class T>
  T operator()(T x) const {
    const T y = x + T(3);
    return x * (y < T(0) ? T(0) : y > T(6) ? T(6) : y) / T(6);
  }
};
struct Neg {
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(-static_cast<std::uint64_t>(x));
    } else {
      return -x;
    }
  }
};
struct Abs {
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_unsigned_v<T>) {
      return x;
    } else if constexpr (std::is_integral_v<T>) {
      return x < 0 ? Neg{}(x) : x;
    } else {
      return std::abs(x);
    }
  }
};
struct Sign {
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_arithmetic_v<T>) {
      if (x != x) return x;
      return x > T(0) ? T(1) : x < T(0) ? T(-1) : T(0);
    } else {
      const auto length = std::abs(x);
      return length == 0 ? T(0) : x / length;
    }
  }
};
struct Relu {
  template <class T>
  T operator()(T x) const {
    return x < T(0) ? T(0) : x;
  }
};
struct Floor {
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_integral_v<T>)
      return x;
    else
      return std::floor(x);
  }
};
struct Ceil {
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_integral_v<T>)
      return x;
    else
      return std::ceil(x);
  }
};
struct RoundToEven {
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_integral_v<T>)
      return x;
    else
      return std::nearbyint(x);
  }
};

}  // namespace aclnn
