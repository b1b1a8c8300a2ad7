// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/operators/matrix/quant_weights.h"

#include <algorithm>
#include <cmath>

#include "runtime/aclnn/loops/convert.h"

namespace aclnn {
namespace {

/// Scales or offsets of weights [k, n] as [groups, n], where each group holds so many rows.
View group_view(const Planner& p, const View& given, std::int64_t groups, std::int64_t n) {
  p.require_rank(given, 1, 2);
  const View rows = given.rank() == 1 ? given.with_unit(0) : given;
  const Shape expected{groups, n};
  require(rows.shape == expected || (groups == 1 && rows.count() == 1),
          "{} has the shape {}; expected {}", p.name(given), given.shape.text(), expected.text());
  return rows.expanded(expected);
}

}  // namespace

Matrix<float> QuantWeights::load(Execution& run, const Tile& block,
                                 std::vector<float>& scratch) const {
  float* const to = room(scratch, block.rows * block.columns);
  const std::int64_t line = along_rows ? block.rows : block.columns;
  const std::int64_t lines = along_rows ? block.columns : block.rows;
  for (std::int64_t i = 0; i < lines; ++i) {
    const std::int64_t row = along_rows ? block.row : block.row + i;
    const std::int64_t column = along_rows ? block.column + i : block.column;
    load_line(run, row, column, line, to + i * line);
  }
  scale_lines(run, block, to);
  return along_rows ? Matrix<float>{to, 1, line} : Matrix<float>{to, line, 1};
}

void QuantWeights::load_line(Execution& run, std::int64_t row, std::int64_t column,
                             std::int64_t count, float* to) const {
  if (nibbles) return nibbles.load(run, row, column, count, along_rows, to);
  const Data data = run.at(bytes);
  load_row<float>(bytes.type)(data.at + row * bytes.stride(0) + column * bytes.stride(1),
                              bytes.stride(along_rows ? 0 : 1), to, count);
}

void QuantWeights::scale_lines(Execution& run, const Tile& block, float* to) const {
  thread_local std::vector<float> scales, offsets;
  const std::int64_t first = block.row / group, last = (block.row + block.rows - 1) / group;
  const Tile part{0, first, last - first + 1, block.column, block.columns};
  const Matrix<float> s = load_block(run.at(scale), part, scales);
  Matrix<float> o{nullptr, 0, 0};
  if (offset) o = load_block(run.at(offset), part, offsets);
  for (std::int64_t i = 0; i < block.rows;) {  // runs of rows of one group
    const std::int64_t g = (block.row + i) / group - first;
    const std::int64_t end = std::min(block.rows, (g + first + 1) * group - block.row);
    for (std::int64_t j = 0; j < block.columns && along_rows; ++j) {
      const float factor = s.data[g * s.row + j * s.column];
      const float more = o.data ? o.data[g * o.row + j * o.column] : 0.0F;
      float* const line = to + j * block.rows;
      for (std::int64_t r = i; r < end; ++r) line[r] = (line[r] + more) * factor;
    }
    for (std::int64_t r = i; r < end && !along_rows; ++r) {
      float* const line = to + r * block.columns;
      for (std::int64_t j = 0; j < block.columns; ++j) {
        const float more = o.data ? o.data[g * o.row + j * o.column] : 0.0F;
        line[j] = (line[j] + more) * s.data[g * s.row + j * s.column];
      }
    }
    i = end;
  }
}

QuantWeights quant_weights(const Planner& p, const View& weight, const View& scale,
                           const View& offset, std::int64_t k, std::int64_t n, std::int64_t group) {
  QuantWeights weights;
  if (weight.type == ACL_INT8) {
    p.require_shape(weight, Shape{k, n});
    weights.bytes = weight;
    weights.along_rows = std::abs(weight.stride(0)) < std::abs(weight.stride(1));
  } else {
    weights.nibbles = Nibbles(p, weight, k, n);
    weights.along_rows = weights.nibbles.along_rows();
  }
  weights.group = std::max<std::int64_t>(group == 0 ? k : group, 1);  // k may be 0
  const std::int64_t groups = (k + weights.group - 1) / weights.group;
  weights.scale = group_view(p, scale, groups, n);
  if (offset) weights.offset = group_view(p, offset, groups, n);
  return weights;
}

}  // namespace aclnn
