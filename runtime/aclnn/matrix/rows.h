// SPDX-License-Identifier: Apache-2.0
// Rows of numbers that lie side by side.
#pragma once

#include <cstdint>

namespace aclnn {

/// sum of a[i] * b[i]
float dot(const float* a, const float* b, std::int64_t count) noexcept;
/// to[i] += factor * from[i]
void add_scaled(float factor, const float* from, float* to, std::int64_t count) noexcept;
/// row[i] = exp(row[i] - shift), and the sum of them. -infinity gives 0.
float exp_row(float* row, float shift, std::int64_t count) noexcept;

template <class T>
T dot(const T* a, const T* b, std::int64_t count) noexcept {
  T sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

template <class T>
void add_scaled(T factor, const T* from, T* to, std::int64_t count) noexcept {
  for (std::int64_t i = 0; i < count; ++i) to[i] += factor * from[i];
}

}  // namespace aclnn
