/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The temporary memory and the tilings of the library's sorts. C++11.
 */
#ifndef ASCENDC_IMPL_LIBRARY_TILING_SORT_H_
#define ASCENDC_IMPL_LIBRARY_TILING_SORT_H_

#include "ascendc/impl/library_sizes_sort.h"
#include "ascendc/impl/library_tiling.h"
#include "ascendc/impl/library_tiling_types.h"
#include "ascendc/impl/library_tilings.h"

namespace AscendC {

/* A record of 8 bytes for each element. */
inline uint32_t GetConcatTmpSize(const platform_ascendc::PlatformAscendC&, const uint32_t elemCount,
                                 const uint32_t /*dataTypeSize*/) {
  return elemCount * 8;
}
inline uint32_t GetSortTmpSize(const platform_ascendc::PlatformAscendC&, const uint32_t elemCount,
                               const uint32_t /*dataTypeSize*/) {
  return elemCount * 8;
}

inline void GetSortMaxMinTmpSize(const TensorShape& srcShape, TensorDataType valueType,
                                 TensorDataType indexType, bool isReuseSource,
                                 const SortConfig& config, uint32_t& maxValue, uint32_t& minValue) {
  const uint64_t bytes = aclsim_library::sort_temporary(
      aclsim_library::elements_of(srcShape), aclsim_library::bytes_of_type(valueType),
      aclsim_library::bytes_of_type(indexType), config.type == SortType::MERGE_SORT, isReuseSource);
  aclsim_library::put_sizes(bytes, bytes, maxValue, minValue);
}

}  // namespace AscendC

namespace aclsim_library {

/* false: the arguments are no shape of TopK. */
inline bool topk_sizes(int32_t inner, int32_t outter, uint32_t type_size, bool reuses,
                       bool has_index, AscendC::TopKMode mode, bool largest, bool radix,
                       uint32_t& max_value, uint32_t& min_value) {
  if (inner <= 0 || inner % 32 != 0 || outter <= 0) return false;
  const uint64_t bytes =
      topk_temporary(static_cast<uint64_t>(inner), static_cast<uint64_t>(outter), type_size,
                     mode == AscendC::TopKMode::TOPK_NSMALL, radix, !has_index, largest, reuses);
  put_sizes(bytes, bytes, max_value, min_value);
  return true;
}

}  // namespace aclsim_library

namespace AscendC {

inline bool GetTopKMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const int32_t inner,
                                 const int32_t outter, const bool isReuseSource,
                                 const bool isInitIndex, enum TopKMode mode, const bool isLargest,
                                 const uint32_t dataTypeSize, uint32_t& maxValue,
                                 uint32_t& minValue) {
  return aclsim_library::topk_sizes(inner, outter, dataTypeSize, isReuseSource, isInitIndex, mode,
                                    isLargest, false, maxValue, minValue);
}
inline bool GetTopKMaxMinTmpSize(const int32_t inner, const int32_t outter, const int32_t /*k*/,
                                 const bool isReuseSource, const bool isInitIndex,
                                 enum TopKMode mode, const bool isLargest, TensorDataType dataType,
                                 const TopKConfig& config, uint32_t& maxValue, uint32_t& minValue) {
  const bool largest =
      config.order == TopKOrder::UNSET ? isLargest : config.order == TopKOrder::LARGEST;
  return aclsim_library::topk_sizes(inner, outter, aclsim_library::bytes_of_type(dataType),
                                    isReuseSource, isInitIndex, mode, largest,
                                    config.algo == TopKAlgo::RADIX_SELECT, maxValue, minValue);
}

/* The kernel does not need the tiling. */
inline bool TopKTilingFunc(const platform_ascendc::PlatformAscendC& ascendcPlatform,
                           const int32_t inner, const int32_t outter, const int32_t k,
                           const uint32_t dataTypeSize, const bool isInitIndex, enum TopKMode mode,
                           const bool isLargest, tiling::TopkTiling& topKTiling) {
  uint32_t most = 0;
  uint32_t least = 0;
  topKTiling = tiling::TopkTiling();
  if (k <= 0 || k > inner ||
      !GetTopKMaxMinTmpSize(ascendcPlatform, inner, outter, false, isInitIndex, mode, isLargest,
                            dataTypeSize, most, least)) {
    return false;
  }
  topKTiling.tmpLocalSize = static_cast<int32_t>(least / 4);
  topKTiling.allDataSize = inner * outter;
  topKTiling.innerDataSize = inner;
  topKTiling.sortRepeat = static_cast<uint32_t>(inner / 32);
  topKTiling.mrgSortRepeat = inner / 128;
  topKTiling.kAlignFourBytes = (k + 7) / 8 * 8;
  topKTiling.kAlignTwoBytes = (k + 15) / 16 * 16;
  return true;
}
/* The same for the class with a set_ function for each field. */
template <typename Tiling>
bool TopKTilingFunc(const platform_ascendc::PlatformAscendC& ascendcPlatform, const int32_t inner,
                    const int32_t outter, const int32_t k, const uint32_t dataTypeSize,
                    const bool isInitIndex, enum TopKMode mode, const bool isLargest,
                    Tiling& topKTiling) {
  tiling::TopkTiling plain;
  const bool done = TopKTilingFunc(ascendcPlatform, inner, outter, k, dataTypeSize, isInitIndex,
                                   mode, isLargest, plain);
#define ACLSIM_SET_FIELD(type, name) topKTiling.set_##name(plain.name);
  ACLSIM_TopkTiling_FIELDS(ACLSIM_SET_FIELD)
#undef ACLSIM_SET_FIELD
      return done;
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_TILING_SORT_H_ */
