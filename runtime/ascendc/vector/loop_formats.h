// SPDX-License-Identifier: Apache-2.0
// The floating formats in loops: float as it is, half and bfloat16 widened in stages.
// Built once per instruction set (ACLSIM_LOOPS); everything is local to the file that includes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__F16C__) && defined(__AVX2__)
#include <immintrin.h>
#endif

#include "runtime/ascendc/vector/loops.h"

namespace ascendc::vector::ACLSIM_LOOPS {
namespace {

constexpr std::size_t kStage = 256;  // lanes: three stages of floats stay in the first cache

template <typename To, typename From>
inline To as(From from) {
  return __builtin_bit_cast(To, from);
}

struct Float {
  using Stored = float;
  static constexpr bool kStaged = false;
  static float round(float value) { return value; }
};

struct Half {
  using Stored = std::uint16_t;
  static constexpr bool kStaged = true;

  /// To the nearest number of 11 bits, ties to even. Without branches, so that loops keep their
  /// shape.
  static float round(float value) {
    const std::uint32_t bits = as<std::uint32_t>(value);
    const std::uint32_t sign = bits & 0x80000000U;
    const std::uint32_t size = bits & 0x7fffffffU;
    const std::uint32_t normal = (size + 0xfffU + (size >> 13 & 1U)) & ~0x1fffU;
    const float small = (as<float>(size) + 0x1.8p-1F) - 0x1.8p-1F;  // to multiples of 2^-24
    std::uint32_t rounded = size < 0x38800000U ? as<std::uint32_t>(small) : normal;
    rounded = size >= 0x477ff000U ? 0x7f800000U : rounded;
    rounded = size > 0x7f800000U ? (size | 0x400000U) & ~0x1fffU : rounded;
    return as<float>(sign | rounded);
  }
  /// The bits of the result of round().
  static std::uint16_t pack(float rounded) {
    const std::uint32_t bits = as<std::uint32_t>(rounded);
    const std::uint32_t size = bits & 0x7fffffffU;
    const std::uint32_t normal = (size - 0x38000000U) >> 13;
    const std::uint32_t small = as<std::uint32_t>(as<float>(size) + 0x1p-1F) & 0x3ffU;
    std::uint32_t packed = size < 0x38800000U ? small : normal;
    packed = size >= 0x7f800000U ? 0x7c00U | (size >> 13 & 0x3ffU) : packed;
    return static_cast<std::uint16_t>(bits >> 16 & 0x8000U) | static_cast<std::uint16_t>(packed);
  }
  static float unpack(std::uint16_t half) {
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
    const std::uint32_t size = static_cast<std::uint32_t>(half & 0x7fffU) << 13;
    const std::uint32_t small = as<std::uint32_t>(static_cast<float>(half & 0x3ff) * 0x1p-24F);
    std::uint32_t wide = size + 0x38000000U;
    wide = size < 0x00800000U ? small : wide;
    wide = size >= 0x0f800000U ? size + 0x70000000U : wide;
    wide = size > 0x0f800000U ? wide | 0x400000U : wide;
    return as<float>(sign | wide);
  }
  static void load(const std::uint16_t* from, float* to, std::size_t lanes) {
    std::size_t i = 0;
#if defined(__F16C__) && defined(__AVX2__)
    for (; i + 8 <= lanes; i += 8) {
      _mm256_storeu_ps(
          to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
    }
#endif
    for (; i < lanes; ++i) to[i] = unpack(from[i]);
  }
  static void store(const float* from, std::uint16_t* to, std::size_t lanes) {
    std::size_t i = 0;
#if defined(__F16C__) && defined(__AVX2__)
    for (; i + 8 <= lanes; i += 8) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                       _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
    }
#endif
    for (; i < lanes; ++i) to[i] = pack(round(from[i]));
  }
  static std::uint16_t saturated(std::uint16_t bits) {
    const std::uint16_t size = bits & 0x7fffU;
    const auto most = static_cast<std::uint16_t>((bits & 0x8000U) | 0x7bffU);
    const std::uint16_t kept = size == 0x7c00U ? most : bits;
    return size > 0x7c00U ? std::uint16_t{0} : kept;
  }
};

struct Bfloat16 {
  using Stored = std::uint16_t;
  static constexpr bool kStaged = true;

