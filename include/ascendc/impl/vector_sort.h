/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorting by descending score. A record has 8 bytes: the score in the first four, then a uint32_t.
 */
#ifndef ASCENDC_IMPL_VECTOR_SORT_H_
#define ASCENDC_IMPL_VECTOR_SORT_H_

#include "ascendc/impl/vector_issue.h"

namespace aclsim_vector {

template <typename T>
void merge_sort(const void* site, const LocalTensor<T>& dst, const AscendC::MrgSortSrcList<T>& src,
                const uint16_t* lengths, uint16_t validBit, bool suspends, int32_t repeatTime) {
  uint64_t packed = 0;
  for (int i = 0; i < 4; ++i) packed |= static_cast<uint64_t>(lengths[i]) << (16 * i);
  Issue(ACLSIM_OP_MrgSort, site)
      .to(dst)
      .from(src.src1)
      .from(src.src2)
      .from(src.src3)
      .from(src.src4)
      .bits(packed)
      .bits(validBit)
      .mode(suspends)
      .repeats(repeatTime)
      .go();
}

}  // namespace aclsim_vector

namespace AscendC {

template <typename T>
ACLSIM_API void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                       const LocalTensor<uint32_t>& src1, const int32_t repeatTime) {
  ACLSIM_TYPES(Sort32, T, F16_F32, F16_F32);
  aclsim_vector::Issue(ACLSIM_OP_Sort32, ACLSIM_SITE)
      .to(dst)
      .from(src0)
      .from(src1)
      .repeats(repeatTime)
      .go();
}

template <typename T>
ACLSIM_API void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src,
                        const MrgSort4Info& params) {
  ACLSIM_TYPES(MrgSort, T, F16_F32, F16_F32);
  aclsim_vector::merge_sort(ACLSIM_SITE, dst, src, params.elementLengths, params.validBit,
                            params.ifExhaustedSuspension, params.repeatTimes);
}
ACLSIM_API inline void GetMrgSortResult(uint16_t& mrgSortList1, uint16_t& mrgSortList2,
                                        uint16_t& mrgSortList3, uint16_t& mrgSortList4) {
  const aclsimAnswer answer = aclsim_vector::ask(ACLSIM_OP_GetMrgSortResult, ACLSIM_SITE);
  mrgSortList1 = static_cast<uint16_t>(answer.value[0]);
  mrgSortList2 = static_cast<uint16_t>(answer.value[1]);
  mrgSortList3 = static_cast<uint16_t>(answer.value[2]);
  mrgSortList4 = static_cast<uint16_t>(answer.value[3]);
}
template <typename T, bool isExhaustedSuspension = false>
ACLSIM_API void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& sortList,
                        const uint16_t elementCountList[4], uint32_t sortedNum[4],
                        uint16_t validBit, const int32_t repeatTime) {
  ACLSIM_TYPES(MrgSort, T, F16_F32, F16_F32);
  aclsim_vector::merge_sort(ACLSIM_SITE, dst, sortList, elementCountList, validBit,
                            isExhaustedSuspension, repeatTime);
  if constexpr (isExhaustedSuspension) {
    const aclsimAnswer answer = aclsim_vector::ask(ACLSIM_OP_GetMrgSortResult, ACLSIM_SITE);
    for (int i = 0; i < 4; ++i) sortedNum[i] = static_cast<uint32_t>(answer.value[i]);
  }
}

/* On these machines scores are sorted where they lie. */
template <typename T>
void Concat(LocalTensor<T>& concat, const LocalTensor<T>& src, const LocalTensor<T>& tmp,
            const int32_t repeatTime) {
  ACLSIM_TYPES(Concat, T, F16_F32, F16_F32);
  (void)tmp;
  (void)repeatTime;
  concat = src;
}
template <typename T>
ACLSIM_API void Extract(const LocalTensor<T>& dstValue, const LocalTensor<uint32_t>& dstIndex,
                        const LocalTensor<T>& sorted, const int32_t repeatTime) {
  ACLSIM_TYPES(Extract, T, F16_F32, F16_F32);
  aclsim_vector::Issue(ACLSIM_OP_Extract, ACLSIM_SITE)
      .to(dstValue)
      .to(dstIndex)
      .from(sorted)
      .repeats(repeatTime)
      .go();
}
template <typename T, bool isFullSort>
ACLSIM_API void Sort(const LocalTensor<T>& dst, const LocalTensor<T>& concat,
                     const LocalTensor<uint32_t>& index, LocalTensor<T>& tmp,
                     const int32_t repeatTime) {
  ACLSIM_TYPES(Sort, T, F16_F32, F16_F32);
  aclsim_vector::Issue issue(ACLSIM_OP_Sort, ACLSIM_SITE);
  issue.to(dst).from(concat).from(index);
  if constexpr (isFullSort) issue.to(tmp);
  issue.mode(isFullSort).repeats(repeatTime).go();
}
/* Elements of T that `elemCount` records take. */
template <typename T>
uint32_t GetSortLen(const uint32_t elemCount) {
  ACLSIM_TYPES(GetSortLen, T, F16_F32, F16_F32);
  return elemCount * static_cast<uint32_t>(8 / sizeof(T));
}
template <typename T>
uint32_t GetSortOffset(const uint32_t elemOffset) {
  ACLSIM_TYPES(GetSortOffset, T, F16_F32, F16_F32);
  return elemOffset * static_cast<uint32_t>(8 / sizeof(T));
}

/* ---- of older machines ---- */

#define ACLSIM_REFUSED(Name)                                                                 \
  template <typename T, typename... Rest>                                                    \
  void Name(const LocalTensor<T>&, const Rest&...) {                                         \
    static_assert(sizeof(T) == 0, "AscendC::" #Name ": not supported on this architecture"); \
  }
ACLSIM_REFUSED(MrgSort4)
ACLSIM_REFUSED(RpSort16)
ACLSIM_REFUSED(ProposalConcat)
ACLSIM_REFUSED(ProposalExtract)
ACLSIM_REFUSED(BilinearInterpolation)
ACLSIM_REFUSED(VectorPadding)
#undef ACLSIM_REFUSED

}  // namespace AscendC

#endif /* ASCENDC_IMPL_VECTOR_SORT_H_ */
