/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reductions: of pairs, blocks of 32 bytes, repeats, and of whole tensors.
 */
#ifndef ASCENDC_IMPL_VECTOR_REDUCE_H_
#define ASCENDC_IMPL_VECTOR_REDUCE_H_

#include "ascendc/impl/vector_issue.h"

namespace aclsim_vector {

inline uint64_t mask_lanes(int32_t mask) { return mask < 0 ? 0 : static_cast<uint64_t>(mask); }
inline const uint64_t* mask_lanes(const uint64_t* mask) { return mask; }

template <bool isSetMask, typename D, typename S, typename Mask>
void reduce(uint16_t opcode, const void* site, const LocalTensor<D>& dst, const LocalTensor<S>& src,
            AscendC::ReduceType type, Mask mask, int32_t repeatTime, int32_t dstRepStride,
            int32_t srcBlkStride, int32_t srcRepStride,
            AscendC::ReduceOrder order = AscendC::ReduceOrder::ORDER_VALUE_INDEX) {
  Issue(opcode, site)
      .mode(static_cast<int32_t>(type) | static_cast<int32_t>(order) << 8)
      .to(dst, 1, dstRepStride)
      .from(src, srcBlkStride, srcRepStride)
      .template lanes<isSetMask>(mask_lanes(mask), repeatTime);
}

}  // namespace aclsim_vector

