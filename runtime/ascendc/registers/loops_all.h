// SPDX-License-Identifier: Apache-2.0
// Loops over the lanes of registers that the vector unit lacks. Included by loops_*.cpp, once each.
#pragma once

#include <cmath>

#include "ascendc/impl/reg_machine.h"
#include "runtime/ascendc/registers/loops.h"
#include "runtime/ascendc/vector/loop_shapes.h"

namespace ascendc::vector::ACLSIM_LOOPS {
namespace {

struct Xor {
  template <typename R, typename T>
  static T two(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Log2 {
  template <typename R, typename T>
  static T one(T a) {
    return ::log2f(a);
  }
};
struct Log10 {
  template <typename R, typename T>
  static T one(T a) {
    return ::log10f(a);
  }
};
template <typename T>
T fused(T a, T b, T c) {
  if constexpr (kReal<T>)
    return __builtin_fmaf(a, b, c);
  else
    return add(mul(a, b), c);
}
struct FusedMulAddDst {
  template <typename R, typename T>
  static T three(T d, T a, T b) {
    return fused(a, b, d);
  }
};
struct FusedMulDstAdd {
  template <typename R, typename T>
  static T three(T d, T a, T b) {
    return fused(d, a, b);
  }
};
struct Distance {
  template <typename R, typename T>
  static T two(T a, T b) {
    if constexpr (kReal<T>) return AbsSub::two<R>(a, b);
    const T difference = sub(a, b);
    return difference < T{0} ? sub(T{0}, difference) : difference;
  }
};
// The sign bits of equal numbers decide between 0 and -0.
struct SignedMax {
  template <typename R, typename T>
  static T two(T a, T b) {
    if constexpr (kReal<T>) {
      const float equal = as<float>(as<std::uint32_t>(a) & as<std::uint32_t>(b));
      return a == b ? equal : greater(a, b);
    } else {
      return greater(a, b);
    }
  }
};
struct SignedMin {
  template <typename R, typename T>
  static T two(T a, T b) {
    if constexpr (kReal<T>) {
      const float equal = as<float>(as<std::uint32_t>(a) | as<std::uint32_t>(b));
      return a == b ? equal : lesser(a, b);
    } else {
      return lesser(a, b);
    }
  }
};
struct SlopeBelowZero {
  template <typename R, typename T>
  static T two(T a, T b) {
    if constexpr (kReal<T>) return a > T{0} ? a : mul(a, b);
    return a;
  }
};
struct KeepingShiftLeft {
  template <typename R, typename T>
  static T two(T a, T b) {
    constexpr auto kSign = static_cast<Unsigned<T>>(Unsigned<T>{1} << (sizeof(T) * 8 - 1));
    const auto moved = static_cast<Unsigned<T>>(ShiftLeft::two<R>(a, b));
    if constexpr (!std::is_signed_v<T>) return static_cast<T>(moved);
    const auto kept = static_cast<Unsigned<T>>((static_cast<Unsigned<T>>(a) & kSign) |
                                               (moved & static_cast<Unsigned<T>>(~kSign)));
    return static_cast<Unsigned<T>>(b) < sizeof(T) * 8 ? static_cast<T>(kept) : T{0};
  }
};

template <typename T>
void fill_lanes(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  T* d = result<T>(at);
  const T value = static_cast<T>(setting.scalar);
  for (std::size_t i = 0; i < lanes; ++i) d[i] = value;
}

template <typename Op>
Loop whole_two(std::uint8_t element, bool scalar) {
  switch (element) {
#define ACLSIM_WHOLE(E, T) \
  case ACLSIM_##E:         \
    return scalar ? integer_scalar_two<std::T, Op> : integer_two<std::T, Op>;
    ACLSIM_WHOLE(INT8, int8_t)
    ACLSIM_WHOLE(UINT8, uint8_t)
    ACLSIM_WHOLE(BOOL, uint8_t)
    ACLSIM_WHOLE(INT16, int16_t)
    ACLSIM_WHOLE(UINT16, uint16_t)
    ACLSIM_WHOLE(INT32, int32_t)
    ACLSIM_WHOLE(UINT32, uint32_t)
    ACLSIM_WHOLE(INT64, int64_t)
    ACLSIM_WHOLE(UINT64, uint64_t)
#undef ACLSIM_WHOLE
    default:
      return nullptr;
  }
}
template <typename Op>
Loop any_two(std::uint8_t element, bool scalar) {
  switch (element) {
    case ACLSIM_HALF:
      return scalar ? real_scalar<Half, Op> : real_two<Half, Op>;
    case ACLSIM_BFLOAT16:
      return scalar ? real_scalar<Bfloat16, Op> : real_two<Bfloat16, Op>;
    case ACLSIM_FLOAT:
      return scalar ? real_scalar<Float, Op> : real_two<Float, Op>;
    default:
      return whole_two<Op>(element, scalar);
  }
}
template <typename Op>
Loop real_of_one(std::uint8_t element) {
  switch (element) {
    case ACLSIM_HALF:
      return real_one<Half, Op>;
    case ACLSIM_BFLOAT16:
      return real_one<Bfloat16, Op>;
    case ACLSIM_FLOAT:
      return real_one<Float, Op>;
    default:
      return nullptr;
  }
}

template <typename T>
void whole_axpy(std::uint8_t* const* at, std::size_t lanes, const Setting& setting) {
  T* d = result<T>(at);
  const T* a = source<T>(at, 1);
  const T b = integer_scalar<T>(setting);
  for (std::size_t i = 0; i < lanes; ++i) d[i] = fused(a[i], b, d[i]);
}

template <typename Op>
Loop any_three(std::uint8_t element, bool scalar) {
  switch (element) {
    case ACLSIM_HALF:
      return scalar ? real_three_scalar<Half, Half, Op> : real_three<Half, Half, Op>;
    case ACLSIM_BFLOAT16:
      return scalar ? real_three_scalar<Bfloat16, Bfloat16, Op>
                    : real_three<Bfloat16, Bfloat16, Op>;
    case ACLSIM_FLOAT:
      return scalar ? real_three_scalar<Float, Float, Op> : real_three<Float, Float, Op>;
#define ACLSIM_WHOLE(E, T) \
  case ACLSIM_##E:         \
    return scalar ? whole_axpy<std::T> : integer_three<std::T, Op>;
      ACLSIM_WHOLE(INT16, int16_t)
      ACLSIM_WHOLE(UINT16, uint16_t)
      ACLSIM_WHOLE(INT32, int32_t)
      ACLSIM_WHOLE(UINT32, uint32_t)
      ACLSIM_WHOLE(INT64, int64_t)
      ACLSIM_WHOLE(UINT64, uint64_t)
#undef ACLSIM_WHOLE
    default:
      return nullptr;
  }
}

}  // namespace

Loop find_register(std::uint16_t operation, std::uint8_t element) {
  switch (operation) {
    case ACLSIM_REG_Xor:
      return whole_two<Xor>(element, false);
    case ACLSIM_REG_Log2:
      return real_of_one<Log2>(element);
    case ACLSIM_REG_Log10:
      return real_of_one<Log10>(element);
    case ACLSIM_REG_MulAddDst:
      return any_three<FusedMulAddDst>(element, false);
    case ACLSIM_REG_MulDstAdd:
      return any_three<FusedMulDstAdd>(element, false);
    case ACLSIM_REG_Axpy:
      return any_three<FusedMulAddDst>(element, true);
    case ACLSIM_REG_AbsSub:
      return any_two<Distance>(element, false);
    case ACLSIM_REG_Prelu:
      return any_two<SlopeBelowZero>(element, false);
    case ACLSIM_REG_Max:
    case ACLSIM_REG_Maxs:
      return any_two<SignedMax>(element, operation == ACLSIM_REG_Maxs);
    case ACLSIM_REG_Min:
    case ACLSIM_REG_Mins:
      return any_two<SignedMin>(element, operation == ACLSIM_REG_Mins);
    case ACLSIM_REG_ShiftLeft:
    case ACLSIM_REG_ShiftLefts:
      return whole_two<KeepingShiftLeft>(element, operation == ACLSIM_REG_ShiftLefts);
    case ACLSIM_REG_ShiftRight:
    case ACLSIM_REG_ShiftRights:
      return whole_two<ShiftRight>(element, operation == ACLSIM_REG_ShiftRights);
    case ACLSIM_REG_Fill:
      switch (bytes_of_element(element)) {
        case 1:
          return fill_lanes<std::uint8_t>;
        case 2:
          return fill_lanes<std::uint16_t>;
        case 4:
          return fill_lanes<std::uint32_t>;
        default:
          return fill_lanes<std::uint64_t>;
      }
    default:
      return nullptr;
  }
}

}  // namespace ascendc::vector::ACLSIM_LOOPS
