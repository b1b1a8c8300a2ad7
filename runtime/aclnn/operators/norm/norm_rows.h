// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "runtime/aclnn/base/error.h"
#include "runtime/aclnn/loops/sums.h"
#include "runtime/aclnn/view/view.h"

namespace aclnn {

/// The last dims of a tensor as an argument names them; refuses others.
inline Shape normalized_shape(const View& x, const std::vector<std::int64_t>& dims) {
  const auto count = static_cast<int>(dims.size());
  bool fits = count > 0 && count <= x.rank();
  for (int d = 0; fits && d < count; ++d) {
    fits = dims[static_cast<std::size_t>(d)] == x.size(x.rank() - count + d);
  }
  require(
      fits,
      "normalizedShape has {} numbers; expected the last dims of the input, which has the shape {}",
      count, x.shape.text());
  return Shape(std::span<const std::int64_t>(dims));
}

struct Moments {
  double mean, variance;
};

/// The variance of the whole population, not of a sample.
inline Moments moments_of(const float* x, std::int64_t count) {
  const auto n = static_cast<double>(count);
  const double mean = sum_of(x, count) / n;
  const auto middle = static_cast<float>(mean);
  const double off = mean - static_cast<double>(middle);
  const double squares = sum_of(x, count, [=](float number) {
    const float distance = number - middle;
    return distance * distance;
  });
  return {mean, std::max(squares / n - off * off, 0.0)};
}

/// y = (x - mean) * rstd * weight + bias; both may be null. `y` may be `x`.
inline void normalise_row(const float* x, double mean, double rstd, const float* weight,
                          const float* bias, float* y, std::int64_t count) {
  const auto middle = static_cast<float>(mean), scale = static_cast<float>(rstd);
  for (std::int64_t i = 0; i < count; ++i) y[i] = (x[i] - middle) * scale;
  if (weight) {
    for (std::int64_t i = 0; i < count; ++i) y[i] *= weight[i];
  }
  if (bias) {
    for (std::int64_t i = 0; i < count; ++i) y[i] += bias[i];
  }
}

/// y = x / sqrt(mean x^2 + eps) * gamma; returns what x is multiplied with.
inline double rms_norm_row(const float* x, const float* gamma, double eps, float* y,
                           std::int64_t count) {
  const double squares = sum_of(x, count, [](float number) { return number * number; });
  const double rstd = 1.0 / std::sqrt(squares / static_cast<double>(count) + eps);
  const auto scale = static_cast<float>(rstd);
  for (std::int64_t i = 0; i < count; ++i) y[i] = x[i] * scale * gamma[i];
  return rstd;
}

}  // namespace aclnn
