/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs of numbers of 8 bits in SIMT code, and their conversions.
 */
#ifndef ASCENDC_IMPL_SIMT_NARROW_H_
#define ASCENDC_IMPL_SIMT_NARROW_H_

#include "ascendc/impl/simt_round.h"
#include "ascendc/impl/simt_vectors.h"

#define ACLSIM_NARROW_PAIR(NAME, T) \
  struct alignas(2) NAME {          \
    T x;                            \
    T y;                            \
  };
ACLSIM_NARROW_PAIR(hifloat8x2_t, hifloat8_t)
ACLSIM_NARROW_PAIR(float8_e4m3x2_t, float8_e4m3_t)
ACLSIM_NARROW_PAIR(float8_e5m2x2_t, float8_e5m2_t)
#undef ACLSIM_NARROW_PAIR

namespace aclsim_simt {
inline hifloat8x2_t to_hifloat8(float x, float y, int32_t rounding, bool named) {
  const bool saturated = saturates(named);
  hifloat8x2_t made;
  made.x.aclsim_bits = aclsim_narrow::encode_hifloat8(x, rounding, saturated);
  made.y.aclsim_bits = aclsim_narrow::encode_hifloat8(y, rounding, saturated);
  return made;
}
}  // namespace aclsim_simt

#define ACLSIM_HIFLOAT8(NAME, MODE, NAMED)                                            \
  inline hifloat8x2_t __float22hif82_##NAME(const float2 x) {                         \
    return aclsim_simt::to_hifloat8(x.x, x.y, aclsim_simt::mode::MODE, NAMED);        \
  }                                                                                   \
  inline hifloat8x2_t __half22hif82_##NAME(const half2 x) {                           \
    return aclsim_simt::to_hifloat8(static_cast<float>(x.x), static_cast<float>(x.y), \
                                    aclsim_simt::mode::MODE, NAMED);                  \
  }
ACLSIM_HIFLOAT8(rna, rna, false)
ACLSIM_HIFLOAT8(rna_sat, rna, true)
ACLSIM_HIFLOAT8(rh, rh, false)
ACLSIM_HIFLOAT8(rh_sat, rh, true)
#undef ACLSIM_HIFLOAT8

#define ACLSIM_TO_FLOAT2(NAME, PAIR)                                      \
  inline float2 NAME(const PAIR x) {                                      \
    return make_float2(static_cast<float>(x.x), static_cast<float>(x.y)); \
  }
ACLSIM_TO_FLOAT2(__hif822float2, hifloat8x2_t)
ACLSIM_TO_FLOAT2(__e4m3x22float2, float8_e4m3x2_t)
ACLSIM_TO_FLOAT2(__e5m2x22float2, float8_e5m2x2_t)
#undef ACLSIM_TO_FLOAT2
inline half2 __hif822half2(const hifloat8x2_t x) {
  const bool saturated = aclsim_simt::all_saturate();
  return make_half2(aclsim_simt::finish<half>(static_cast<float>(x.x), saturated),
                    aclsim_simt::finish<half>(static_cast<float>(x.y), saturated));
}

enum __asc_fp8_interpretation_t { __ASC_E4M3, __ASC_E5M2 };
enum __asc_saturation_t { __ASC_NOSAT, __ASC_SATFINITE };
typedef unsigned short __asc_fp8x2_storage_t;

/* The first element is the lower byte. */
inline __asc_fp8x2_storage_t __asc_cvt_float2_to_fp8x2(
    const float2 x, const __asc_saturation_t saturate,
    const __asc_fp8_interpretation_t fp8_interpretation) {
  const aclsim_narrow::Format& format =
      fp8_interpretation == __ASC_E4M3 ? aclsim_narrow::kE4M3 : aclsim_narrow::kE5M2;
  const bool saturated = aclsim_simt::saturates(saturate == __ASC_SATFINITE);
  const unsigned low = aclsim_narrow::encode(format, x.x, aclsim_narrow::kRint, saturated);
  const unsigned high = aclsim_narrow::encode(format, x.y, aclsim_narrow::kRint, saturated);
  return static_cast<__asc_fp8x2_storage_t>(high << 8 | low);
}

#endif /* ASCENDC_IMPL_SIMT_NARROW_H_ */
