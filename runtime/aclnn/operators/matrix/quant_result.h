// SPDX-License-Identifier: Apache-2.0
// Converts sums of 8-bit products into the type of the result.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/operators/matrix/common.h"

namespace aclnn {

/// A number of a vector, or its only one. Scales in 64 bits are a float in the lower ones.
inline double vector_at(Execution& run, const View& vector, std::int64_t i) {
  const View one = vector.selected(0, vector.size(0) == 1 ? 0 : i);
  const bool wide = one.type == ACL_INT64 || one.type == ACL_UINT64;
  return load_one<double>(run.at(one).at, wide ? ACL_FLOAT : one.type);
}

/// The processing of the exact sums: an integer bias is added before the scales, a float bias after
/// them.
struct QuantResult {
  View scale, offset, token_scale, bias;  // but for the scale they may be false
  bool bytes, scaled;

  void operator()(Execution& run, const Tile& block, double* tile) const {
    const bool early = bias && bias.type == ACL_INT32;
    thread_local std::vector<double> tokens;
    tokens.assign(static_cast<std::size_t>(block.rows), 1.0);
    for (std::int64_t i = 0; i < block.rows && token_scale; ++i) {
      tokens[static_cast<std::size_t>(i)] = vector_at(run, token_scale, block.row + i);
    }
    for (std::int64_t j = 0; j < block.columns; ++j) {
      const std::int64_t column = block.column + j;
      const double more = bias ? vector_at(run, bias, column) : 0.0;
      const double factor = scaled ? vector_at(run, scale, column) : 1.0;
      const double add = offset ? vector_at(run, offset, column) : 0.0;
      for (std::int64_t i = 0; i < block.rows; ++i) {
        double& value = tile[i * block.columns + j];
        if (early) value += more;
        value *= factor * tokens[static_cast<std::size_t>(i)];
        if (bias && !early) value += more;
        if (bytes) value = std::clamp(std::nearbyint(value + add), -128.0, 127.0);
      }
    }
  }
};

}  // namespace aclnn
