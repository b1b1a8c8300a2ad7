// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/dump/npy.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace acl {
namespace {

struct NpyRow {
  aclDataType type;
  const char* name;  // NumPy's
  std::size_t size;  // bytes of one element
};

constexpr NpyRow kNpyTypes[] = {
    {ACL_FLOAT, "<f4", 4},     {ACL_FLOAT16, "<f2", 2},      {ACL_INT8, "|i1", 1},
    {ACL_INT32, "<i4", 4},     {ACL_UINT8, "|u1", 1},        {ACL_INT16, "<i2", 2},
    {ACL_UINT16, "<u2", 2},    {ACL_UINT32, "<u4", 4},       {ACL_INT64, "<i8", 8},
    {ACL_UINT64, "<u8", 8},    {ACL_DOUBLE, "<f8", 8},       {ACL_BOOL, "|b1", 1},
    {ACL_COMPLEX64, "<c8", 8}, {ACL_COMPLEX128, "<c16", 16},
};

bool fits(const std::vector<std::uint64_t>& shape, std::size_t element, std::size_t size) {
  std::size_t bytes = element;
  for (const std::uint64_t extent : shape) {
    if (extent != 0 && bytes > std::numeric_limits<std::size_t>::max() / extent) return false;
    bytes *= extent;
  }
  return bytes == size;
}

std::string header(const char* type, const std::vector<std::uint64_t>& shape) {
  std::string extents;
  for (const std::uint64_t extent : shape) extents += fmt::format("{},", extent);
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, extents);
  constexpr std::size_t kBefore = 10;  // magic, version and length
  text.append(63 - (kBefore + text.size()) % 64, ' ');
  text += '\n';
  std::string whole("\x93NUMPY\x01\x00", 8);
  whole += static_cast<char>(text.size() & 0xff);
  whole += static_cast<char>(text.size() >> 8);
  return whole + text;
}

}  // namespace

std::string npy_header(aclDataType type, const std::vector<std::uint64_t>& shape,
                       std::size_t size) {
  for (const NpyRow& row : kNpyTypes) {
    if (row.type == type && fits(shape, row.size, size)) return header(row.name, shape);
  }
  return header("|u1", {size});
}

}  // namespace acl
