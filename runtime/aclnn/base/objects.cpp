// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/base/objects.h"

#include <cstring>
#include <limits>

#include "runtime/aclnn/base/formats.h"

namespace aclnn {
namespace {

template <class T>
T read(const void* value) noexcept {
  T result;
  std::memcpy(&result, value, sizeof result);
  return result;
}

std::int64_t truncated(double value) noexcept {
  constexpr double kLimit = 0x1p63;
  if (!(value > -kLimit)) return value == value ? std::numeric_limits<std::int64_t>::min() : 0;
  return value < kLimit ? static_cast<std::int64_t>(value)
                        : std::numeric_limits<std::int64_t>::max();
}

std::complex<double> number_at(const void* value, aclDataType type) noexcept {
  switch (type) {
    case ACL_FLOAT:
      return static_cast<double>(read<float>(value));
    case ACL_FLOAT16:
      return static_cast<double>(float_of_f16(read<std::uint16_t>(value)));
    case ACL_BF16:
      return static_cast<double>(float_of_bf16(read<std::uint16_t>(value)));
    case ACL_DOUBLE:
      return read<double>(value);
    case ACL_COMPLEX64:
      return std::complex<double>(read<std::complex<float>>(value));
    case ACL_COMPLEX128:
      return read<std::complex<double>>(value);
    case ACL_COMPLEX32: {
      const auto parts = read<std::uint32_t>(value);
      return {static_cast<double>(float_of_f16(static_cast<std::uint16_t>(parts))),
              static_cast<double>(float_of_f16(static_cast<std::uint16_t>(parts >> 16)))};
    }
    default:
      return 0;
  }
}

std::int64_t integer_at(const void* value, aclDataType type) noexcept {
  switch (type) {
    case ACL_INT8:
      return read<std::int8_t>(value);
    case ACL_UINT8:
      return read<std::uint8_t>(value);
    case ACL_INT16:
      return read<std::int16_t>(value);
    case ACL_UINT16:
      return read<std::uint16_t>(value);
    case ACL_INT32:
      return read<std::int32_t>(value);
    case ACL_UINT32:
      return read<std::uint32_t>(value);
    case ACL_BOOL:
      return read<std::uint8_t>(value) != 0;
    default:
      return read<std::int64_t>(value);
  }
}

}  // namespace

aclScalar scalar_at(const void* value, aclDataType type) noexcept {
  aclScalar scalar;
  scalar.type = type;
  if (bits_of(type) < 8) return scalar;
  if (is_integer(type) || type == ACL_BOOL) {
    scalar.integer = integer_at(value, type);
    scalar.number = type == ACL_UINT64
                        ? static_cast<double>(static_cast<std::uint64_t>(scalar.integer))
                        : static_cast<double>(scalar.integer);
  } else {
    scalar.number = number_at(value, type);
    scalar.integer = truncated(scalar.number.real());
  }
  return scalar;
}

}  // namespace aclnn
