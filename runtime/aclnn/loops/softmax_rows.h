// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "runtime/aclnn/loops/exp_rows.h"
#include "runtime/aclnn/loops/sums.h"

namespace aclnn {

/// Of what are numbers: the others show in the sums.
template <class T>
T greatest_of(const T* x, std::int64_t count) {
  constexpr std::int64_t kAtOnce = 16;
  T all[kAtOnce];
  for (T& one : all) one = -std::numeric_limits<T>::infinity();
  std::int64_t i = 0;
  for (; i + kAtOnce <= count; i += kAtOnce) {
    for (std::int64_t j = 0; j < kAtOnce; ++j) all[j] = x[i + j] > all[j] ? x[i + j] : all[j];
  }
  for (; i < count; ++i) all[0] = x[i] > all[0] ? x[i] : all[0];
  T greatest = all[0];
  for (const T one : all) greatest = one > greatest ? one : greatest;
  return greatest;
}

inline double exp_row(const double* x, double shift, double* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = std::exp(x[i] - shift);
  return sum_of(to, count);
}
inline double exp_sum(const double* x, double shift, std::int64_t count) {
  return sum_doubles(count, [=](std::int64_t i) { return std::exp(x[i] - shift); });
}

/// `y` may be `x`.
template <class T>
void softmax_row(const T* x, T* y, std::int64_t count) {
  const T greatest = greatest_of(x, count);
  const T scale = static_cast<T>(1.0 / exp_row(x, greatest, y, count));
  for (std::int64_t i = 0; i < count; ++i) y[i] *= scale;
}

template <class T>
void log_softmax_row(const T* x, T* y, std::int64_t count) {
  const T greatest = greatest_of(x, count);
  const T rest = static_cast<T>(std::log(exp_sum(x, greatest, count)));
  for (std::int64_t i = 0; i < count; ++i) y[i] = (x[i] - greatest) - rest;
}

}  // namespace aclnn