namespace AscendC {

#define ACLSIM_REDUCE_STRIDES \
  const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride
#define ACLSIM_REDUCED(D, S) const LocalTensor<D>&dst, const LocalTensor<S>&src

/* With the reduction as a template argument. */
#define ACLSIM_REDUCE_BY_TYPE(Name, MASK, ORDER, GIVEN)                                           \
  template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>                 \
  ACLSIM_API void Name(ACLSIM_REDUCED(T, U), MASK, const int32_t repeatTime,                      \
                       ACLSIM_REDUCE_STRIDES ORDER) {                                             \
    ACLSIM_TYPES(Name, U, F16_F32, B16_B32_NO_BF);                                                \
    static_assert(sizeof(T) == sizeof(U) || reduceType != ReduceType::SUM,                        \
                  "AscendC::" #Name ": dst and src have other elements");                         \
    aclsim_vector::reduce<isSetMask>(ACLSIM_OP_##Name, ACLSIM_SITE, dst, src, reduceType, mask,   \
                                     repeatTime, dstRepStride, srcBlkStride, srcRepStride GIVEN); \
  }
#define ACLSIM_NOTHING
#define ACLSIM_COMMA ,
ACLSIM_REDUCE_BY_TYPE(ReduceDataBlock, const int32_t mask, ACLSIM_NOTHING, ACLSIM_NOTHING)
ACLSIM_REDUCE_BY_TYPE(ReduceDataBlock, const uint64_t mask[], ACLSIM_NOTHING, ACLSIM_NOTHING)
ACLSIM_REDUCE_BY_TYPE(ReducePairElem, const int32_t mask, ACLSIM_NOTHING, ACLSIM_NOTHING)
ACLSIM_REDUCE_BY_TYPE(ReducePairElem, const uint64_t mask[], ACLSIM_NOTHING, ACLSIM_NOTHING)
ACLSIM_REDUCE_BY_TYPE(ReduceRepeat, const int32_t mask,
                      ACLSIM_COMMA ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX,
                      ACLSIM_COMMA order)
ACLSIM_REDUCE_BY_TYPE(ReduceRepeat, const uint64_t mask[],
                      ACLSIM_COMMA ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX,
                      ACLSIM_COMMA order)
#undef ACLSIM_REDUCE_BY_TYPE

/* Older names: (repeatTime, mask, ...). */
#define ACLSIM_REDUCE_OLD(Name, Now, TYPE, MASK)                                                  \
  template <typename T, bool isSetMask = true>                                                    \
  ACLSIM_API void Name(ACLSIM_REDUCED(T, T), const int32_t repeatTime, MASK,                      \
                       ACLSIM_REDUCE_STRIDES) {                                                   \
    ACLSIM_TYPES(Name, T, F16_F32, F16_F32);                                                      \
    aclsim_vector::reduce<isSetMask>(ACLSIM_OP_##Now, ACLSIM_SITE, dst, src, ReduceType::TYPE,    \
                                     mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride); \
  }
ACLSIM_REDUCE_OLD(BlockReduceSum, ReduceDataBlock, SUM, const int32_t mask)
ACLSIM_REDUCE_OLD(BlockReduceSum, ReduceDataBlock, SUM, const uint64_t mask[])
ACLSIM_REDUCE_OLD(BlockReduceMax, ReduceDataBlock, MAX, const int32_t mask)
ACLSIM_REDUCE_OLD(BlockReduceMax, ReduceDataBlock, MAX, const uint64_t mask[])
ACLSIM_REDUCE_OLD(BlockReduceMin, ReduceDataBlock, MIN, const int32_t mask)
ACLSIM_REDUCE_OLD(BlockReduceMin, ReduceDataBlock, MIN, const uint64_t mask[])
ACLSIM_REDUCE_OLD(PairReduceSum, ReducePairElem, SUM, const int32_t mask)
ACLSIM_REDUCE_OLD(PairReduceSum, ReducePairElem, SUM, const uint64_t mask[])
#undef ACLSIM_REDUCE_OLD

/* Sums may have another type on newer machines. */
#if ACLSIM_NPU_ARCH == 3510
#define ACLSIM_SUM_TEMPLATE template <typename T, bool isSetMask = true, typename U = T>
#define ACLSIM_SUM_TENSORS ACLSIM_REDUCED(U, T)
#else
#define ACLSIM_SUM_TEMPLATE template <typename T, bool isSetMask = true>
#define ACLSIM_SUM_TENSORS ACLSIM_REDUCED(T, T)
#endif
ACLSIM_SUM_TEMPLATE
ACLSIM_API void RepeatReduceSum(ACLSIM_SUM_TENSORS, const int32_t repeatTime, const int32_t mask,
                                const int32_t dstBlkStride, const int32_t srcBlkStride,
                                const int32_t dstRepStride, const int32_t srcRepStride) {
  ACLSIM_TYPES(RepeatReduceSum, T, F16_F32, B16_B32_NO_BF);
  (void)dstBlkStride;
  aclsim_vector::reduce<isSetMask>(ACLSIM_OP_ReduceRepeat, ACLSIM_SITE, dst, src, ReduceType::SUM,
                                   mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride);
}
#define ACLSIM_WHOLE_SUM(MASK)                                                        \
  ACLSIM_SUM_TEMPLATE                                                                 \
  ACLSIM_API void WholeReduceSum(ACLSIM_SUM_TENSORS, MASK, const int32_t repeatTime,  \
                                 ACLSIM_REDUCE_STRIDES) {                             \
    ACLSIM_TYPES(WholeReduceSum, T, F16_F32, B16_B32_NO_BF);                          \
    aclsim_vector::reduce<isSetMask>(ACLSIM_OP_ReduceRepeat, ACLSIM_SITE, dst, src,   \
                                     ReduceType::SUM, mask, repeatTime, dstRepStride, \
                                     srcBlkStride, srcRepStride);                     \
  }
ACLSIM_WHOLE_SUM(const int32_t mask)
ACLSIM_WHOLE_SUM(const uint64_t mask[])
#undef ACLSIM_WHOLE_SUM
#undef ACLSIM_SUM_TEMPLATE
#undef ACLSIM_SUM_TENSORS

#define ACLSIM_WHOLE(Name, TYPE, MASK)                                                 \
  template <typename T, bool isSetMask = true>                                         \
  ACLSIM_API void Name(ACLSIM_REDUCED(T, T), MASK, const int32_t repeatTime,           \
                       ACLSIM_REDUCE_STRIDES,                                          \
                       ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {           \
    ACLSIM_TYPES(Name, T, F16_F32, B16_B32_NO_BF);                                     \
    aclsim_vector::reduce<isSetMask>(ACLSIM_OP_ReduceRepeat, ACLSIM_SITE, dst, src,    \
                                     ReduceType::TYPE, mask, repeatTime, dstRepStride, \
                                     srcBlkStride, srcRepStride, order);               \
  }
ACLSIM_WHOLE(WholeReduceMax, MAX, const int32_t mask)
ACLSIM_WHOLE(WholeReduceMax, MAX, const uint64_t mask[])
ACLSIM_WHOLE(WholeReduceMin, MIN, const int32_t mask)
ACLSIM_WHOLE(WholeReduceMin, MIN, const uint64_t mask[])
#undef ACLSIM_WHOLE

/* ---- to one value ---- */

#define ACLSIM_REDUCED_ALL \
  const LocalTensor<T>&dst, const LocalTensor<T>&src, const LocalTensor<T>&sharedTmpBuffer
#define ACLSIM_REDUCE_ALL(Name) aclsim_vector::Issue(ACLSIM_OP_##Name, ACLSIM_SITE).to(dst)

template <typename T, bool isSetMask = true>
ACLSIM_API void ReduceSum(ACLSIM_REDUCED_ALL, const int32_t count) {
  ACLSIM_TYPES(ReduceSum, T, F16_F32, SUMS);
  ACLSIM_REDUCE_ALL(ReduceSum).from(src).to(sharedTmpBuffer).count(count);
}
template <typename T>
ACLSIM_API void ReduceSum(ACLSIM_REDUCED_ALL, const int32_t mask, const int32_t repeatTime,
                          const int32_t srcRepStride) {
  ACLSIM_TYPES(ReduceSum, T, F16_F32, SUMS);
  ACLSIM_REDUCE_ALL(ReduceSum)
      .from(src, 1, srcRepStride)
      .to(sharedTmpBuffer)
      .lanes(aclsim_vector::mask_lanes(mask), repeatTime);
}
template <typename T>
ACLSIM_API void ReduceSum(ACLSIM_REDUCED_ALL, const uint64_t mask[], const int32_t repeatTime,
                          const int32_t srcRepStride) {
  ACLSIM_TYPES(ReduceSum, T, F16_F32, SUMS);
  ACLSIM_REDUCE_ALL(ReduceSum)
      .from(src, 1, srcRepStride)
      .to(sharedTmpBuffer)
      .lanes(mask, repeatTime);
}
#define ACLSIM_REDUCE_EXTREME(Name)                                                         \
  template <typename T>                                                                     \
  ACLSIM_API void Name(ACLSIM_REDUCED_ALL, const int32_t mask, const int32_t repeatTime,    \
                       const int32_t srcRepStride, bool calIndex = 0) {                     \
    ACLSIM_TYPES(Name, T, F16_F32, B16_B64_NO_BF);                                          \
    ACLSIM_REDUCE_ALL(Name)                                                                 \
        .from(src, 1, srcRepStride)                                                         \
        .to(sharedTmpBuffer)                                                                \
        .mode(calIndex)                                                                     \
        .lanes(aclsim_vector::mask_lanes(mask), repeatTime);                                \
  }                                                                                         \
  template <typename T>                                                                     \
  ACLSIM_API void Name(ACLSIM_REDUCED_ALL, const uint64_t mask[], const int32_t repeatTime, \
                       const int32_t srcRepStride, bool calIndex = 0) {                     \
    ACLSIM_TYPES(Name, T, F16_F32, B16_B64_NO_BF);                                          \
    ACLSIM_REDUCE_ALL(Name)                                                                 \
        .from(src, 1, srcRepStride)                                                         \
        .to(sharedTmpBuffer)                                                                \
        .mode(calIndex)                                                                     \
        .lanes(mask, repeatTime);                                                           \
  }                                                                                         \
  template <typename T>                                                                     \
  ACLSIM_API void Name(ACLSIM_REDUCED_ALL, const int32_t count, bool calIndex = 0) {        \
    ACLSIM_TYPES(Name, T, F16_F32, B16_B64_NO_BF);                                          \
    ACLSIM_REDUCE_ALL(Name).from(src).to(sharedTmpBuffer).mode(calIndex).count(count);      \
  }
ACLSIM_REDUCE_EXTREME(ReduceMax)
ACLSIM_REDUCE_EXTREME(ReduceMin)
#undef ACLSIM_REDUCE_EXTREME
#undef ACLSIM_REDUCE_ALL
#undef ACLSIM_REDUCED_ALL
#undef ACLSIM_REDUCED
#undef ACLSIM_REDUCE_STRIDES
#undef ACLSIM_NOTHING
#undef ACLSIM_COMMA

/* ---- what the last reduction left in its registers ---- */

#define ACLSIM_EXTREME_REGISTERS(Name)                                                 \
  template <typename T>                                                                \
  ACLSIM_API void Name(T& maxMinValue, T& maxMinIndex) {                               \
    const aclsimAnswer answer =                                                        \
        aclsim_vector::ask(ACLSIM_OP_GetReduceRepeatMaxMinSpr, ACLSIM_SITE);           \
    maxMinValue = aclsim_vector::from_bits<T>(answer.value[0]);                        \
    maxMinIndex = aclsim_vector::from_bits<T>(answer.value[1]);                        \
  }                                                                                    \
  template <typename T>                                                                \
  ACLSIM_API void Name(T& maxMinValue) {                                               \
    maxMinValue = aclsim_vector::from_bits<T>(                                         \
        aclsim_vector::ask(ACLSIM_OP_GetReduceRepeatMaxMinSpr, ACLSIM_SITE).value[0]); \
  }
ACLSIM_EXTREME_REGISTERS(GetReduceRepeatMaxMinSpr)
ACLSIM_EXTREME_REGISTERS(GetReduceMaxMinCount)
#undef ACLSIM_EXTREME_REGISTERS
template <typename T>
ACLSIM_API T GetReduceRepeatSumSpr() {
  return aclsim_vector::from_bits<T>(
      aclsim_vector::ask(ACLSIM_OP_GetReduceRepeatSumSpr, ACLSIM_SITE).value[0]);
}
/* The older name, without a type: the bits. */
template <typename T = uint64_t>
ACLSIM_API T GetAccVal() {
  return aclsim_vector::from_bits<T>(
      aclsim_vector::ask(ACLSIM_OP_GetReduceRepeatSumSpr, ACLSIM_SITE).value[0]);
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_VECTOR_REDUCE_H_ */
