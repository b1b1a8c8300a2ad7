// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_base_rt.h"
#include "runtime/acl/compute/half_float.h"

namespace {

struct TypeRow {
  aclDataType type;
  size_t bytes;
};

// A single element smaller than a byte takes one byte. Strings have no size of their own.
constexpr TypeRow kTypeRows[] = {
    {ACL_FLOAT, 4},         {ACL_FLOAT16, 2},     {ACL_INT8, 1},        {ACL_INT32, 4},
    {ACL_UINT8, 1},         {ACL_INT16, 2},       {ACL_UINT16, 2},      {ACL_UINT32, 4},
    {ACL_INT64, 8},         {ACL_UINT64, 8},      {ACL_DOUBLE, 8},      {ACL_BOOL, 1},
    {ACL_COMPLEX64, 8},     {ACL_COMPLEX128, 16}, {ACL_BF16, 2},        {ACL_INT4, 1},
    {ACL_UINT1, 1},         {ACL_COMPLEX32, 4},   {ACL_HIFLOAT8, 1},    {ACL_FLOAT8_E5M2, 1},
    {ACL_FLOAT8_E4M3FN, 1}, {ACL_FLOAT8_E8M0, 1}, {ACL_FLOAT6_E3M2, 1}, {ACL_FLOAT6_E2M3, 1},
    {ACL_FLOAT4_E2M1, 1},   {ACL_FLOAT4_E1M2, 1},
};

}  // namespace

extern "C" {

size_t aclDataTypeSize(aclDataType dataType) {
  for (const TypeRow& row : kTypeRows) {
    if (row.type == dataType) return row.bytes;
  }
  return 0;
}

float aclFloat16ToFloat(aclFloat16 value) { return acl::widen_half(value); }

aclFloat16 aclFloatToFloat16(float value) { return acl::narrow_to_half(value); }

}  // extern "C"
