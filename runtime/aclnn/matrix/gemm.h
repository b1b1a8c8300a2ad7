// SPDX-License-Identifier: Apache-2.0
// Matrix products of plain rows and columns.
#pragma once

#include <cstdint>

namespace aclnn {

/// A matrix in the host's memory: element (i, j) at data[i * row + j * column].
template <class T>
struct Matrix {
  const T* data;
  std::int64_t row;
  std::int64_t column;
};

/// c[m,n] = a[m,k] @ b[k,n], or c += with `add`. Rows of c are `c_row` elements apart, its columns
/// are contiguous. Single-threaded: callers cut the product into tiles. An operand without a step
/// of 1 is packed first.
void gemm(std::int64_t m, std::int64_t n, std::int64_t k, const Matrix<float>& a,
          const Matrix<float>& b, float* c, std::int64_t c_row, bool add);
void gemm(std::int64_t m, std::int64_t n, std::int64_t k, const Matrix<double>& a,
          const Matrix<double>& b, double* c, std::int64_t c_row, bool add);

}  // namespace aclnn
