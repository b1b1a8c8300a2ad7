/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorts of the library with a configuration, and the first k elements of rows. Equal elements keep
 * their order.
 */
#ifndef ASCENDC_IMPL_LIBRARY_SORT_H_
#define ASCENDC_IMPL_LIBRARY_SORT_H_

#include "ascendc/impl/library_math.h"
#include "ascendc/impl/library_sizes_sort.h"
#include "ascendc/impl/library_tilings.h"

namespace aclsim_library {

constexpr bool merges(const AscendC::SortConfig& config) {
  return config.type == AscendC::SortType::MERGE_SORT;
}
template <typename T>
constexpr bool has_records = std::is_same_v<T, half> || std::is_same_v<T, float>;
template <typename T>
constexpr bool is_index = std::is_same_v<T, uint32_t> || std::is_same_v<T, int32_t> ||
                          std::is_same_v<T, uint64_t> || std::is_same_v<T, int64_t>;

}  // namespace aclsim_library

namespace AscendC {

using tiling::TopkTiling;

inline constexpr SortConfig DEFAULT_SORT_CONFIG = {SortType::RADIX_SORT, false};
inline constexpr TopKConfig defaultTopKConfig = {TopKAlgo::MERGE_SORT, TopKOrder::UNSET, true};

/* `inner` elements a row in memory, of which the last inner - n are padding. */
struct TopKInfo {
  int32_t outter = 1;
  int32_t inner;
  int32_t n;
};

#define ACLSIM_SORT_TYPES(T, U)                                                             \
  ACLSIM_LIBRARY_TYPES(Sort, T);                                                            \
  static_assert(!aclsim_library::merges(config) || aclsim_library::has_records<T>,          \
                "AscendC::Sort: MERGE_SORT sorts half and float only");                     \
  static_assert(aclsim_library::is_index<U> &&                                              \
                    (!aclsim_library::merges(config) || std::is_same_v<U, uint32_t>),       \
                "AscendC::Sort: indices are uint32_t, int32_t, uint64_t or int64_t; those " \
                "of MERGE_SORT are uint32_t")
#define ACLSIM_SORT_NUMBERS \
  .number(calCount).number(config.isDescend).number(aclsim_library::merges(config)).go()
#define ACLSIM_SORT_HEAD \
  template <typename T, bool isReuseSource = false, const SortConfig& config = DEFAULT_SORT_CONFIG>
#define ACLSIM_SORT_HEAD_INDEX                                  \
  template <typename T, typename U, bool isReuseSource = false, \
            const SortConfig& config = DEFAULT_SORT_CONFIG>
#define ACLSIM_SORT ACLSIM_LIBRARY_CALL(Sort, isReuseSource).to(dstTensor)

ACLSIM_SORT_HEAD ACLSIM_API void Sort(const LocalTensor<T>& dstTensor,
                                      const LocalTensor<T>& srcTensor, ACLSIM_TMP,
                                      const uint32_t calCount) {
  ACLSIM_SORT_TYPES(T, uint32_t);
  ACLSIM_SORT.none().from(srcTensor).none().to(sharedTmpBuffer) ACLSIM_SORT_NUMBERS;
}
ACLSIM_SORT_HEAD ACLSIM_API void Sort(const LocalTensor<T>& dstTensor,
                                      const LocalTensor<T>& srcTensor, const uint32_t calCount) {
  ACLSIM_SORT_TYPES(T, uint32_t);
  ACLSIM_SORT.none().from(srcTensor).none().none() ACLSIM_SORT_NUMBERS;
}
ACLSIM_SORT_HEAD ACLSIM_API void Sort(const LocalTensor<T>& dstTensor,
                                      const LocalTensor<uint32_t>& dstIndexTensor,
                                      const LocalTensor<T>& srcTensor, ACLSIM_TMP,
                                      const uint32_t calCount) {
  ACLSIM_SORT_TYPES(T, uint32_t);
  ACLSIM_SORT.to(dstIndexTensor).from(srcTensor).none().to(sharedTmpBuffer) ACLSIM_SORT_NUMBERS;
}
ACLSIM_SORT_HEAD ACLSIM_API void Sort(const LocalTensor<T>& dstTensor,
                                      const LocalTensor<uint32_t>& dstIndexTensor,
                                      const LocalTensor<T>& srcTensor, const uint32_t calCount) {
  ACLSIM_SORT_TYPES(T, uint32_t);
  ACLSIM_SORT.to(dstIndexTensor).from(srcTensor).none().none() ACLSIM_SORT_NUMBERS;
}
ACLSIM_SORT_HEAD_INDEX ACLSIM_API void Sort(const LocalTensor<T>& dstTensor,
                                            const LocalTensor<U>& dstIndexTensor,
                                            const LocalTensor<T>& srcTensor,
                                            const LocalTensor<U>& srcIndexTensor, ACLSIM_TMP,
                                            const uint32_t calCount) {
  ACLSIM_SORT_TYPES(T, U);
  ACLSIM_SORT.to(dstIndexTensor)
      .from(srcTensor)
      .from(srcIndexTensor)
      .to(sharedTmpBuffer) ACLSIM_SORT_NUMBERS;
}
ACLSIM_SORT_HEAD_INDEX ACLSIM_API void Sort(const LocalTensor<T>& dstTensor,
                                            const LocalTensor<U>& dstIndexTensor,
                                            const LocalTensor<T>& srcTensor,
                                            const LocalTensor<U>& srcIndexTensor,
                                            const uint32_t calCount) {
  ACLSIM_SORT_TYPES(T, U);
  ACLSIM_SORT.to(dstIndexTensor).from(srcTensor).from(srcIndexTensor).none() ACLSIM_SORT_NUMBERS;
}
#undef ACLSIM_SORT
#undef ACLSIM_SORT_HEAD
#undef ACLSIM_SORT_HEAD_INDEX
#undef ACLSIM_SORT_NUMBERS
#undef ACLSIM_SORT_TYPES

#define ACLSIM_TOPK_HEAD                                                             \
  template <typename T, bool isInitIndex = false, bool isHasfinish = false,          \
            bool isReuseSrc = false, enum TopKMode topkMode = TopKMode::TOPK_NORMAL, \
            const TopKConfig& config = defaultTopKConfig>
#define ACLSIM_TOPK_TENSORS                                                     \
  const LocalTensor<T>&dstValueLocal, const LocalTensor<int32_t>&dstIndexLocal, \
      const LocalTensor<T>&srcLocal, const LocalTensor<int32_t>&srcIndexLocal,  \
      const LocalTensor<bool>&finishLocal
#define ACLSIM_TOPK(TMP)                                                                         \
  constexpr bool kRadix = config.algo == TopKAlgo::RADIX_SELECT;                                 \
  constexpr bool kSmall = topkMode == TopKMode::TOPK_NSMALL;                                     \
  ACLSIM_LIBRARY_TYPES(TopK, T);                                                                 \
  static_assert(ACLSIM_NPU_ARCH == 3510 || !kRadix,                                              \
                "AscendC::TopK: architecture 2201 has no RADIX_SELECT");                         \
  static_assert(kRadix || aclsim_library::has_records<T>,                                        \
                "AscendC::TopK: MERGE_SORT takes half and float only");                          \
  aclsim_library::Call call = ACLSIM_LIBRARY_CALL(TopK, isReuseSrc);                             \
  call.to(dstValueLocal).to(dstIndexLocal).from(srcLocal);                                       \
  if constexpr (isInitIndex) {                                                                   \
    call.from(srcIndexLocal);                                                                    \
  } else {                                                                                       \
    call.none();                                                                                 \
  }                                                                                              \
  if constexpr (isHasfinish && !kRadix) {                                                        \
    call.from(finishLocal);                                                                      \
  } else {                                                                                       \
    call.none();                                                                                 \
  }                                                                                              \
  call TMP.number(topKInfo.outter)                                                               \
      .number(topKInfo.inner)                                                                    \
      .number(topKInfo.n)                                                                        \
      .number(k)                                                                                 \
      .number(config.order == TopKOrder::UNSET ? isLargest : config.order == TopKOrder::LARGEST) \
      .number(kSmall)                                                                            \
      .number(kRadix)                                                                            \
      .number(config.sorted)                                                                     \
      .go()

/* The k greatest (least) elements of each row, in order, and their indices: the elements of
 * srcIndexLocal if isInitIndex, else the places in the row. The tiling changes no result. */
ACLSIM_TOPK_HEAD ACLSIM_API void TopK(ACLSIM_TOPK_TENSORS, const LocalTensor<uint8_t>& tmpLocal,
                                      const int32_t k, const TopkTiling&, const TopKInfo& topKInfo,
                                      const bool isLargest = true) {
  ACLSIM_TOPK(.to(tmpLocal));
}
ACLSIM_TOPK_HEAD ACLSIM_API void TopK(ACLSIM_TOPK_TENSORS, const int32_t k, const TopkTiling&,
                                      const TopKInfo& topKInfo, const bool isLargest = true) {
  ACLSIM_TOPK(.none());
}
#undef ACLSIM_TOPK
#undef ACLSIM_TOPK_TENSORS
#undef ACLSIM_TOPK_HEAD

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_SORT_H_ */