  static float round(float value) {
    const std::uint32_t bits = as<std::uint32_t>(value);
    const std::uint32_t rounded = bits + 0x7fffU + (bits >> 16 & 1U);
    return as<float>(((bits & 0x7fffffffU) > 0x7f800000U ? bits | 0x400000U : rounded) &
                     0xffff0000U);
  }
  static std::uint16_t pack(float rounded) {
    return static_cast<std::uint16_t>(as<std::uint32_t>(rounded) >> 16);
  }
  static float unpack(std::uint16_t bits) {
    return as<float>(static_cast<std::uint32_t>(bits) << 16);
  }
  static void load(const std::uint16_t* from, float* to, std::size_t lanes) {
    for (std::size_t i = 0; i < lanes; ++i) to[i] = unpack(from[i]);
  }
  static void store(const float* from, std::uint16_t* to, std::size_t lanes) {
    for (std::size_t i = 0; i < lanes; ++i) to[i] = pack(round(from[i]));
  }
  static std::uint16_t saturated(std::uint16_t bits) {
    const std::uint16_t size = bits & 0x7fffU;
    const auto most = static_cast<std::uint16_t>((bits & 0x8000U) | 0x7f7fU);
    const std::uint16_t kept = size == 0x7f80U ? most : bits;
    return size > 0x7f80U ? std::uint16_t{0} : kept;
  }
};

template <typename Format>
void finish(const float* from, std::uint16_t* to, std::size_t lanes, const Setting& setting) {
  Format::store(from, to, lanes);
  if (!setting.saturate) return;
  for (std::size_t i = 0; i < lanes; ++i) to[i] = Format::saturated(to[i]);
}

template <typename Format>
float scalar_of(const Setting& setting) {
  if constexpr (Format::kStaged) {
    return Format::unpack(static_cast<std::uint16_t>(setting.scalar));
  } else {
    return as<float>(static_cast<std::uint32_t>(setting.scalar));
  }
}

/// Lanes [from, from + lanes) of an operand as floats: in place, or widened into `stage`.
template <typename Format>
const float* widened(const std::uint8_t* at, std::size_t from, std::size_t lanes, float* stage) {
  const auto* stored = reinterpret_cast<const typename Format::Stored*>(at) + from;
  if constexpr (Format::kStaged) {
    Format::load(stored, stage, lanes);
    return stage;
  } else {
    return stored;
  }
}

/// Calls compute(result, from, lanes) stage by stage; the numbers in `result` become the lanes of
/// `dst` with one rounding. If `Source` is staged, `compute` has stages of its own, so the lanes
/// also come in parts.
template <typename Format, typename Source = Format, typename Compute>
void staged(std::uint8_t* dst, std::size_t lanes, const Setting& setting, Compute compute) {
  auto* stored = reinterpret_cast<typename Format::Stored*>(dst);
  if constexpr (Format::kStaged) {
    float stage[kStage];
    for (std::size_t from = 0; from < lanes; from += kStage) {
      const std::size_t here = lanes - from < kStage ? lanes - from : kStage;
      compute(stage, from, here);
      finish<Format>(stage, stored + from, here, setting);
    }
  } else if constexpr (Source::kStaged) {
    for (std::size_t from = 0; from < lanes; from += kStage) {
      compute(stored + from, from, lanes - from < kStage ? lanes - from : kStage);
    }
  } else {
    compute(stored, 0, lanes);
  }
}

}  // namespace
}  // namespace ascendc::vector::ACLSIM_LOOPS
