// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/loops/half_rows.h"

#include <cstring>

#include "runtime/aclnn/base/formats.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define ACLNN_F16C 1
#endif

namespace aclnn {
namespace {

std::uint16_t half_at(const std::byte* from, std::int64_t i) {
  std::uint16_t half;
  std::memcpy(&half, from + i * 2, sizeof half);
  return half;
}

void put_half(std::uint16_t half, std::byte* to, std::int64_t i) {
  std::memcpy(to + i * 2, &half, sizeof half);
}

#if ACLNN_F16C
__attribute__((target("avx,f16c"))) std::int64_t widen_eights(const std::byte* from, float* to,
                                                              std::int64_t count) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i * 2));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(halves));
  }
  return i;
}

__attribute__((target("avx,f16c"))) std::int64_t narrow_eights(const float* from, std::byte* to,
                                                               std::int64_t count) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i * 2), halves);
  }
  return i;
}

bool has_f16c() {
  static const bool has = __builtin_cpu_supports("avx") && __builtin_cpu_supports("f16c");
  return has;
}
#endif

}  // namespace

void widen_halves(const std::byte* from, float* to, std::int64_t count) {
  std::int64_t i = 0;
#if ACLNN_F16C
  if (has_f16c()) i = widen_eights(from, to, count);
#endif
  for (; i < count; ++i) to[i] = float_of_f16(half_at(from, i));
}

void narrow_to_halves(const float* from, std::byte* to, std::int64_t count) {
  std::int64_t i = 0;
#if ACLNN_F16C
  if (has_f16c()) i = narrow_eights(from, to, count);
#endif
  for (; i < count; ++i) put_half(f16_of_float(from[i]), to, i);
}

}  // namespace aclnn
