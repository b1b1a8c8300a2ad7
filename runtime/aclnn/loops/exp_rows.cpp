// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/loops/exp_rows.h"

#include <algorithm>
#include <bit>
#include <limits>

#if defined(__x86_64__)
#define ACLNN_EXP_AVX2 1
#define ACLNN_AVX2 __attribute__((target("avx2,fma")))
#define ACLNN_AVX512 __attribute__((target("avx512f,avx512dq,fma,prefer-vector-width=512")))
#endif

namespace aclnn {
namespace {

// Sums of this many floats are computed in float, sums of blocks in double.
constexpr std::int64_t kBlock = 256;
constexpr std::int64_t kSums = 32;

constexpr float kShift = 0x1.8p23F;  // a number this large has no fraction: adding it rounds

/// x = n ln 2 + r with |r| <= ln 2 / 2; e^r is a polynomial. No branches: the compiler makes
/// vectors of it.
[[gnu::always_inline]] inline float exp_of(float number) {
  const float least = number < -104.0F ? -104.0F : number;  // below it all is 0, above 89 infinite
  const float x = least > 89.0F ? 89.0F : least;
  const float shifted = x * 1.44269504F + kShift;
  const float n = shifted - kShift;
  const float r = (x - n * 0.693359375F) - n * -2.12194440e-4F;  // the first product is exact
  float y = 1.9875691500e-4F;
  y = y * r + 1.3981999507e-3F;
  y = y * r + 8.3334519073e-3F;
  y = y * r + 4.1665795894e-2F;
  y = y * r + 1.6666665459e-1F;
  y = y * r + 5.0000001201e-1F;
  y = (y * (r * r) + r) + 1.0F;
  // 2^n as two factors, since it may be too small or too large for one.
  const auto whole = static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(shifted) -
                                               std::bit_cast<std::uint32_t>(kShift));
  const std::int32_t half = whole >> 1;
  const auto power = [](std::int32_t exponent) __attribute__((always_inline)) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(exponent + 127) << 23);
  };
  return y * power(half) * power(whole - half);
}

[[gnu::always_inline]] inline void row(const float* from, float shift, float* to,
                                       std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = exp_of(from[i] - shift);
}

/// The sum of a block that is still in the first-level cache.
[[gnu::always_inline]] inline double sum(const float* from, std::int64_t count) {
  float sums[kSums] = {};
  std::int64_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (std::int64_t j = 0; j < kSums; ++j) sums[j] += from[i + j];
  }
  for (; i < count; ++i) sums[0] += from[i];
  for (std::int64_t half = kSums / 2; half > 0; half /= 2) {
    for (std::int64_t j = 0; j < half; ++j) sums[j] += sums[j + half];
  }
  return static_cast<double>(sums[0]);
}

/// The results go to `to`, unless it is null.
[[gnu::always_inline]] inline double sum_of_row(const float* from, float shift, float* to,
                                                std::int64_t count) {
  float buffer[kBlock];
  double total = 0;
  for (std::int64_t i = 0; i < count; i += kBlock) {
    const std::int64_t part = std::min(kBlock, count - i);
    float* const place = to ? to + i : buffer;
    row(from + i, shift, place, part);
    total += sum(place, part);
  }
  return total;
}

/// The greatest value that is not NaN. The pages of device memory are small, and the processor's
/// own prefetching ends at the end of each page, so this function prefetches one page ahead.
[[gnu::always_inline]] inline float greatest(const float* x, std::int64_t count) {
  constexpr std::int64_t kAhead = 1024;
  float all[kSums];
  for (float& one : all) one = -std::numeric_limits<float>::infinity();
  std::int64_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    __builtin_prefetch(x + i + kAhead);
    __builtin_prefetch(x + i + kAhead + kSums / 2);
    for (std::int64_t j = 0; j < kSums; ++j) all[j] = x[i + j] > all[j] ? x[i + j] : all[j];
  }
  for (; i < count; ++i) all[0] = x[i] > all[0] ? x[i] : all[0];
  float most = all[0];
  for (const float one : all) most = one > most ? one : most;
  return most;
}

[[gnu::always_inline]] inline void softmax(const float* x, float* y, std::int64_t count) {
  const auto scale = static_cast<float>(1.0 / sum_of_row(x, greatest(x, count), y, count));
  for (std::int64_t i = 0; i < count; ++i) y[i] *= scale;
}

void row_plain(const float* from, float* to, std::int64_t count) { row(from, 0.0F, to, count); }
float greatest_plain(const float* x, std::int64_t count) { return greatest(x, count); }
void softmax_plain(const float* x, float* y, std::int64_t count) { softmax(x, y, count); }
double sum_plain(const float* from, float shift, float* to, std::int64_t count) {
  return sum_of_row(from, shift, to, count);
}

#if ACLNN_EXP_AVX2
ACLNN_AVX2 void row_avx2(const float* from, float* to, std::int64_t count) {
  row(from, 0.0F, to, count);
}
ACLNN_AVX2 double sum_avx2(const float* from, float shift, float* to, std::int64_t count) {
  return sum_of_row(from, shift, to, count);
}
ACLNN_AVX2 float greatest_avx2(const float* x, std::int64_t count) { return greatest(x, count); }
ACLNN_AVX2 void softmax_avx2(const float* x, float* y, std::int64_t count) { softmax(x, y, count); }
ACLNN_AVX512 void softmax_avx512(const float* x, float* y, std::int64_t count) {
  softmax(x, y, count);
}
bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
}
bool has_avx512() {
  static const bool has =
      has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
  return has;
}
#else
constexpr auto row_avx2 = row_plain;
constexpr auto sum_avx2 = sum_plain;
constexpr auto greatest_avx2 = greatest_plain;
constexpr auto softmax_avx2 = softmax_plain, softmax_avx512 = softmax_plain;
constexpr bool has_avx2() { return false; }
constexpr bool has_avx512() { return false; }
#endif

}  // namespace

void exp_row(const float* from, float* to, std::int64_t count) {
  (has_avx2() ? row_avx2 : row_plain)(from, to, count);
}

double exp_row(const float* from, float shift, float* to, std::int64_t count) {
  return (has_avx2() ? sum_avx2 : sum_plain)(from, shift, to, count);
}

float greatest_of(const float* x, std::int64_t count) {
  return (has_avx2() ? greatest_avx2 : greatest_plain)(x, count);
}

void softmax_row(const float* x, float* y, std::int64_t count) {
  (has_avx512() ? softmax_avx512 : has_avx2() ? softmax_avx2 : softmax_plain)(x, y, count);
}

double exp_sum(const float* from, float shift, std::int64_t count) {
  return (has_avx2() ? sum_avx2 : sum_plain)(from, shift, nullptr, count);
}

}  // namespace aclnn
