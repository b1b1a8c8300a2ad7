/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elements and blocks from and to places that are computed (offsets in bytes); transpositions.
 */
#ifndef ASCENDC_IMPL_VECTOR_GATHER_H_
#define ASCENDC_IMPL_VECTOR_GATHER_H_

#include "ascendc/impl/vector_issue.h"

namespace AscendC {

#define ACLSIM_GATHER(dst_stride)                     \
  aclsim_vector::Issue(ACLSIM_OP_Gather, ACLSIM_SITE) \
      .to(dst, 1, dst_stride)                         \
      .from(src)                                      \
      .from(srcOffset)                                \
      .bits(srcBaseOffset)
template <typename T>
ACLSIM_API void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                       const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseOffset,
                       const uint64_t mask, const uint8_t repeatTime, const uint16_t dstRepStride) {
  ACLSIM_TYPES(Gather, T, B16_B32, ALL);
  ACLSIM_GATHER(dstRepStride).lanes(mask, repeatTime);
}
template <typename T>
ACLSIM_API void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                       const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseOffset,
                       const uint64_t mask[], const uint8_t repeatTime,
                       const uint16_t dstRepStride) {
  ACLSIM_TYPES(Gather, T, B16_B32, ALL);
  ACLSIM_GATHER(dstRepStride).lanes(mask, repeatTime);
}
template <typename T>
ACLSIM_API void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                       const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseOffset,
                       const uint32_t count) {
  ACLSIM_TYPES(Gather, T, B16_B32, ALL);
  ACLSIM_GATHER(8).count(count);
}
#undef ACLSIM_GATHER

template <typename T>
ACLSIM_API void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                        const LocalTensor<uint32_t>& offset, const uint8_t repeatTime,
                        const GatherRepeatParams& repeatParams) {
  ACLSIM_TYPES(Gatherb, T, U16_U32, ALL);
  aclsim_vector::Issue(ACLSIM_OP_Gatherb, ACLSIM_SITE)
      .to(dst, repeatParams.dstBlkStride, repeatParams.dstRepStride)
      .from(src)
      .from(offset)
      .repeats(repeatTime)
      .go();
}

#if ACLSIM_NPU_ARCH == 3510
#define ACLSIM_SCATTER(src_stride)                     \
  aclsim_vector::Issue(ACLSIM_OP_Scatter, ACLSIM_SITE) \
      .to(dst)                                         \
      .from(src, 1, src_stride)                        \
      .from(dstOffset)                                 \
      .bits(dstBaseAddr)
template <typename T>
ACLSIM_API void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                        const LocalTensor<uint32_t>& dstOffset, const uint32_t dstBaseAddr,
                        const uint64_t mask, const uint8_t repeatTime, const uint8_t srcRepStride) {
  ACLSIM_TYPES(Scatter, T, B16_B32, ALL);
  ACLSIM_SCATTER(srcRepStride).lanes(mask, repeatTime);
}
template <typename T>
ACLSIM_API void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                        const LocalTensor<uint32_t>& dstOffset, const uint32_t dstBaseAddr,
                        const uint64_t mask[], const uint8_t repeatTime,
                        const uint8_t srcRepStride) {
  ACLSIM_TYPES(Scatter, T, B16_B32, ALL);
  ACLSIM_SCATTER(srcRepStride).lanes(mask, repeatTime);
}
template <typename T>
ACLSIM_API void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                        const LocalTensor<uint32_t>& dstOffset, const uint32_t dstBaseAddr,
                        const uint32_t count) {
  ACLSIM_TYPES(Scatter, T, B16_B32, ALL);
  ACLSIM_SCATTER(8).count(count);
}
#undef ACLSIM_SCATTER
#else
template <typename T, typename... Rest>
void Scatter(const LocalTensor<T>&, const Rest&...) {
  static_assert(sizeof(T) == 0, "AscendC::Scatter: not on this architecture, expected 3510");
}
#endif

template <typename T, typename U, GatherMaskMode mode = defaultGatherMaskMode>
ACLSIM_API void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                           const LocalTensor<U>& src1Pattern, const bool reduceMode,
                           const uint32_t mask, const GatherMaskParams& gatherMaskParams,
                           uint64_t& rsvdCnt) {
  ACLSIM_TYPES(GatherMask, T, B16_B32, B8_B16_B32);
  static_assert(std::is_unsigned_v<U> && sizeof(U) == sizeof(T),
                "AscendC::GatherMask: the pattern has unsigned elements as wide as those of src0");
  aclsimAnswer answer = {};
  aclsim_vector::Issue(ACLSIM_OP_GatherMask, ACLSIM_SITE)
      .to(dst)
      .from(src0, gatherMaskParams.src0BlockStride, gatherMaskParams.src0RepeatStride)
      .from(src1Pattern, 1, gatherMaskParams.src1RepeatStride)
      .mode(reduceMode)
      .bits(mask)
      .more(&answer)
      .repeats(gatherMaskParams.repeatTimes)
      .go();
  rsvdCnt = answer.value[0];
}
template <typename T, GatherMaskMode mode = defaultGatherMaskMode>
ACLSIM_API void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                           const uint8_t src1Pattern, const bool reduceMode, const uint32_t mask,
                           const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt) {
  ACLSIM_TYPES(GatherMask, T, B16_B32, B8_B16_B32);
  aclsimAnswer answer = {};
  aclsim_vector::Issue(ACLSIM_OP_GatherMask, ACLSIM_SITE)
      .to(dst)
      .from(src0, gatherMaskParams.src0BlockStride, gatherMaskParams.src0RepeatStride)
      .mode(reduceMode)
      .bits(mask)
      .bits(src1Pattern)
      .more(&answer)
      .repeats(gatherMaskParams.repeatTimes)
      .go();
  rsvdCnt = answer.value[0];
}
ACLSIM_API inline int64_t GetGatherMaskRemainCount() {
  return static_cast<int64_t>(
      aclsim_vector::ask(ACLSIM_OP_GetGatherMaskRemainCount, ACLSIM_SITE).value[0]);
}

