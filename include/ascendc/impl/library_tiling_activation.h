/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The temporary memory and the tilings of activation functions and softmax. C++11.
 */
#ifndef ASCENDC_IMPL_LIBRARY_TILING_ACTIVATION_H_
#define ASCENDC_IMPL_LIBRARY_TILING_ACTIVATION_H_

#include "ascendc/impl/library_softmax_shape.h"
#include "ascendc/impl/library_tiling.h"

namespace aclsim_library {

/* The rows and columns of a shape whose last axis is a row. */
inline uint64_t columns_of(const TensorShape& shape) {
  const size_t axes = shape.GetDimNum();
  const int64_t size = axes == 0 ? 0 : shape.GetDim(axes - 1);
  return size > 0 ? static_cast<uint64_t>(size) : 1;
}
inline uint64_t rows_of(const TensorShape& shape) { return elements_of(shape) / columns_of(shape); }

inline uint32_t least_of_shape(uint16_t function, const TensorShape& shape) {
  return static_cast<uint32_t>(least_temporary_of_row(function, columns_of(shape)));
}
inline uint32_t most_of_shape(uint16_t function, const TensorShape& shape) {
  const uint64_t most = most_temporary_of_rows(function, rows_of(shape), columns_of(shape));
  return most > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(most);
}

template <typename Tiling>
Tiling softmax_tiling_of(uint16_t function, const TensorShape& shape, uint32_t block,
                         uint32_t bytes) {
  const uint64_t columns = columns_of(shape);
  return softmax_tiling<Tiling>(static_cast<uint32_t>(rows_of(shape)),
                                static_cast<uint32_t>(columns), block, bytes,
                                least_temporary_of_row(function, columns));
}
inline uint32_t block_elements(uint32_t type_size) { return type_size == 0 ? 0 : 32 / type_size; }

/* Fills the class of host code whose set_ functions have the names of the fields. */
#define ACLSIM_SET_FIELD(type, name) to.set_##name(from.name);
template <typename Class>
void set_fields(const AscendC::tiling::SoftMaxTiling& from, Class& to) {
  ACLSIM_SoftMaxTiling_FIELDS(ACLSIM_SET_FIELD)
}
template <typename Class>
void set_fields(const AscendC::tiling::LogSoftMaxTiling& from, Class& to) {
  ACLSIM_LogSoftMaxTiling_FIELDS(ACLSIM_SET_FIELD)
}
#undef ACLSIM_SET_FIELD

inline bool is_basic_block(uint32_t rows, uint32_t columns, uint32_t group, uint32_t type_size) {
  return type_size != 0 && columns % 64 == 0 && columns < 2048 && columns >= 256 / type_size &&
         rows % 8 == 0 && group % 8 == 0;
}

}  // namespace aclsim_library

namespace AscendC {

#define ACLSIM_GELU_SIZES(name)                                                                 \
  inline void Get##name##MaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,    \
                                       uint32_t& maxValue, uint32_t& minValue) {                \
    aclsim_library::row_sizes(ACLSIM_LIB_##name, srcShape, typeSize, maxValue, minValue);       \
  }                                                                                             \
  inline uint32_t Get##name##MaxTmpSize(const TensorShape& srcShape, const uint32_t typeSize) { \
    uint32_t most = 0, least = 0;                                                               \
    Get##name##MaxMinTmpSize(srcShape, typeSize, most, least);                                  \
    return most;                                                                                \
  }                                                                                             \
  inline uint32_t Get##name##MinTmpSize(const TensorShape& srcShape, const uint32_t typeSize) { \
    uint32_t most = 0, least = 0;                                                               \
    Get##name##MaxMinTmpSize(srcShape, typeSize, most, least);                                  \
    return least;                                                                               \
  }
ACLSIM_GELU_SIZES(Gelu)
#undef ACLSIM_GELU_SIZES

