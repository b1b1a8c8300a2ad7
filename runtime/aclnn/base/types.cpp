// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/base/types.h"

#include <fmt/format.h>

#include <vector>

namespace aclnn {
namespace {

enum class Kind : std::uint8_t { none, boolean, integer, floating, complex };

struct TypeRow {
  aclDataType type;
  const char* name;
  int bits;
  Kind kind;
};

constexpr TypeRow kTypes[] = {
    {ACL_FLOAT, "FLOAT", 32, Kind::floating},
    {ACL_FLOAT16, "FLOAT16", 16, Kind::floating},
    {ACL_BF16, "BF16", 16, Kind::floating},
    {ACL_DOUBLE, "DOUBLE", 64, Kind::floating},
    {ACL_INT8, "INT8", 8, Kind::integer},
    {ACL_UINT8, "UINT8", 8, Kind::integer},
    {ACL_INT16, "INT16", 16, Kind::integer},
    {ACL_UINT16, "UINT16", 16, Kind::integer},
    {ACL_INT32, "INT32", 32, Kind::integer},
    {ACL_UINT32, "UINT32", 32, Kind::integer},
    {ACL_INT64, "INT64", 64, Kind::integer},
    {ACL_UINT64, "UINT64", 64, Kind::integer},
    {ACL_BOOL, "BOOL", 8, Kind::boolean},
    {ACL_COMPLEX32, "COMPLEX32", 32, Kind::complex},
    {ACL_COMPLEX64, "COMPLEX64", 64, Kind::complex},
    {ACL_COMPLEX128, "COMPLEX128", 128, Kind::complex},
    {ACL_INT4, "INT4", 4, Kind::integer},
};

const TypeRow* row_of(aclDataType type) noexcept {
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

Kind kind_of(aclDataType type) noexcept {
  const TypeRow* const row = row_of(type);
  return row ? row->kind : Kind::none;
}

bool is_wide_unsigned(aclDataType type) noexcept { return kWideUnsigned.has(type); }

aclDataType wider_float(aclDataType a, aclDataType b) noexcept {
  if (a == b) return a;
  if (a == ACL_DOUBLE || b == ACL_DOUBLE) return ACL_DOUBLE;
  return ACL_FLOAT;  // of two halves that differ, too
}

aclDataType wider_integer(aclDataType a, aclDataType b) noexcept {
  if (a == b) return a;
  const int bits_a = bits_of(a), bits_b = bits_of(b);
  if (bits_a == bits_b) return ACL_INT16;  // i8 with u8
  return bits_a > bits_b ? a : b;
}

// The complex type whose parts hold a float of this type.
aclDataType complex_of(aclDataType real) noexcept {
  if (real == ACL_DOUBLE) return ACL_COMPLEX128;
  return real == ACL_FLOAT16 ? ACL_COMPLEX32 : ACL_COMPLEX64;
}

aclDataType promote_complex(aclDataType a, aclDataType b) noexcept {
  const auto part = [](aclDataType type) {
    if (type == ACL_COMPLEX128) return ACL_DOUBLE;
    if (type == ACL_COMPLEX64) return ACL_FLOAT;
    if (type == ACL_COMPLEX32) return ACL_FLOAT16;
    if (kind_of(type) == Kind::floating) return type;
    return ACL_DT_UNDEFINED;  // integers do not determine the precision
  };
  const aclDataType left = part(a), right = part(b);
  if (left == ACL_DT_UNDEFINED) return complex_of(right);
  if (right == ACL_DT_UNDEFINED) return complex_of(left);
  return complex_of(wider_float(left, right));
}

}  // namespace

int bits_of(aclDataType type) noexcept {
  const TypeRow* const row = row_of(type);
  return row ? row->bits : 0;
}

std::string text_of(TypeName name) {
  const TypeRow* const row = row_of(name.type);
  return row ? row->name : fmt::format("{}", static_cast<int>(name.type));
}

std::string text_of(TypeNames set) {
  std::vector<const char*> names;
  for (const TypeRow& row : kTypes) {
    if (set.types.has(row.type)) names.push_back(row.name);
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

bool is_float(aclDataType type) noexcept { return kind_of(type) == Kind::floating; }
bool is_integer(aclDataType type) noexcept { return kind_of(type) == Kind::integer; }
bool is_complex(aclDataType type) noexcept { return kind_of(type) == Kind::complex; }

bool promote(aclDataType a, aclDataType b, aclDataType& result) noexcept {
  result = a;
  const Kind left = kind_of(a), right = kind_of(b);
  if (left == Kind::none || right == Kind::none) return false;
  if (a == b) return true;
  if (is_wide_unsigned(a) || is_wide_unsigned(b)) return false;
  if (left == Kind::complex || right == Kind::complex) {
    result = promote_complex(a, b);
  } else if (left == right) {
    result = left == Kind::floating ? wider_float(a, b) : wider_integer(a, b);
  } else {
    result = left > right ? a : b;
  }
  return true;
}

aclDataType promote_scalar(aclDataType tensor, aclDataType scalar) noexcept {
  const Kind own = kind_of(tensor), other = kind_of(scalar);
  if (own >= other) return tensor;
  if (other == Kind::complex) return own == Kind::floating ? complex_of(tensor) : ACL_COMPLEX64;
  return other == Kind::floating ? ACL_FLOAT : scalar;
}

bool can_cast(aclDataType from, aclDataType to) noexcept {
  const Kind left = kind_of(from), right = kind_of(to);
  if (left == Kind::none || right == Kind::none) return false;
  if (left == right || left == Kind::boolean) return true;
  if (right == Kind::boolean) return false;
  if (left == Kind::complex) return right == Kind::floating;
  return true;
}

ComputeType compute_type_of(aclDataType type) noexcept {
  switch (type) {
    case ACL_DOUBLE:
      return ComputeType::f64;
    case ACL_UINT64:
      return ComputeType::u64;
    case ACL_COMPLEX32:
    case ACL_COMPLEX64:
      return ComputeType::c64;
    case ACL_COMPLEX128:
      return ComputeType::c128;
    default:
      return is_float(type) ? ComputeType::f32 : ComputeType::i64;
  }
}

}  // namespace aclnn
