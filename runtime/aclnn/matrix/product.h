// SPDX-License-Identifier: Apache-2.0
// Products of matrices in tiles of the result. The caller supplies the numbers and processes
// finished tiles: weights in few bits, windows of images, sums with other tensors.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/aclnn/matrix/gemm.h"
#include "runtime/aclnn/plan/plan.h"
#include "runtime/aclnn/plan/planner.h"

namespace aclnn {

/// A rectangular part of one of several matrices.
struct Tile {
  std::int64_t batch = 0;
  std::int64_t row = 0, rows = 0;
  std::int64_t column = 0, columns = 0;
};

/// Room for `count` numbers, which keeps its size.
template <class T>
T* room(std::vector<T>& scratch, std::int64_t count) {
  if (scratch.size() < static_cast<std::size_t>(count))
    scratch.resize(static_cast<std::size_t>(count));
  return scratch.data();
}

/// The numbers of a block, in memory or in `scratch`.
template <class T>
using LoadTile =
    std::function<Matrix<T>(Execution& run, const Tile& block, std::vector<T>& scratch)>;

/// An operand of a product.
template <class T>
struct Source {
  LoadTile<T> load;
  bool in_place = false;    // blocks are not copied
  bool along_rows = false;  // elements of a column, not of a row, are contiguous
};

/// The matrices [batch..., rows, columns] of a view.
template <class T>
Source<T> source_of(const View& matrices);

/// A block of the matrix in `data`, whose view has two dims.
template <class T>
Matrix<T> load_block(const Data& data, const Tile& block, std::vector<T>& scratch);

/// The matrix with this number of [batch..., rows, columns].
View matrix_at(const View& matrices, std::int64_t batch);

/// Loads numbers [column, column + count) of row `row` of a tensor with the shape of an output.
/// `batch` is the index over its `dims` leading dims; row and column are the last two dims.
template <class T>
void load_row_of(const Data& data, int dims, std::int64_t batch, std::int64_t row,
                 std::int64_t column, std::int64_t count, T* to);

/// Changes a tile before it is stored. Its rows are `block.columns` apart.
template <class T>
using FinishTile = std::function<void(Execution& run, const Tile& block, T* tile)>;

/// out[b] = a[b] @ b[b] for each b.
template <class T>
struct Product {
  std::int64_t batches = 1, m = 0, n = 0, k = 0;
  Source<T> a, b;
  View out;  // [batches..., m, columns...]: the columns may be several dims
  int batch_dims = 0;
  FinishTile<T> finish;
};

/// A part of an operator's work.
struct Work {
  std::int64_t pieces = 0;
  Job job;
};

template <class T>
Work work_of(Product<T> product);

/// One after the other, or at the same time.
void plan_works(Planner& p, std::vector<Work> works);

/// c[m,n] = a @ b or += for matrices in host memory: few rows are multiplied directly, more by
/// gemm.
template <class T>
void multiply_rows(std::int64_t m, std::int64_t n, std::int64_t k, const Matrix<T>& a,
                   const Matrix<T>& b, T* c, std::int64_t c_row, bool add);

/// out = a @ b with equal batch dims in front, by views [batch..., rows, columns].
template <class T>
Work product_of_views(const View& a, const View& b, const View& out, FinishTile<T> finish = {});

}  // namespace aclnn
