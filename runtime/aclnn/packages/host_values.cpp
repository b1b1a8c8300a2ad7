// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/packages/host_values.h"

#include "runtime/aclnn/base/formats.h"

namespace aclnn::packages {
namespace {

template <class T>
void append_bytes(const T& value, std::vector<std::byte>& to) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof value);
}

/// `Value` has as<T>().
template <class Value>
bool append_as(const Value& value, aclDataType type, std::vector<std::byte>& to) {
  switch (type) {
    case ACL_FLOAT:
      return append_bytes(value.template as<float>(), to), true;
    case ACL_DOUBLE:
      return append_bytes(value.template as<double>(), to), true;
    case ACL_FLOAT16:
      return append_bytes(f16_of_float(value.template as<float>()), to), true;
    case ACL_BF16:
      return append_bytes(bf16_of_float(value.template as<float>()), to), true;
    case ACL_BOOL:
      return append_bytes(value.template as<double>() != 0, to), true;
    case ACL_INT8:
      return append_bytes(value.template as<std::int8_t>(), to), true;
    case ACL_UINT8:
      return append_bytes(value.template as<std::uint8_t>(), to), true;
    case ACL_INT16:
      return append_bytes(value.template as<std::int16_t>(), to), true;
    case ACL_UINT16:
      return append_bytes(value.template as<std::uint16_t>(), to), true;
    case ACL_INT32:
      return append_bytes(value.template as<std::int32_t>(), to), true;
    case ACL_UINT32:
      return append_bytes(value.template as<std::uint32_t>(), to), true;
    case ACL_INT64:
      return append_bytes(value.template as<std::int64_t>(), to), true;
    case ACL_UINT64:
      return append_bytes(value.template as<std::uint64_t>(), to), true;
    default:
      return false;
  }
}

template <class Element>
struct Number {
  Element number;
  template <class T>
  T as() const noexcept {
    return static_cast<T>(number);
  }
};

template <class Element>
bool append_all(const std::vector<Element>& values, aclDataType type, std::vector<std::byte>& to) {
  for (const Element& value : values) {
    if (!append_as(Number<Element>{value}, type, to)) return false;
  }
  return true;
}

}  // namespace

bool append(const aclScalar& scalar, aclDataType type, std::vector<std::byte>& to) {
  return append_as(scalar, type, to);
}
bool append(const std::vector<std::int64_t>& values, aclDataType type, std::vector<std::byte>& to) {
  return append_all(values, type, to);
}
bool append(const std::vector<float>& values, aclDataType type, std::vector<std::byte>& to) {
  return append_all(values, type, to);
}
bool append(const std::vector<char>& values, aclDataType type, std::vector<std::byte>& to) {
  return append_all(values, type, to);
}

}  // namespace aclnn::packages
