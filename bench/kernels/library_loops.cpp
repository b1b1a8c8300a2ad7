// SPDX-License-Identifier: Apache-2.0
//
// The references of library.asc: plain loops over rows of floats, as a program without an NPU has
// them. compare.py builds them with -O3 -ffast-math, so that the compiler uses vectors for sums and
// exponentials, too.
#include <cmath>
#include <cstdint>

namespace {
constexpr uint32_t kWidth = 1024;

float sum_of(const float* row) {
  float sum = 0;
  for (uint32_t i = 0; i < kWidth; ++i) sum += row[i];
  return sum;
}
}  // namespace

extern "C" void softmax(const float* x, float* y, uint32_t rows) {
  for (; rows-- > 0; x += kWidth, y += kWidth) {
    float greatest = x[0];
    for (uint32_t i = 1; i < kWidth; ++i) greatest = x[i] > greatest ? x[i] : greatest;
    for (uint32_t i = 0; i < kWidth; ++i) y[i] = std::exp(x[i] - greatest);
    const float factor = 1 / sum_of(y);
    for (uint32_t i = 0; i < kWidth; ++i) y[i] *= factor;
  }
}

extern "C" void layer_norm(const float* x, float* y, uint32_t rows) {
  float gamma[kWidth], beta[kWidth];
  for (uint32_t i = 0; i < kWidth; ++i) {
    gamma[i] = 1.5f;
    beta[i] = 0.5f;
  }
  for (; rows-- > 0; x += kWidth, y += kWidth) {
    const float mean = sum_of(x) / kWidth;
    float variance = 0;
    for (uint32_t i = 0; i < kWidth; ++i) variance += (x[i] - mean) * (x[i] - mean);
    const float factor = 1 / std::sqrt(variance / kWidth + 1e-5f);
    for (uint32_t i = 0; i < kWidth; ++i) y[i] = (x[i] - mean) * factor * gamma[i] + beta[i];
  }
}

extern "C" void gelu(const float* x, float* y, uint32_t rows) {
  for (uint64_t i = 0; i < uint64_t{rows} * kWidth; ++i) {
    y[i] = x[i] / (1 + std::exp(-1.5957691216057308f * (x[i] + 0.044715f * x[i] * x[i] * x[i])));
  }
}

extern "C" void reduce_sum(const float* x, float* y, uint32_t rows) {
  for (uint32_t row = 0; row < rows; ++row) y[row] = sum_of(x + row * kWidth);
}
