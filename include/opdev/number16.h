/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of 16 bits for host code: op::fp16_t (IEEE binary16) and op::bfloat16. Arithmetic goes
 * through float and rounds each step to nearest even. C++17.
 */
#ifndef OPDEV_NUMBER16_H_
#define OPDEV_NUMBER16_H_

#include <cstdint>
#include <ostream>
#include <type_traits>

#include "ascendc/impl/half.h"

namespace op {

#define ACLSIM_NUMBER16(NAME, MEMBER, TO_BITS, TO_FLOAT)                                           \
  struct NAME {                                                                                    \
    uint16_t MEMBER = 0;                                                                           \
                                                                                                   \
    struct from_bits_t {};                                                                         \
    static constexpr from_bits_t from_bits() { return from_bits_t(); }                             \
    constexpr NAME() = default;                                                                    \
    constexpr NAME(uint16_t bits, from_bits_t) : MEMBER(bits) {}                                   \
    template <typename Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>            \
    constexpr NAME(Number number) : MEMBER(aclsim_half::TO_BITS(aclsim_half::narrow(number))) {}   \
    constexpr operator float() const { return aclsim_half::TO_FLOAT(MEMBER); }                     \
    constexpr NAME operator-() const { return NAME(uint16_t(MEMBER ^ 0x8000U), from_bits()); }     \
    NAME& operator+=(NAME other) { return *this = *this + other; }                                 \
    NAME& operator-=(NAME other) { return *this = *this - other; }                                 \
    NAME& operator*=(NAME other) { return *this = *this * other; }                                 \
    NAME& operator/=(NAME other) { return *this = *this / other; }                                 \
    friend constexpr NAME operator+(NAME a, NAME b) { return NAME(float(a) + float(b)); }          \
    friend constexpr NAME operator-(NAME a, NAME b) { return NAME(float(a) - float(b)); }          \
    friend constexpr NAME operator*(NAME a, NAME b) { return NAME(float(a) * float(b)); }          \
    friend constexpr NAME operator/(NAME a, NAME b) { return NAME(float(a) / float(b)); }          \
    friend constexpr bool operator==(NAME a, NAME b) { return float(a) == float(b); }              \
    friend constexpr bool operator!=(NAME a, NAME b) { return float(a) != float(b); }              \
    friend constexpr bool operator<(NAME a, NAME b) { return float(a) < float(b); }                \
    friend constexpr bool operator<=(NAME a, NAME b) { return float(a) <= float(b); }              \
    friend constexpr bool operator>(NAME a, NAME b) { return float(a) > float(b); }                \
    friend constexpr bool operator>=(NAME a, NAME b) { return float(a) >= float(b); }              \
    friend std::ostream& operator<<(std::ostream& to, NAME number) { return to << float(number); } \
  };                                                                                               \
  static_assert(sizeof(NAME) == 2, "two bytes, as in memory of the device");
ACLSIM_NUMBER16(fp16_t, val, half_bits, half_value)
ACLSIM_NUMBER16(bfloat16, value, bfloat16_bits, bfloat16_value)
#undef ACLSIM_NUMBER16

}  // namespace op

#endif /* OPDEV_NUMBER16_H_ */
