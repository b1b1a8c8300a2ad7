// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/base/types.h"

#include <iterator>

namespace hccl {
namespace {

struct TypeRow {
  HcclDataType type;
  const char* name;
  std::size_t size;
  bool reduces;
  bool multiplies;
};

constexpr TypeRow kTypes[] = {
    {HCCL_DATA_TYPE_INT8, "int8", 1, true, true},
    {HCCL_DATA_TYPE_INT16, "int16", 2, true, false},
    {HCCL_DATA_TYPE_INT32, "int32", 4, true, true},
    {HCCL_DATA_TYPE_FP16, "fp16", 2, true, true},
    {HCCL_DATA_TYPE_FP32, "fp32", 4, true, true},
    {HCCL_DATA_TYPE_INT64, "int64", 8, true, true},
    {HCCL_DATA_TYPE_UINT64, "uint64", 8, true, true},
    {HCCL_DATA_TYPE_UINT8, "uint8", 1, false, false},
    {HCCL_DATA_TYPE_UINT16, "uint16", 2, false, false},
    {HCCL_DATA_TYPE_UINT32, "uint32", 4, false, false},
    {HCCL_DATA_TYPE_FP64, "fp64", 8, true, true},
    {HCCL_DATA_TYPE_BFP16, "bfp16", 2, true, false},
    {HCCL_DATA_TYPE_HIF8, "hif8", 1, false, false},
    {HCCL_DATA_TYPE_FP8E4M3, "fp8e4m3", 1, false, false},
    {HCCL_DATA_TYPE_FP8E5M2, "fp8e5m2", 1, false, false},
    {HCCL_DATA_TYPE_FP8E8M0, "fp8e8m0", 1, false, false},
};

const TypeRow* row_of(HcclDataType type) noexcept {
  const auto at = static_cast<std::size_t>(type);
  // most types are stored at their own index
  if (at < std::size(kTypes) && kTypes[at].type == type) return &kTypes[at];
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

}  // namespace

std::size_t size_of(HcclDataType type) noexcept {
  const TypeRow* const row = row_of(type);
  return row ? row->size : 0;
}

const char* name_of(HcclDataType type) noexcept {
  const TypeRow* const row = row_of(type);
  return row ? row->name : "?";
}

const char* name_of(HcclReduceOp op) noexcept {
  switch (op) {
    case HCCL_REDUCE_SUM:
      return "sum";
    case HCCL_REDUCE_PROD:
      return "prod";
    case HCCL_REDUCE_MAX:
      return "max";
    case HCCL_REDUCE_MIN:
      return "min";
    default:
      return "?";
  }
}

bool reducible(HcclDataType type, HcclReduceOp op) noexcept {
  const TypeRow* const row = row_of(type);
  if (!row || !row->reduces) return false;
  switch (op) {
    case HCCL_REDUCE_SUM:
    case HCCL_REDUCE_MAX:
    case HCCL_REDUCE_MIN:
      return true;
    case HCCL_REDUCE_PROD:
      return row->multiplies;
    default:
      return false;
  }
}

bool is_integer(HcclDataType type) noexcept {
  switch (type) {
    case HCCL_DATA_TYPE_INT8:
    case HCCL_DATA_TYPE_INT16:
    case HCCL_DATA_TYPE_INT32:
    case HCCL_DATA_TYPE_INT64:
    case HCCL_DATA_TYPE_UINT8:
    case HCCL_DATA_TYPE_UINT16:
    case HCCL_DATA_TYPE_UINT32:
    case HCCL_DATA_TYPE_UINT64:
      return true;
    default:
      return false;
  }
}

}  // namespace hccl