/* ---- transpositions ---- */

template <typename T>
ACLSIM_API void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src) {
  ACLSIM_TYPES(Transpose, T, S16_U16_F16, S16_U16_F16);
  aclsim_vector::Issue(ACLSIM_OP_Transpose, ACLSIM_SITE).to(dst).from(src).go();
}
template <typename T>
ACLSIM_API void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                          const LocalTensor<uint8_t>& sharedTmpBuffer,
                          const TransposeParamsExt& transposeParams) {
  ACLSIM_TYPES(Transpose, T, B8_B16_B32, B8_B16_B32_FP8);
  const uint64_t sizes = static_cast<uint64_t>(transposeParams.nSize) |
                         static_cast<uint64_t>(transposeParams.cSize) << 16 |
                         static_cast<uint64_t>(transposeParams.hSize) << 32 |
                         static_cast<uint64_t>(transposeParams.wSize) << 48;
  aclsim_vector::Issue(ACLSIM_OP_TransposeExt, ACLSIM_SITE)
      .to(aclsim_vector::plain(dst))
      .from(aclsim_vector::plain(src))
      .to(sharedTmpBuffer)
      .mode(transposeParams.transposeType)
      .bits(sizes)
      .go();
}

}  // namespace AscendC

namespace aclsim_vector {

/* Blocks by address: how far their memory reaches is not known. */
template <typename T>
aclsimOperand block_at(uint64_t address, uint8_t access) {
  aclsimOperand block = {};
  block.address = reinterpret_cast<void*>(address);
  block.element = aclsim_element::of<T>;
  block.position = static_cast<uint8_t>(AscendC::TPosition::VECCALC);
  block.access = access;
  return block;
}

inline void trans_data(const void* site, const aclsimBlockLists& lists,
                       const AscendC::TransDataTo5HDParams& params) {
  Issue issue(ACLSIM_OP_TransDataTo5HD, site);
  issue.instruction.operand[0] = lists.dst[0];
  issue.instruction.operand[1] = lists.src[0];
  issue.instruction.operands = 2;
  issue.instruction.operand[0].repeat_stride = params.dstRepStride;
  issue.instruction.operand[1].repeat_stride = params.srcRepStride;
  issue.mode((params.dstHighHalf ? 1 : 0) | (params.srcHighHalf ? 2 : 0))
      .more(&lists)
      .repeats(params.repeatTimes)
      .go();
}

}  // namespace aclsim_vector

namespace AscendC {

template <typename T>
ACLSIM_API void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                               const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                               const TransDataTo5HDParams& nchwconvParams) {
  ACLSIM_TYPES(TransDataTo5HD, T, B8_B16_B32_NO_BF, B8_B16_B32);
  aclsimBlockLists lists = {};
  for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    lists.dst[i] = dstList[i].aclsim_operand(ACLSIM_WRITES);
    lists.src[i] = srcList[i].aclsim_operand(ACLSIM_READS);
  }
  aclsim_vector::trans_data(ACLSIM_SITE, lists, nchwconvParams);
}
template <typename T>
ACLSIM_API void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE],
                               uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                               const TransDataTo5HDParams& nchwconvParams) {
  ACLSIM_TYPES(TransDataTo5HD, T, B8_B16_B32_NO_BF, B8_B16_B32);
  aclsimBlockLists lists = {};
  for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    lists.dst[i] = aclsim_vector::block_at<T>(dstList[i], ACLSIM_WRITES);
    lists.src[i] = aclsim_vector::block_at<T>(srcList[i], ACLSIM_READS);
  }
  aclsim_vector::trans_data(ACLSIM_SITE, lists, nchwconvParams);
}
/* The lists are in local memory: the scalar unit reads them. */
template <typename T>
ACLSIM_API void TransDataTo5HD(const LocalTensor<uint64_t>& dst, const LocalTensor<uint64_t>& src,
                               const TransDataTo5HDParams& nchwconvParams) {
  ACLSIM_TYPES(TransDataTo5HD, T, B8_B16_B32_NO_BF, B8_B16_B32);
  aclsimBlockLists lists = {};
  for (uint32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    lists.dst[i] = aclsim_vector::block_at<T>(dst.GetValue(i), ACLSIM_WRITES);
    lists.src[i] = aclsim_vector::block_at<T>(src.GetValue(i), ACLSIM_READS);
  }
  aclsim_vector::trans_data(ACLSIM_SITE, lists, nchwconvParams);
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_VECTOR_GATHER_H_ */
