/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The temporary memory of the library's mathematics. C++11.
 */
#ifndef ASCENDC_IMPL_LIBRARY_TILING_MATH_H_
#define ASCENDC_IMPL_LIBRARY_TILING_MATH_H_

#include "ascendc/impl/library_math_types.h"
#include "ascendc/impl/library_tiling.h"

namespace AscendC {

/* Two functions for each row, with and without the description of the chip. */
#define ACLSIM_TMP_SIZES(number, name, ...)                                                        \
  inline bool Get##name##MaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,       \
                                       const bool /*isReuseSource*/, uint32_t& maxValue,           \
                                       uint32_t& minValue) {                                       \
    aclsim_library::row_sizes(number, srcShape, typeSize, maxValue, minValue);                     \
    return true;                                                                                   \
  }                                                                                                \
  inline bool Get##name##MaxMinTmpSize(                                                            \
      const platform_ascendc::PlatformAscendC&, const TensorShape& srcShape,                       \
      const uint32_t typeSize, const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) { \
    return Get##name##MaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);        \
  }                                                                                                \
  inline void Get##name##TmpBufferFactorSize(const uint32_t /*typeSize*/,                          \
                                             uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {     \
    maxLiveNodeCount = aclsim_library::intermediates(number);                                      \
    extraBuf = 0;                                                                                  \
  }                                                                                                \
  inline void Get##name##TmpBufferFactorSize(const platform_ascendc::PlatformAscendC&,             \
                                             const uint32_t typeSize, uint32_t& maxLiveNodeCount,  \
                                             uint32_t& extraBuf) {                                 \
    Get##name##TmpBufferFactorSize(typeSize, maxLiveNodeCount, extraBuf);                          \
  }
ACLSIM_LIBRARY_MATH_ROWS(ACLSIM_TMP_SIZES)

/* The sizes of Sin and Cos do not depend on the configuration. */
#define ACLSIM_TMP_SIZES_WITH_CONFIG(name)                                                        \
  inline void Get##name##MaxMinTmpSize(const name##Config&, const TensorShape& srcShape,          \
                                       const uint32_t typeSize, const bool isReuseSource,         \
                                       uint32_t& maxValue, uint32_t& minValue) {                  \
    Get##name##MaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);              \
  }                                                                                               \
  inline void Get##name##TmpBufferFactorSize(const name##Config&, const uint32_t typeSize,        \
                                             uint32_t& maxLiveNodeCount, uint32_t& extraBuffer) { \
    Get##name##TmpBufferFactorSize(typeSize, maxLiveNodeCount, extraBuffer);                      \
  }
ACLSIM_TMP_SIZES_WITH_CONFIG(Sin)
ACLSIM_TMP_SIZES_WITH_CONFIG(Cos)
#undef ACLSIM_TMP_SIZES_WITH_CONFIG

inline void GetPowerMaxMinTmpSize(const TensorShape& srcShape1, const TensorShape& srcShape2,
                                  const bool /*typeIsInt*/, const uint32_t typeSize,
                                  const bool isReuseSource, uint32_t& maxValue,
                                  uint32_t& minValue) {
  const bool first =
      aclsim_library::elements_of(srcShape1) >= aclsim_library::elements_of(srcShape2);
  GetPowerMaxMinTmpSize(first ? srcShape1 : srcShape2, typeSize, isReuseSource, maxValue, minValue);
}
inline void GetPowerTmpBufferFactorSize(const bool /*baseIsTensor*/, const bool /*expIsTensor*/,
                                        const bool /*typeIsInt*/, const uint32_t typeSize,
                                        uint32_t& maxLiveNodeCount, uint32_t& extraBuffer) {
  GetPowerTmpBufferFactorSize(typeSize, maxLiveNodeCount, extraBuffer);
}
inline void GetCumSumMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,
                                   const bool /*isLastAxis*/, const bool isReuseSource,
                                   uint32_t& maxValue, uint32_t& minValue) {
  GetCumSumMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_TILING_MATH_H_ */
