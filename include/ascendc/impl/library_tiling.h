/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The temporary memory that host code asks for: Get...MaxMinTmpSize. Less than minValue bytes end
 * the kernel; more than maxValue are not used. C++11.
 */
#ifndef ASCENDC_IMPL_LIBRARY_TILING_H_
#define ASCENDC_IMPL_LIBRARY_TILING_H_

#include "ascendc/impl/library_sizes.h"
#include "graph/tensor.h"

namespace platform_ascendc {
class PlatformAscendC;
}

namespace AscendC {

typedef ge::Shape TensorShape;
typedef ge::DataType TensorDataType;

}  // namespace AscendC

namespace aclsim_library {

using AscendC::TensorShape;
using platform_ascendc::PlatformAscendC;

inline uint64_t elements_of(const TensorShape& shape) {
  const int64_t size = shape.GetShapeSize();
  return size > 0 ? static_cast<uint64_t>(size) : 1;
}

/* An axis of a shape; 1 for one that the shape does not have. */
inline uint64_t axis_of(const TensorShape& shape, size_t axis) {
  const int64_t size = axis < shape.GetDimNum() ? shape.GetDim(axis) : 1;
  return size > 0 ? static_cast<uint64_t>(size) : 1;
}

inline void put_sizes(uint64_t most, uint64_t least, uint32_t& max_value, uint32_t& min_value) {
  max_value = most > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(most);
  min_value = least > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(least);
}

/* The sizes of the rows. */
inline void row_sizes(uint16_t function, const TensorShape& shape, uint32_t type_size,
                      uint32_t& max_value, uint32_t& min_value) {
  put_sizes(most_temporary(function, elements_of(shape), type_size), least_temporary(function),
            max_value, min_value);
}

}  // namespace aclsim_library

#endif /* ASCENDC_IMPL_LIBRARY_TILING_H_ */
