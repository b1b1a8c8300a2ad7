/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The temporary memory of functions that choose elements by a mask or count. C++11.
 */
#ifndef ASCENDC_IMPL_LIBRARY_TILING_FILTER_H_
#define ASCENDC_IMPL_LIBRARY_TILING_FILTER_H_

#include "ascendc/impl/library_tiling.h"

namespace AscendC {

inline void GetDropOutMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,
                                    const bool /*isReuseSource*/, uint32_t& maxValue,
                                    uint32_t& minValue) {
  aclsim_library::row_sizes(ACLSIM_LIB_DropOut, srcShape, typeSize, maxValue, minValue);
}
inline uint32_t GetDropOutMaxTmpSize(const TensorShape& srcShape, const uint32_t typeSize,
                                     const bool isReuseSource) {
  uint32_t most = 0;
  uint32_t least = 0;
  GetDropOutMaxMinTmpSize(srcShape, typeSize, isReuseSource, most, least);
  return most;
}
inline uint32_t GetDropOutMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,
                                     const bool isReuseSource) {
  uint32_t most = 0;
  uint32_t least = 0;
  GetDropOutMaxMinTmpSize(srcShape, typeSize, isReuseSource, most, least);
  return least;
}

/* The mask decides the size; the names before and after a change of the vendor's. */
#define ACLSIM_SELECT_SHAPES                                                              \
  const TensorShape &src0Shape, const TensorShape &src1Shape, const uint32_t srcTypeSize, \
      const TensorShape &maskShape, const uint32_t maskTypeSize, const bool isReuseMask
#define ACLSIM_SELECT_SIZES(Name)                                                                \
  inline void Get##Name##MaxMinTmpSize(ACLSIM_SELECT_SHAPES, uint32_t& maxValue,                 \
                                       uint32_t& minValue) {                                     \
    static_cast<void>(src0Shape), static_cast<void>(src1Shape), static_cast<void>(isReuseMask);  \
    aclsim_library::row_sizes(ACLSIM_LIB_Select, maskShape,                                      \
                              srcTypeSize > maskTypeSize ? srcTypeSize : maskTypeSize, maxValue, \
                              minValue);                                                         \
  }                                                                                              \
  inline uint32_t Get##Name##MaxTmpSize(ACLSIM_SELECT_SHAPES) {                                  \
    uint32_t most = 0;                                                                           \
    uint32_t least = 0;                                                                          \
    Get##Name##MaxMinTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize,         \
                             isReuseMask, most, least);                                          \
    return most;                                                                                 \
  }                                                                                              \
  inline uint32_t Get##Name##MinTmpSize(ACLSIM_SELECT_SHAPES) {                                  \
    uint32_t most = 0;                                                                           \
    uint32_t least = 0;                                                                          \
    Get##Name##MaxMinTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize,         \
                             isReuseMask, most, least);                                          \
    return least;                                                                                \
  }
ACLSIM_SELECT_SIZES(Select)
ACLSIM_SELECT_SIZES(SelectWithBytesMask)
#undef ACLSIM_SELECT_SIZES
#undef ACLSIM_SELECT_SHAPES

/* A progression needs no temporary memory. */
inline void GetArangeMaxMinTmpSize(uint32_t& maxValue, uint32_t& minValue) {
  maxValue = 0;
  minValue = 0;
}
inline void GetArithProgressionMaxMinTmpSize(uint32_t& maxValue, uint32_t& minValue) {
  GetArangeMaxMinTmpSize(maxValue, minValue);
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_TILING_FILTER_H_ */
