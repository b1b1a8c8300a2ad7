// SPDX-License-Identifier: Apache-2.0
// Rows of contiguous numbers.
#pragma once

#include <cstdint>

namespace aclnn {

/// sum of a[i] * b[i]
float dot(const float* a, const float* b, std::int64_t count) noexcept;
/// to[i] += sum of factors[r] * from[r * step + i] over `rows` rows
void add_rows(const float* factors, const float* from, std::int64_t step, std::int64_t rows,
              float* to, std::int64_t count) noexcept;
/// row[i] = exp(row[i] - shift), and the sum of them. -infinity gives 0.
float exp_row(float* row, float shift, std::int64_t count) noexcept;

template <class T>
T dot(const T* a, const T* b, std::int64_t count) noexcept {
  T sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

template <class T>
void add_rows(const T* factors, const T* from, std::int64_t step, std::int64_t rows, T* to,
              std::int64_t count) noexcept {
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t i = 0; i < count; ++i) to[i] += factors[r] * from[r * step + i];
  }
}

}  // namespace aclnn
