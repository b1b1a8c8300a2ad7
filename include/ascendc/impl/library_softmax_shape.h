/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a matrix is cut into groups of rows for softmax: the tiling that host code computes, and that
 * a kernel may compute for another shape. C++11.
 */
#ifndef ASCENDC_IMPL_LIBRARY_SOFTMAX_SHAPE_H_
#define ASCENDC_IMPL_LIBRARY_SOFTMAX_SHAPE_H_

#include "ascendc/impl/library_sizes.h"
#include "ascendc/impl/library_tilings.h"

namespace aclsim_library {

/* The rows of a group: at most `most` fit into the temporary memory. A group of 8 rows or more has
 * a multiple of 8. */
ACLSIM_CONSTEXPR inline uint32_t softmax_group(uint32_t rows, uint64_t most) {
  if (most >= rows) return rows;
  if (most >= 8) return static_cast<uint32_t>(most - most % 8);
  return most == 0 ? 1 : static_cast<uint32_t>(most);
}

/* `block`: elements of a row of the maxima and sums. `row_bytes`: temporary memory of one row. */
template <typename Tiling>
ACLSIM_CONSTEXPR Tiling softmax_tiling(uint32_t rows, uint32_t columns, uint32_t block,
                                       uint64_t bytes, uint64_t row_bytes) {
  Tiling tiling{};
  const uint32_t group = softmax_group(rows, row_bytes == 0 ? rows : bytes / row_bytes);
  const uint32_t last = group == 0 ? 0 : rows % group;
  tiling.srcM = rows;
  tiling.srcK = columns;
  tiling.srcSize = rows * columns;
  tiling.outMaxM = rows;
  tiling.outMaxK = block;
  tiling.outMaxSize = rows * block;
  tiling.splitM = group;
  tiling.splitK = columns;
  tiling.splitSize = group * columns;
  tiling.reduceM = group;
  tiling.reduceK = block;
  tiling.reduceSize = group * block;
  tiling.rangeM = group == 0 ? 0 : rows / group;
  tiling.tailM = last;
  tiling.tailSplitSize = last * columns;
  tiling.tailReduceSize = last * block;
  return tiling;
}

}  // namespace aclsim_library

#endif /* ASCENDC_IMPL_LIBRARY_SOFTMAX_SHAPE_H_ */
