// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/matrix/rows.h"

#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#define ACLNN_AVX2 __attribute__((target("avx2,fma")))
#endif

namespace aclnn {
namespace {

constexpr std::int64_t kLanes = 8;

// Written once; inlined into the functions that are compiled for wider registers.
[[gnu::always_inline]] inline float exp_of(float x) noexcept {
  // 2^n * e^r with |r| <= ln(2) / 2; below -87.3 the result is 0 or negligible.
  const float bounded = x < -87.3F ? -87.3F : x > 88.7F ? 88.7F : x;
  const float shifted = bounded * 1.44269504F + 12582912.0F;  // rounds: the sum's last bit is 1
  const float n = shifted - 12582912.0F;
  float r = bounded - n * 0.693359375F;
  r -= n * -2.12194440e-4F;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  const std::int32_t bits = std::bit_cast<std::int32_t>(shifted) - 0x4b400000;
  const float power = std::bit_cast<float>((bits + 127) << 23);
  return x < -87.3F ? 0.0F : p * power;
}

[[gnu::always_inline]] inline void exp_all(float* row, float shift, std::int64_t count) noexcept {
  for (std::int64_t i = 0; i < count; ++i) row[i] = exp_of(row[i] - shift);
}

// Four rows at a time: the result is read and written once for them.
[[gnu::always_inline]] inline void add_all(const float* factors, const float* from,
                                           std::int64_t step, std::int64_t rows,
                                           float* __restrict to, std::int64_t count) noexcept {
  std::int64_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    const float *const a = from + r * step, *const b = a + step, *const c = b + step,
                       *const d = c + step;
    const float fa = factors[r], fb = factors[r + 1], fc = factors[r + 2], fd = factors[r + 3];
    for (std::int64_t i = 0; i < count; ++i) {
      to[i] += (fa * a[i] + fb * b[i]) + (fc * c[i] + fd * d[i]);
    }
  }
  for (; r < rows; ++r) {
    const float* const a = from + r * step;
    for (std::int64_t i = 0; i < count; ++i) to[i] += factors[r] * a[i];
  }
}

float sum_of(const float* row, std::int64_t count) noexcept {
  float sums[kLanes]{};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) sums[lane] += row[i + lane];
  }
  float sum = 0;
  for (const float part : sums) sum += part;
  for (; i < count; ++i) sum += row[i];
  return sum;
}

#if defined(ACLNN_AVX2)
ACLNN_AVX2 float sum_lanes(__m256 lanes) {
  const __m128 half = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
  const __m128 pair = _mm_add_ps(half, _mm_movehl_ps(half, half));
  return _mm_cvtss_f32(_mm_add_ss(pair, _mm_shuffle_ps(pair, pair, 1)));
}

ACLNN_AVX2 float wide_dot(const float* a, const float* b, std::int64_t count) {
  __m256 sums[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(),
                    _mm256_setzero_ps()};
  std::int64_t i = 0;
  for (; i + 4 * kLanes <= count; i += 4 * kLanes) {
    for (int u = 0; u < 4; ++u) {
      sums[u] = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + u * kLanes),
                                _mm256_loadu_ps(b + i + u * kLanes), sums[u]);
    }
  }
  for (; i + kLanes <= count; i += kLanes) {
    sums[0] = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), sums[0]);
  }
  float sum =
      sum_lanes(_mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3])));
  for (; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

ACLNN_AVX2 void wide_add_rows(const float* factors, const float* from, std::int64_t step,
                              std::int64_t rows, float* to, std::int64_t count) {
  add_all(factors, from, step, rows, to, count);
}

ACLNN_AVX2 void wide_exp(float* row, float shift, std::int64_t count) {
  exp_all(row, shift, count);
}

bool has_avx2() noexcept {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
}
#endif

}  // namespace

float dot(const float* a, const float* b, std::int64_t count) noexcept {
#if defined(ACLNN_AVX2)
  if (has_avx2()) return wide_dot(a, b, count);
#endif
  float sums[kLanes]{};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  float sum = 0;
  for (const float part : sums) sum += part;
  for (; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

void add_rows(const float* factors, const float* from, std::int64_t step, std::int64_t rows,
              float* to, std::int64_t count) noexcept {
#if defined(ACLNN_AVX2)
  if (has_avx2()) return wide_add_rows(factors, from, step, rows, to, count);
#endif
  add_all(factors, from, step, rows, to, count);
}

float exp_row(float* row, float shift, std::int64_t count) noexcept {
#if defined(ACLNN_AVX2)
  if (has_avx2()) {
    wide_exp(row, shift, count);
    return sum_of(row, count);
  }
#endif
  exp_all(row, shift, count);
  return sum_of(row, count);
}

}  // namespace aclnn
