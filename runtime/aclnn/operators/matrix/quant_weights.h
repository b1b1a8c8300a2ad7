// SPDX-License-Identifier: Apache-2.0
// Weights in few bits, by groups of rows that share a scale.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/aclnn/operators/matrix/common.h"
#include "runtime/aclnn/operators/matrix/nibbles.h"

namespace aclnn {

/// Weights as the product wants them: (weight + offset) * scale.
struct QuantWeights {
  Nibbles nibbles;     // the numbers in memory
  View bytes;          // or i8
  View scale, offset;  // [groups, n]; the offset may be false
  std::int64_t group;  // rows
  bool along_rows;

  Matrix<float> load(Execution& run, const Tile& block, std::vector<float>& scratch) const;

 private:
  void load_line(Execution& run, std::int64_t row, std::int64_t column, std::int64_t count,
                 float* to) const;
  void scale_lines(Execution& run, const Tile& block, float* to) const;
};

/// The weights [k, n] with a scale (and an offset, unless it is false) for each `group` rows, or
/// for all rows if `group` is 0.
QuantWeights quant_weights(const Planner& p, const View& weight, const View& scale,
                           const View& offset, std::int64_t k, std::int64_t n, std::int64_t group);

}  // namespace aclnn
