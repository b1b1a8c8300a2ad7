// SPDX-License-Identifier: Apache-2.0
#include "data.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "options.h"

namespace bandwidth {
namespace {

template <class T>
void put(double value, void* to) {
  const T raw = static_cast<T>(value);
  std::memcpy(to, &raw, sizeof raw);
}

template <class T>
double get(const void* from) {
  T raw;
  std::memcpy(&raw, from, sizeof raw);
  return static_cast<double>(raw);
}

// For small whole numbers only, which need no rounding.
uint16_t half_of(double value) {
  if (value == 0) return 0;
  const int exponent = std::ilogb(value);
  const double fraction = value / std::ldexp(1.0, exponent) - 1;
  return static_cast<uint16_t>(((exponent + 15) << 10) | static_cast<int>(fraction * 1024));
}

double of_half(uint16_t half) {
  const int exponent = (half >> 10) & 31;
  const double fraction = (half & 1023) / 1024.0;
  const double size =
      exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
  return (half & 0x8000) != 0 ? -size : size;
}

uint16_t bfloat_of(double value) {
  const float wide = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &wide, sizeof bits);
  return static_cast<uint16_t>(bits >> 16);
}

double of_bfloat(uint16_t half) {
  const uint32_t bits = static_cast<uint32_t>(half) << 16;
  float wide;
  std::memcpy(&wide, &bits, sizeof wide);
  return static_cast<double>(wide);
}

}  // namespace

void store(HcclDataType type, double value, void* to) {
  const uint16_t half = type == HCCL_DATA_TYPE_FP16 ? half_of(value) : bfloat_of(value);
  switch (type) {
    case HCCL_DATA_TYPE_INT8:
      return put<int8_t>(value, to);
    case HCCL_DATA_TYPE_INT16:
      return put<int16_t>(value, to);
    case HCCL_DATA_TYPE_INT32:
      return put<int32_t>(value, to);
    case HCCL_DATA_TYPE_INT64:
      return put<int64_t>(value, to);
    case HCCL_DATA_TYPE_UINT8:
      return put<uint8_t>(value, to);
    case HCCL_DATA_TYPE_UINT16:
      return put<uint16_t>(value, to);
    case HCCL_DATA_TYPE_UINT32:
      return put<uint32_t>(value, to);
    case HCCL_DATA_TYPE_UINT64:
      return put<uint64_t>(value, to);
    case HCCL_DATA_TYPE_FP32:
      return put<float>(value, to);
    case HCCL_DATA_TYPE_FP64:
      return put<double>(value, to);
    default:
      std::memcpy(to, &half, sizeof half);
  }
}

double load(HcclDataType type, const void* from) {
  switch (type) {
    case HCCL_DATA_TYPE_INT8:
      return get<int8_t>(from);
    case HCCL_DATA_TYPE_INT16:
      return get<int16_t>(from);
    case HCCL_DATA_TYPE_INT32:
      return get<int32_t>(from);
    case HCCL_DATA_TYPE_INT64:
      return get<int64_t>(from);
    case HCCL_DATA_TYPE_UINT8:
      return get<uint8_t>(from);
    case HCCL_DATA_TYPE_UINT16:
      return get<uint16_t>(from);
    case HCCL_DATA_TYPE_UINT32:
      return get<uint32_t>(from);
    case HCCL_DATA_TYPE_UINT64:
      return get<uint64_t>(from);
    case HCCL_DATA_TYPE_FP32:
      return get<float>(from);
    case HCCL_DATA_TYPE_FP64:
      return get<double>(from);
    default:
      break;
  }
  uint16_t half;
  std::memcpy(&half, from, sizeof half);
  return type == HCCL_DATA_TYPE_FP16 ? of_half(half) : of_bfloat(half);
}

Data::Data(HcclDataType type, HcclReduceOp op, uint32_t ranks)
    : op_(op), ranks_(ranks), values_(size_of(type) == 1 ? 2 : 4) {}

double Data::value(uint32_t rank, uint64_t index) const {
  if (op_ == HCCL_REDUCE_PROD) {
    return index % ranks_ == rank ? 1 + static_cast<double>(index % 3) : 1;
  }
  return static_cast<double>((index + rank) % values_);
}

double Data::reduced(uint64_t index) const {
  double result = value(0, index);
  for (uint32_t rank = 1; rank < ranks_; ++rank) {
    const double next = value(rank, index);
    if (op_ == HCCL_REDUCE_SUM) result += next;
    if (op_ == HCCL_REDUCE_PROD) result *= next;
    if (op_ == HCCL_REDUCE_MAX) result = std::max(result, next);
    if (op_ == HCCL_REDUCE_MIN) result = std::min(result, next);
  }
  return result;
}

}  // namespace bandwidth
