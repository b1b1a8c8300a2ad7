// SPDX-License-Identifier: Apache-2.0
// Loops over lanes, by how many sources they have.
#pragma once

#include "runtime/ascendc/vector/loop_ops.h"

namespace ascendc::vector::ACLSIM_LOOPS {
namespace {

struct Exact {  // integers need no rounding
  template <typename T>
  static T round(T value) {
    return value;
  }
};

template <typename T>
const T* source(std::uint8_t* const* at, unsigned i) {
  return reinterpret_cast<const T*>(at[i]);
}
template <typename T>
T* result(std::uint8_t* const* at) {
  return reinterpret_cast<T*>(at[0]);
}
template <typename T>
T integer_scalar(const Setting& setting) {
  return static_cast<T>(setting.scalar);
}

template <typename Format, typename Op>
void real_one(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  staged<Format>(at[0], lanes, setting, [=](float* to, std::size_t from, std::size_t here) {
    float stage[kStage];
    const float* a = widened<Format>(at[1], from, here, stage);
    for (std::size_t i = 0; i < here; ++i) to[i] = Op::template one<Format>(a[i]);
  });
}

template <typename Format, typename Op>
void real_two(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  staged<Format>(at[0], lanes, setting, [=](float* to, std::size_t from, std::size_t here) {
    float stages[2][kStage];
    const float* a = widened<Format>(at[1], from, here, stages[0]);
    const float* b = widened<Format>(at[2], from, here, stages[1]);
    for (std::size_t i = 0; i < here; ++i) to[i] = Op::template two<Format>(a[i], b[i]);
  });
}

template <typename Format, typename Op>
void real_scalar(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  const float b = scalar_of<Format>(setting);
  staged<Format>(at[0], lanes, setting, [=](float* to, std::size_t from, std::size_t here) {
    float stage[kStage];
    const float* a = widened<Format>(at[1], from, here, stage);
    for (std::size_t i = 0; i < here; ++i) to[i] = Op::template two<Format>(a[i], b);
  });
}

/// The destination is the third source. Sources may be narrower than it.
template <typename Format, typename Source, typename Op>
void real_three(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  staged<Format, Source>(at[0], lanes, setting, [=](float* to, std::size_t from, std::size_t here) {
    float stages[3][kStage];
    const float* d = widened<Format>(at[0], from, here, stages[0]);
    const float* a = widened<Source>(at[1], from, here, stages[1]);
    const float* b = widened<Source>(at[2], from, here, stages[2]);
    for (std::size_t i = 0; i < here; ++i) to[i] = Op::template three<Format>(d[i], a[i], b[i]);
  });
}

template <typename Format, typename Source, typename Op>
void real_three_scalar(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  const float b = scalar_of<Source>(setting);
  staged<Format, Source>(at[0], lanes, setting, [=](float* to, std::size_t from, std::size_t here) {
    float stages[2][kStage];
    const float* d = widened<Format>(at[0], from, here, stages[0]);
    const float* a = widened<Source>(at[1], from, here, stages[1]);
    for (std::size_t i = 0; i < here; ++i) to[i] = Op::template three<Format>(d[i], a[i], b);
  });
}

template <typename Format, typename Op>
void real_test(std::uint8_t* const* at, std::size_t lanes, const Setting&) {
  for (std::size_t from = 0; from < lanes; from += kStage) {
    const std::size_t here = lanes - from < kStage ? lanes - from : kStage;
    float stages[2][kStage];
    const float* a = widened<Format>(at[1], from, here, stages[0]);
    const float* b = widened<Format>(at[2], from, here, stages[1]);
    std::uint8_t* to = at[0] + from;
    for (std::size_t i = 0; i < here; ++i) to[i] = Op::test(a[i], b[i]) ? 1 : 0;
  }
}

template <typename Format, typename Op>
void real_test_scalar(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  const float b = scalar_of<Format>(setting);
  for (std::size_t from = 0; from < lanes; from += kStage) {
    const std::size_t here = lanes - from < kStage ? lanes - from : kStage;
    float stage[kStage];
    const float* a = widened<Format>(at[1], from, here, stage);
    std::uint8_t* to = at[0] + from;
    for (std::size_t i = 0; i < here; ++i) to[i] = Op::test(a[i], b) ? 1 : 0;
  }
}

template <typename T, typename Op>
void integer_one(std::uint8_t* const* at, std::size_t lanes, const Setting&) {
  T* d = result<T>(at);
  const T* a = source<T>(at, 1);
  for (std::size_t i = 0; i < lanes; ++i) d[i] = Op::template one<Exact>(a[i]);
}

/// With saturation, only operations that can leave the range have another loop.
template <typename Op, typename T>
bool overflows(T a, T b, T& exact) {
  if constexpr (std::is_same_v<Op, Add>) return __builtin_add_overflow(a, b, &exact);
  if constexpr (std::is_same_v<Op, Sub>) return __builtin_sub_overflow(a, b, &exact);
  if constexpr (std::is_same_v<Op, Mul>) return __builtin_mul_overflow(a, b, &exact);
  return false;
}
template <typename Op>
constexpr bool kOverflows =
    std::is_same_v<Op, Add> || std::is_same_v<Op, Sub> || std::is_same_v<Op, Mul>;

template <typename Op, typename T>
T saturated(T a, T b) {
  T exact = 0;
  if (!overflows<Op>(a, b, exact)) return exact;
  constexpr T kLeast =
      std::is_signed_v<T> ? static_cast<T>(Unsigned<T>{1} << (sizeof(T) * 8 - 1)) : T{0};
  constexpr T kMost = static_cast<T>(~kLeast);
  const bool below = std::is_same_v<Op, Mul>   ? (a < T{0}) != (b < T{0})
                     : std::is_same_v<Op, Sub> ? a < b
                                               : a < T{0};
  return below ? kLeast : kMost;
}

template <typename T, typename Op>
void integer_two(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  T* d = result<T>(at);
  const T* a = source<T>(at, 1);
  const T* b = source<T>(at, 2);
  if constexpr (kOverflows<Op>) {
    if (setting.saturate_integers) {
      for (std::size_t i = 0; i < lanes; ++i) d[i] = saturated<Op>(a[i], b[i]);
      return;
    }
  }
  for (std::size_t i = 0; i < lanes; ++i) d[i] = Op::template two<Exact>(a[i], b[i]);
}

template <typename T, typename Op>
void integer_scalar_two(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  T* d = result<T>(at);
  const T* a = source<T>(at, 1);
  const T b = integer_scalar<T>(setting);
  if constexpr (kOverflows<Op>) {
    if (setting.saturate_integers) {
      for (std::size_t i = 0; i < lanes; ++i) d[i] = saturated<Op>(a[i], b);
      return;
    }
  }
  for (std::size_t i = 0; i < lanes; ++i) d[i] = Op::template two<Exact>(a[i], b);
}

template <typename T, typename Op>
void integer_three(std::uint8_t* const* at, std::size_t lanes, const Setting&) {
  T* d = result<T>(at);
  const T* a = source<T>(at, 1);
  const T* b = source<T>(at, 2);
  for (std::size_t i = 0; i < lanes; ++i) d[i] = Op::template three<Exact>(d[i], a[i], b[i]);
}

template <typename T, typename Op>
void integer_test(std::uint8_t* const* at, std::size_t lanes, const Setting&) {
  std::uint8_t* d = at[0];
  const T* a = source<T>(at, 1);
  const T* b = source<T>(at, 2);
  for (std::size_t i = 0; i < lanes; ++i) d[i] = Op::test(a[i], b[i]) ? 1 : 0;
}

template <typename T, typename Op>
void integer_test_scalar(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  std::uint8_t* d = at[0];
  const T* a = source<T>(at, 1);
  const T b = integer_scalar<T>(setting);
  for (std::size_t i = 0; i < lanes; ++i) d[i] = Op::test(a[i], b) ? 1 : 0;
}

// By size of the element alone.
template <typename T>
void move_lanes(std::uint8_t* const* at, std::size_t lanes, const Setting&) {
  T* d = result<T>(at);
  const T* a = source<T>(at, 1);
  for (std::size_t i = 0; i < lanes; ++i) d[i] = a[i];
}
template <typename T>
void bits_not(std::uint8_t* const* at, std::size_t lanes, const Setting&) {
  T* d = result<T>(at);
  const T* a = source<T>(at, 1);
  for (std::size_t i = 0; i < lanes; ++i) d[i] = static_cast<T>(~a[i]);
}
template <typename T>
void fill(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  T* d = result<T>(at);
  const T value = integer_scalar<T>(setting);
  for (std::size_t i = 0; i < lanes; ++i) d[i] = value;
}
template <typename T>
void select(std::uint8_t* const* at, std::size_t lanes, const Setting&) {
  T* d = result<T>(at);
  const std::uint8_t* chosen = at[1];
  const T* a = source<T>(at, 2);
  const T* b = source<T>(at, 3);
  for (std::size_t i = 0; i < lanes; ++i) d[i] = chosen[i] != 0 ? a[i] : b[i];
}
template <typename T>
void select_scalar(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  T* d = result<T>(at);
  const std::uint8_t* chosen = at[1];
  const T* a = source<T>(at, 2);
  const T b = integer_scalar<T>(setting);
  for (std::size_t i = 0; i < lanes; ++i) d[i] = chosen[i] != 0 ? a[i] : b;
}

template <typename T>
void integer_index(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  T* d = result<T>(at);
  const auto first = static_cast<Unsigned<T>>(setting.scalar + setting.position);
  for (std::size_t i = 0; i < lanes; ++i) {
    d[i] = static_cast<T>(static_cast<Unsigned<T>>(first + static_cast<Unsigned<T>>(i)));
  }
}
template <typename Format>
void real_index(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  const float first = scalar_of<Format>(setting);
  const std::uint64_t position = setting.position;
  staged<Format>(at[0], lanes, setting, [=](float* to, std::size_t from, std::size_t here) {
    for (std::size_t i = 0; i < here; ++i) {
      to[i] = first + static_cast<float>(position + from + i);
    }
  });
}

/// Low and high words of the products.
template <typename T, typename Product>
void wide_product(std::uint8_t* const* at, std::size_t lanes, const Setting&) {
  T* low = result<T>(at);
  T* high = reinterpret_cast<T*>(at[1]);
  const T* a = source<T>(at, 2);
  const T* b = source<T>(at, 3);
  for (std::size_t i = 0; i < lanes; ++i) {
    const Product product = static_cast<Product>(a[i]) * static_cast<Product>(b[i]);
    low[i] = static_cast<T>(product);
    high[i] = static_cast<T>(product >> 32);
  }
}

}  // namespace
}  // namespace ascendc::vector::ACLSIM_LOOPS
