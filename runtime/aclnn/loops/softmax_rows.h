// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "runtime/aclnn/loops/exp_rows.h"
#include "runtime/aclnn/loops/sums.h"

namespace aclnn {

// As in exp_rows.h, of doubles.
inline double greatest_of(const double* x, std::int64_t count) {
  double greatest = -std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < count; ++i) greatest = x[i] > greatest ? x[i] : greatest;
  return greatest;
}

inline double exp_row(const double* x, double shift, double* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = std::exp(x[i] - shift);
  return sum_of(to, count);
}
inline double exp_sum(const double* x, double shift, std::int64_t count) {
  return sum_doubles(count, [=](std::int64_t i) { return std::exp(x[i] - shift); });
}

inline void softmax_row(const double* x, double* y, std::int64_t count) {
  const double scale = 1.0 / exp_row(x, greatest_of(x, count), y, count);
  for (std::int64_t i = 0; i < count; ++i) y[i] *= scale;
}

template <class T>
void log_softmax_row(const T* x, T* y, std::int64_t count) {
  const T greatest = greatest_of(x, count);
  const T rest = static_cast<T>(std::log(exp_sum(x, greatest, count)));
  for (std::int64_t i = 0; i < count; ++i) y[i] = (x[i] - greatest) - rest;
}

}  // namespace aclnn
