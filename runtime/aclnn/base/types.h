// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "acl/acl_base.h"

namespace aclnn {

/// A set of element types.
class TypeSet {
 public:
  constexpr TypeSet() = default;
  constexpr TypeSet(std::initializer_list<aclDataType> types) {
    for (const aclDataType type : types) bits_ |= bit(type);
  }
  constexpr bool has(aclDataType type) const { return (bits_ & bit(type)) != 0; }
  constexpr TypeSet operator|(TypeSet other) const {
    TypeSet both;
    both.bits_ = bits_ | other.bits_;
    return both;
  }
  constexpr TypeSet without(TypeSet other) const {
    TypeSet rest;
    rest.bits_ = bits_ & ~other.bits_;
    return rest;
  }

 private:
  static constexpr std::uint64_t bit(aclDataType type) {
    const auto number = static_cast<int>(type);  // a program may pass any number
    return number >= 0 && number < 64 ? std::uint64_t{1} << number : 0;
  }
  std::uint64_t bits_ = 0;
};

// Short names for the rows of operators: f of floats, i of signed integers.
inline constexpr TypeSet kHalves{ACL_FLOAT16, ACL_BF16};
inline constexpr TypeSet kFloats = kHalves | TypeSet{ACL_FLOAT};      // f32 f16 bf16
inline constexpr TypeSet kAllFloats = kFloats | TypeSet{ACL_DOUBLE};  // and f64
inline constexpr TypeSet kSigned{ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64};
inline constexpr TypeSet kIntegers = kSigned | TypeSet{ACL_UINT8};  // i8 u8 i16 i32 i64
inline constexpr TypeSet kWideUnsigned{ACL_UINT16, ACL_UINT32, ACL_UINT64};
inline constexpr TypeSet kBool{ACL_BOOL};
inline constexpr TypeSet kComplex{ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr TypeSet kReals = kAllFloats | kIntegers | kBool;
inline constexpr TypeSet kNumbers = kReals | kComplex;  // most arithmetic accepts these
inline constexpr TypeSet kEvery = kNumbers | kWideUnsigned | TypeSet{ACL_COMPLEX32};
inline constexpr TypeSet kIndexes{ACL_INT32, ACL_INT64};

/// Bits of an element; 0 for types that have no elements here.
int bits_of(aclDataType type) noexcept;
/// Bytes of an element: 0 for types without whole bytes (INT4).
inline std::size_t size_of(aclDataType type) noexcept {
  return static_cast<std::size_t>(bits_of(type)) / 8;
}
/// Types as text: "FLOAT16", "type 77" for an unknown type; "FLOAT, FLOAT16 or BF16". The text is
/// made when it is formatted, because most checks pass.
struct TypeName {
  aclDataType type;
};
struct TypeNames {
  TypeSet types;
};
inline TypeName name_of(aclDataType type) noexcept { return {type}; }
inline TypeNames names_of(TypeSet types) noexcept { return {types}; }
std::string text_of(TypeName name);
std::string text_of(TypeNames names);

bool is_float(aclDataType type) noexcept;    // f16 bf16 f32 f64
bool is_integer(aclDataType type) noexcept;  // without bool
bool is_complex(aclDataType type) noexcept;

/// The type in which two tensors are computed (the documented promotion of torch). False if the
/// types cannot be combined: u16, u32 and u64 with any other type.
bool promote(aclDataType a, aclDataType b, aclDataType& result) noexcept;
/// The type in which a tensor and a scalar are computed: the tensor's type, unless the scalar is of
/// a higher kind.
aclDataType promote_scalar(aclDataType tensor, aclDataType scalar) noexcept;
/// Whether a result of type `from` may be stored in an output of type `to`.
bool can_cast(aclDataType from, aclDataType to) noexcept;

/// The host type in which elements are computed; the parameter `ComputeType` of the loops.
enum class ComputeType : std::uint8_t {
  f32,  // f32 f16 bf16
  f64,
  i64,  // all integers but u64, and bool
  u64,
  c64,  // c64 and c32
  c128,
};
ComputeType compute_type_of(aclDataType type) noexcept;

/// Calls f with a value of the lane's type: float, double, int64_t, uint64_t, complex.
template <class F>
decltype(auto) with_compute_type(ComputeType lane, F&& f) {
  switch (lane) {
    case ComputeType::f32:
      return f(float{});
    case ComputeType::f64:
      return f(double{});
    case ComputeType::i64:
      return f(std::int64_t{});
    case ComputeType::u64:
      return f(std::uint64_t{});
    case ComputeType::c64:
      return f(std::complex<float>{});
    case ComputeType::c128:
      return f(std::complex<double>{});
  }
  return f(float{});
}

/// The same for floats only: anything else is computed as float.
template <class F>
decltype(auto) with_float_lane(ComputeType lane, F&& f) {
  return lane == ComputeType::f64 ? f(double{}) : f(float{});
}

}  // namespace aclnn

template <>
struct fmt::formatter<aclnn::TypeName> : fmt::formatter<std::string> {
  template <class Context>
  auto format(aclnn::TypeName name, Context& context) const {
    return fmt::formatter<std::string>::format(text_of(name), context);
  }
};
template <>
struct fmt::formatter<aclnn::TypeNames> : fmt::formatter<std::string> {
  template <class Context>
  auto format(aclnn::TypeNames names, Context& context) const {
    return fmt::formatter<std::string>::format(text_of(names), context);
  }
};