#define ACLSIM_ACTIVATION_SIZES(function, name)                                                 \
  inline void Get##name(const TensorShape& srcShape, const uint32_t typeSize,                   \
                        const bool /*isReuseSource*/, uint32_t& maxValue, uint32_t& minValue) { \
    aclsim_library::row_sizes(ACLSIM_LIB_##function, srcShape, typeSize, maxValue, minValue);   \
  }
ACLSIM_ACTIVATION_SIZES(Sigmoid, SigmoidMaxMinTmpSize)
ACLSIM_ACTIVATION_SIZES(Silu, SiluTmpSize)
ACLSIM_ACTIVATION_SIZES(Swish, SwishTmpSize)
ACLSIM_ACTIVATION_SIZES(GeGLU, GeGLUMaxMinTmpSize)
ACLSIM_ACTIVATION_SIZES(ReGlu, ReGluMaxMinTmpSize)
#undef ACLSIM_ACTIVATION_SIZES
inline void GetSwiGLUMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,
                                   uint32_t& maxValue, uint32_t& minValue,
                                   const bool /*isReuseSource*/) {
  aclsim_library::row_sizes(ACLSIM_LIB_SwiGLU, srcShape, typeSize, maxValue, minValue);
}

/* Intermediate tensors have elements of at least 4 bytes. */
#define ACLSIM_ACTIVATION_FACTOR(name)                                                            \
  inline void Get##name##TmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, \
                                             uint32_t& extraBuf) {                                \
    maxLiveNodeCount = aclsim_library::intermediates(ACLSIM_LIB_##name) *                         \
                       (typeSize == 0 || typeSize >= 4 ? 1 : 4 / typeSize);                       \
    extraBuf = 0;                                                                                 \
  }
ACLSIM_ACTIVATION_FACTOR(GeGLU)
ACLSIM_ACTIVATION_FACTOR(SwiGLU)
#undef ACLSIM_ACTIVATION_FACTOR

/* Two functions for the sizes of each function of softmax; its tiling for the structure of kernels
 * and for the class of host code. FLAGS and SIZES are the parameters between them. */
#define ACLSIM_SOFTMAX_SIZES(function, name, SHAPE, ...)                    \
  inline uint32_t Get##name##MaxTmpSize(SHAPE srcShape, __VA_ARGS__) {      \
    return aclsim_library::most_of_shape(ACLSIM_LIB_##function, srcShape);  \
  }                                                                         \
  inline uint32_t Get##name##MinTmpSize(SHAPE srcShape, __VA_ARGS__) {      \
    return aclsim_library::least_of_shape(ACLSIM_LIB_##function, srcShape); \
  }
ACLSIM_SOFTMAX_SIZES(SoftMax, SoftMax, const TensorShape&, const uint32_t, const bool)
ACLSIM_SOFTMAX_SIZES(SoftmaxFlash, SoftMaxFlash, const TensorShape&, const uint32_t, const bool,
                     const bool)
ACLSIM_SOFTMAX_SIZES(SoftmaxFlashV2, SoftMaxFlashV2, const TensorShape&, const uint32_t,
                     const uint32_t, const bool, const bool = false, const bool = false)
ACLSIM_SOFTMAX_SIZES(SoftmaxGrad, SoftMaxGrad, const TensorShape&, const uint32_t, const bool,
                     const bool)
ACLSIM_SOFTMAX_SIZES(LogSoftMax, LogSoftMax, const TensorShape, const uint32_t, const bool)
#undef ACLSIM_SOFTMAX_SIZES
inline void GetSoftMaxFlashV3MaxMinTmpSize(const TensorShape& srcShape, const uint32_t,
                                           const uint32_t, uint32_t& maxValue, uint32_t& minValue,
                                           const bool, const bool = false) {
  maxValue = aclsim_library::most_of_shape(ACLSIM_LIB_SoftmaxFlashV3, srcShape);
  minValue = aclsim_library::least_of_shape(ACLSIM_LIB_SoftmaxFlashV3, srcShape);
}

#define ACLSIM_SOFTMAX_TILING(function, name, Tiling)                                  \
  inline void name(const TensorShape& srcShape, const uint32_t dataTypeSize,           \
                   const uint32_t localWorkSpaceSize, tiling::Tiling& to) {            \
    to = aclsim_library::softmax_tiling_of<tiling::Tiling>(                            \
        ACLSIM_LIB_##function, srcShape, aclsim_library::block_elements(dataTypeSize), \
        localWorkSpaceSize);                                                           \
  }                                                                                    \
  template <typename Class>                                                            \
  void name(const TensorShape& srcShape, const uint32_t dataTypeSize,                  \
            const uint32_t localWorkSpaceSize, Class& to) {                            \
    tiling::Tiling made;                                                               \
    name(srcShape, dataTypeSize, localWorkSpaceSize, made);                            \
    aclsim_library::set_fields(made, to);                                              \
  }
ACLSIM_SOFTMAX_TILING(SoftMax, SoftMaxTilingFunc, SoftMaxTiling)
ACLSIM_SOFTMAX_TILING(LogSoftMax, LogSoftMaxTilingFunc, LogSoftMaxTiling)
#undef ACLSIM_SOFTMAX_TILING

#define ACLSIM_SOFTMAX_TILING(function, name)                                          \
  inline void name(const TensorShape& srcShape, const uint32_t dataTypeSize,           \
                   const uint32_t localWorkSpaceSize, tiling::SoftMaxTiling& to,       \
                   const bool = false) {                                               \
    to = aclsim_library::softmax_tiling_of<tiling::SoftMaxTiling>(                     \
        ACLSIM_LIB_##function, srcShape, aclsim_library::block_elements(dataTypeSize), \
        localWorkSpaceSize);                                                           \
  }                                                                                    \
  template <typename Class>                                                            \
  void name(const TensorShape& srcShape, const uint32_t dataTypeSize,                  \
            const uint32_t localWorkSpaceSize, Class& to, const bool = false) {        \
    tiling::SoftMaxTiling made;                                                        \
    name(srcShape, dataTypeSize, localWorkSpaceSize, made);                            \
    aclsim_library::set_fields(made, to);                                              \
  }
ACLSIM_SOFTMAX_TILING(SoftmaxFlash, SoftMaxFlashTilingFunc)
ACLSIM_SOFTMAX_TILING(SoftmaxGrad, SoftMaxGradTilingFunc)
#undef ACLSIM_SOFTMAX_TILING

/* dataTypeSize2 is the size of the maxima's type. */
inline void SoftMaxFlashV2TilingFunc(const TensorShape& srcShape, const uint32_t,
                                     const uint32_t dataTypeSize2,
                                     const uint32_t localWorkSpaceSize, tiling::SoftMaxTiling& to,
                                     const bool, const bool = false,
                                     const bool isFlashOutputBrc = false) {
  to = aclsim_library::softmax_tiling_of<tiling::SoftMaxTiling>(
      ACLSIM_LIB_SoftmaxFlashV2, srcShape,
      isFlashOutputBrc ? 1 : aclsim_library::block_elements(dataTypeSize2), localWorkSpaceSize);
}
template <typename Class>
void SoftMaxFlashV2TilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize1,
                              const uint32_t dataTypeSize2, const uint32_t localWorkSpaceSize,
                              Class& to, const bool isUpdate, const bool isBasicBlock = false,
                              const bool isFlashOutputBrc = false) {
  tiling::SoftMaxTiling made;
  SoftMaxFlashV2TilingFunc(srcShape, dataTypeSize1, dataTypeSize2, localWorkSpaceSize, made,
                           isUpdate, isBasicBlock, isFlashOutputBrc);
  aclsim_library::set_fields(made, to);
}
inline void SoftMaxFlashV3TilingFunc(const TensorShape& srcShape, const uint32_t,
                                     const uint32_t dataTypeSize2,
                                     const uint32_t localWorkSpaceSize, tiling::SoftMaxTiling& to,
                                     const bool, const bool = false) {
  to = aclsim_library::softmax_tiling_of<tiling::SoftMaxTiling>(
      ACLSIM_LIB_SoftmaxFlashV3, srcShape, aclsim_library::block_elements(dataTypeSize2),
      localWorkSpaceSize);
}
template <typename Class>
void SoftMaxFlashV3TilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize1,
                              const uint32_t dataTypeSize2, const uint32_t localWorkSpaceSize,
                              Class& to, const bool isUpdate, const bool isBasicBlock = false) {
  tiling::SoftMaxTiling made;
  SoftMaxFlashV3TilingFunc(srcShape, dataTypeSize1, dataTypeSize2, localWorkSpaceSize, made,
                           isUpdate, isBasicBlock);
  aclsim_library::set_fields(made, to);
}

/* Whether rows are of a length, and groups of a size, that the form with isBasicBlock computes. */
inline bool IsBasicBlockInSoftMax(tiling::SoftMaxTiling& tiling, const uint32_t dataTypeSize = 2) {
  return aclsim_library::is_basic_block(tiling.srcM, tiling.srcK, tiling.splitM, dataTypeSize);
}
template <typename Class>
bool IsBasicBlockInSoftMax(Class& tiling, const uint32_t dataTypeSize = 2) {
  return aclsim_library::is_basic_block(tiling.get_srcM(), tiling.get_srcK(), tiling.get_splitM(),
                                        dataTypeSize);
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_TILING_ACTIVATION_H_ */
