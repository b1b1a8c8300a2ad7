// SPDX-License-Identifier: Apache-2.0
// Sums of rows that lose little: floats in many short sums, which are joined in double.
#pragma once

#include <algorithm>
#include <cstdint>

namespace aclnn {

/// The sum of f(i) for i in [0, count). f gives floats; the compiler makes vectors of it.
template <class F>
double sum_floats(std::int64_t count, F f) {
  constexpr std::int64_t kBlock = 512, kSums = 16;
  double total = 0;
  for (std::int64_t first = 0; first < count; first += kBlock) {
    const std::int64_t end = std::min(count, first + kBlock);
    float sums[kSums] = {};
    std::int64_t i = first;
    for (; i + kSums <= end; i += kSums) {
      for (std::int64_t j = 0; j < kSums; ++j) sums[j] += f(i + j);
    }
    for (; i < end; ++i) total += static_cast<double>(f(i));
    for (const float sum : sums) total += static_cast<double>(sum);
  }
  return total;
}

template <class F>
double sum_doubles(std::int64_t count, F f) {
  constexpr std::int64_t kSums = 8;
  double sums[kSums] = {};
  std::int64_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (std::int64_t j = 0; j < kSums; ++j) sums[j] += f(i + j);
  }
  for (; i < count; ++i) sums[0] += f(i);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/// The sum of f(x) over a row, where f is called with numbers of the row's type.
template <class F>
double sum_of(const float* x, std::int64_t count, F f) {
  return sum_floats(count, [=](std::int64_t i) { return f(x[i]); });
}
template <class F>
double sum_of(const double* x, std::int64_t count, F f) {
  return sum_doubles(count, [=](std::int64_t i) { return f(x[i]); });
}
inline double sum_of(const float* x, std::int64_t count) {
  return sum_floats(count, [=](std::int64_t i) { return x[i]; });
}
inline double sum_of(const double* x, std::int64_t count) {
  return sum_doubles(count, [=](std::int64_t i) { return x[i]; });
}

}  // namespace aclnn
