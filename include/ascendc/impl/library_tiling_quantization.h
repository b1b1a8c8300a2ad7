/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The temporary memory of the library's quantisation. C++11.
 */
#ifndef ASCENDC_IMPL_LIBRARY_TILING_QUANTIZATION_H_
#define ASCENDC_IMPL_LIBRARY_TILING_QUANTIZATION_H_

#include "ascendc/impl/library_tiling.h"

namespace AscendC {

/* By the size of an element: AscendQuant, Quantize, AscendDequant, Dequantize. */
#define ACLSIM_TMP_SIZES_BY_SIZE(name)                                                         \
  inline void Get##name##MaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,   \
                                       uint32_t& maxValue, uint32_t& minValue) {               \
    aclsim_library::row_sizes(ACLSIM_LIB_##name, srcShape, typeSize, maxValue, minValue);      \
  }                                                                                            \
  inline void Get##name##TmpBufferFactorSize(uint32_t& maxLiveNodeCount, uint32_t& extraBuf) { \
    maxLiveNodeCount = aclsim_library::intermediates(ACLSIM_LIB_##name);                       \
    extraBuf = 0;                                                                              \
  }                                                                                            \
  inline void Get##name##TmpBufferFactorSize(const TensorShape& /*srcShape*/,                  \
                                             uint32_t& maxLiveNodeCount, uint32_t& extraBuf) { \
    Get##name##TmpBufferFactorSize(maxLiveNodeCount, extraBuf);                                \
  }
ACLSIM_TMP_SIZES_BY_SIZE(AscendQuant)
ACLSIM_TMP_SIZES_BY_SIZE(AscendDequant)
ACLSIM_TMP_SIZES_BY_SIZE(Quantize)
ACLSIM_TMP_SIZES_BY_SIZE(Dequantize)
#undef ACLSIM_TMP_SIZES_BY_SIZE

/* By the types: AscendAntiQuant, AntiQuantize. Intermediate values have four bytes at most. */
#define ACLSIM_TMP_SIZES_BY_TYPE(name)                                                         \
  inline void Get##name##MaxMinTmpSize(                                                        \
      const TensorShape& srcShape, const TensorShape& /*scaleShape*/, bool /*isTranspose*/,    \
      TensorDataType /*inputDataType*/, TensorDataType /*outputDataType*/, uint32_t& maxValue, \
      uint32_t& minValue) {                                                                    \
    aclsim_library::row_sizes(ACLSIM_LIB_##name, srcShape, 4, maxValue, minValue);             \
  }                                                                                            \
  inline void Get##name##TmpBufferFactorSize(                                                  \
      const TensorShape& /*srcShape*/, const TensorShape& /*scaleShape*/,                      \
      TensorDataType /*inputDataType*/, TensorDataType /*outputDataType*/,                     \
      uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {                                        \
    maxLiveNodeCount = aclsim_library::intermediates(ACLSIM_LIB_##name);                       \
    extraBuf = 0;                                                                              \
  }                                                                                            \
  inline void Get##name##TmpBufferFactorSize(                                                  \
      const TensorShape& srcShape, const TensorShape& scaleShape, bool /*isTranspose*/,        \
      TensorDataType inputDataType, TensorDataType outputDataType, uint32_t& maxLiveNodeCount, \
      uint32_t& extraBuf) {                                                                    \
    Get##name##TmpBufferFactorSize(srcShape, scaleShape, inputDataType, outputDataType,        \
                                   maxLiveNodeCount, extraBuf);                                \
  }
ACLSIM_TMP_SIZES_BY_TYPE(AscendAntiQuant)
ACLSIM_TMP_SIZES_BY_TYPE(AntiQuantize)
#undef ACLSIM_TMP_SIZES_BY_TYPE

inline uint32_t GetAscendAntiQuantMaxTmpSize(const TensorShape& srcShape,
                                             const TensorShape& scaleShape, bool isTranspose,
                                             TensorDataType inputDataType,
                                             TensorDataType outputDataType) {
  uint32_t most = 0, least = 0;
  GetAscendAntiQuantMaxMinTmpSize(srcShape, scaleShape, isTranspose, inputDataType, outputDataType,
                                  most, least);
  return most;
}
inline uint32_t GetAscendAntiQuantMinTmpSize(const TensorShape& srcShape,
                                             const TensorShape& scaleShape, bool isTranspose,
                                             TensorDataType inputDataType,
                                             TensorDataType outputDataType) {
  uint32_t most = 0, least = 0;
  GetAscendAntiQuantMaxMinTmpSize(srcShape, scaleShape, isTranspose, inputDataType, outputDataType,
                                  most, least);
  return least;
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_TILING_QUANTIZATION_H_ */
