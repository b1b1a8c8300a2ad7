// SPDX-License-Identifier: Apache-2.0
// Common code of the operators that multiply matrices.
#pragma once

#include <cstdint>

#include "runtime/aclnn/matrix/product.h"
#include "runtime/aclnn/operators/lanes.h"
#include "runtime/aclnn/plan/planner.h"

namespace aclnn {

/// How products may be rounded: they never are before the end here, so all that counts is the
/// range.
inline void require_cube_math(std::int8_t type) {
  require(type >= 0 && type <= 4, "cubeMathType is {}; expected 0 to 4", static_cast<int>(type));
}

/// A type that products of both are computed in: f32 for all short floats.
inline void require_inner(const Planner& p, const View& a, const View& b) {
  const std::int64_t k = a.size(a.rank() - 1), rows = b.size(b.rank() - 2);
  require(k == rows, "{} has the shape {}; expected {} rows, as {} has the shape {}", p.name(b),
          b.shape.text(), k, p.name(a), a.shape.text());
}

/// [batch..., m, n] of two operands [batch..., m, k] and [batch..., k, n], whose batch dims
/// broadcast. Both become as the result wants them.
inline Shape expand_matrices(const Planner& p, View& a, View& b) {
  require_inner(p, a, b);
  Shape left, right, batch;
  for (int d = 0; d + 2 < a.rank(); ++d) left.append(a.size(d));
  for (int d = 0; d + 2 < b.rank(); ++d) right.append(b.size(d));
  require(broadcast(left, right, batch),
          "{} has the shape {} and {} has {}; their batches do not broadcast to one shape",
          p.name(a), a.shape.text(), p.name(b), b.shape.text());
  const auto expand = [&batch](View& view) {
    Shape to = batch;
    to.append(view.size(view.rank() - 2));
    to.append(view.size(view.rank() - 1));
    view = view.expanded(to);
  };
  expand(a);
  expand(b);
  Shape result = batch;
  result.append(a.size(a.rank() - 2));
  result.append(b.size(b.rank() - 1));
  return result;
}

/// tile = alpha * tile + beta * self, where self has the output's shape and `dims` batch dims.
template <class T>
FinishTile<T> scaled_sum(const View& self, int dims, T alpha, T beta) {
  return [=](Execution& run, const Tile& block, T* tile) {
    thread_local std::vector<T> scratch;
    T* const row = room(scratch, block.columns);
    const Data data = run.at(self);
    for (std::int64_t i = 0; i < block.rows; ++i) {
      T* const to = tile + i * block.columns;
      if (beta == T(0)) {  // a NaN in the addend has no effect then
        for (std::int64_t j = 0; j < block.columns; ++j) to[j] = alpha * to[j];
        continue;
      }
      load_row_of(data, dims, block.batch, block.row + i, block.column, block.columns, row);
      for (std::int64_t j = 0; j < block.columns; ++j) to[j] = alpha * to[j] + beta * row[j];
    }
  };
}

}  // namespace aclnn
