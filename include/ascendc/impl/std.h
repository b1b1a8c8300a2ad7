/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of the standard library that kernels name as AscendC::Std.
 */
#ifndef ASCENDC_IMPL_STD_H_
#define ASCENDC_IMPL_STD_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace AscendC {
namespace Std {
using std::abs;
using std::forward;
using std::get;
using std::index_sequence;
using std::index_sequence_for;
using std::integer_sequence;
using std::make_index_sequence;
using std::make_integer_sequence;
using std::make_tuple;
using std::max;
using std::min;
using std::move;
using std::sqrt;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_element_t;
using std::tuple_size;
using std::tuple_size_v;

using std::add_const;
using std::add_const_t;
using std::add_cv;
using std::add_cv_t;
using std::add_lvalue_reference;
using std::add_lvalue_reference_t;
using std::add_pointer;
using std::add_pointer_t;
using std::add_rvalue_reference;
using std::add_rvalue_reference_t;
using std::add_volatile;
using std::add_volatile_t;
using std::bool_constant;
using std::conditional;
using std::conditional_t;
using std::decay;
using std::decay_t;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::integral_constant;
using std::is_array;
using std::is_array_v;
using std::is_base_of;
using std::is_base_of_v;
using std::is_const;
using std::is_const_v;
using std::is_convertible;
using std::is_convertible_v;
using std::is_floating_point;
using std::is_floating_point_v;
using std::is_integral;
using std::is_integral_v;
using std::is_pointer;
using std::is_pointer_v;
using std::is_reference;
using std::is_reference_v;
using std::is_same;
using std::is_same_v;
using std::is_void;
using std::is_void_v;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_pointer;
using std::remove_pointer_t;
using std::remove_reference;
using std::remove_reference_t;
using std::remove_volatile;
using std::remove_volatile_t;
using std::true_type;
using std::void_t;

using ignore_t = std::remove_const_t<decltype(std::ignore)>;
template <typename T, typename... Others>
inline constexpr bool is_one_of_v = (std::is_same_v<T, Others> || ...);
template <typename T>
inline constexpr bool is_tuple_v = false;
template <typename... T>
inline constexpr bool is_tuple_v<std::tuple<T...>> = true;

/* The result has the type of `a`. */
template <typename T, typename U, typename = std::enable_if_t<!std::is_same_v<T, U>>>
constexpr T min(const T& a, const U& b) {
  return std::min(a, static_cast<T>(b));
}
template <typename T, typename U, typename = std::enable_if_t<!std::is_same_v<T, U>>>
constexpr T max(const T& a, const U& b) {
  return std::max(a, static_cast<T>(b));
}

/* The smallest multiple of `unit`, which is not 0, that is not below `value`. */
template <typename T, typename U>
constexpr auto ceil_align(const T& value, const U& unit) {
  return (value + unit - 1) / unit * unit;
}
}  // namespace Std
}  // namespace AscendC

/* Scalars of kernels: the compiler for devices knows these words. */
#define ACLSIM_MIN_MAX(T)                             \
  constexpr T min(T a, T b) { return b < a ? b : a; } \
  constexpr T max(T a, T b) { return a < b ? b : a; }
ACLSIM_MIN_MAX(int)
ACLSIM_MIN_MAX(unsigned)
ACLSIM_MIN_MAX(long)
ACLSIM_MIN_MAX(unsigned long)
ACLSIM_MIN_MAX(long long)
ACLSIM_MIN_MAX(unsigned long long)
ACLSIM_MIN_MAX(float)
#undef ACLSIM_MIN_MAX
/* Counts in the 64 bits of a number: clz counts the zeros above the first one, bcnt1 all ones,
 * bcnt0 all zeros. Functions of the program with these names come first. */
template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
constexpr int64_t clz(T value) {
  return value == 0 ? 64 : __builtin_clzll(static_cast<uint64_t>(value));
}
template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
constexpr int64_t bcnt1(T value) {
  return __builtin_popcountll(static_cast<uint64_t>(value));
}
template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
constexpr int64_t bcnt0(T value) {
  return 64 - bcnt1(value);
}

#endif /* ASCENDC_IMPL_STD_H_ */
