/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The temporary memory of the library's reductions. C++11.
 */
#ifndef ASCENDC_IMPL_LIBRARY_TILING_REDUCTION_H_
#define ASCENDC_IMPL_LIBRARY_TILING_REDUCTION_H_

#include "ascendc/impl/library_sizes_reduction.h"
#include "ascendc/impl/library_tiling.h"
#include "ascendc/impl/library_tiling_types.h"
#include "ascendc/impl/reduce_pattern.h"

namespace aclsim_library {

/* The axes before the last one count as rows. */
inline void pattern_sizes(const TensorShape& shape, ge::DataType type, bool reuses,
                          uint32_t& max_value, uint32_t& min_value) {
  const size_t axes = shape.GetDimNum();
  const int64_t last = axes == 0 ? 1 : shape.GetDim(axes - 1);
  const uint64_t cols = last > 0 ? static_cast<uint64_t>(last) : 1;
  const uint64_t bytes =
      pattern_temporary(elements_of(shape) / cols, cols, bytes_of_type(type), reuses);
  put_sizes(bytes, bytes, max_value, min_value);
}

}  // namespace aclsim_library

namespace AscendC {

inline void GetSumMaxMinTmpSize(const uint32_t n, const uint32_t typeSize,
                                const bool /*isReuseSource*/, uint32_t& maxSize,
                                uint32_t& minSize) {
  const uint64_t bytes = aclsim_library::sum_temporary(n, typeSize);
  aclsim_library::put_sizes(bytes, bytes, maxSize, minSize);
}
inline void GetMeanMaxMinTmpSize(const uint32_t n, const uint32_t srcTypeSize,
                                 const uint32_t accTypeSize, const bool /*isReuseSource*/,
                                 uint32_t& maxSize, uint32_t& minSize) {
  const uint64_t bytes = aclsim_library::mean_temporary(n, srcTypeSize, accTypeSize);
  aclsim_library::put_sizes(bytes, bytes, maxSize, minSize);
}
/* A row as float, and one block of partial results. */
inline void GetMeanTmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount,
                                       uint32_t& extraBuffer) {
  maxLiveNodeCount = typeSize < 4 ? 3 : 1;
  extraBuffer = 32;
}

#define ACLSIM_PATTERN_SIZES(name)                                                           \
  inline void Get##name##MaxMinTmpSize(                                                      \
      const TensorShape& srcShape, const TensorDataType dataType, ReducePattern /*pattern*/, \
      bool /*isSrcInnerPad*/, bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) {  \
    aclsim_library::pattern_sizes(srcShape, dataType, isReuseSource, maxValue, minValue);    \
  }
ACLSIM_PATTERN_SIZES(ReduceSum)
ACLSIM_PATTERN_SIZES(ReduceMax)
ACLSIM_PATTERN_SIZES(ReduceMin)
ACLSIM_PATTERN_SIZES(ReduceProd)
ACLSIM_PATTERN_SIZES(ReduceMean)
ACLSIM_PATTERN_SIZES(ReduceAny)
ACLSIM_PATTERN_SIZES(ReduceAll)
#undef ACLSIM_PATTERN_SIZES

inline void GetReduceXorSumMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,
                                         const bool isReuseSource, uint32_t& maxValue,
                                         uint32_t& minValue) {
  const uint64_t bytes = aclsim_library::xor_sum_temporary(aclsim_library::elements_of(srcShape),
                                                           typeSize, isReuseSource);
  aclsim_library::put_sizes(bytes, bytes, maxValue, minValue);
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_TILING_REDUCTION_H_ */
