/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions between types, and tensors from scalars.
 */
#ifndef ASCENDC_IMPL_VECTOR_CONVERT_H_
#define ASCENDC_IMPL_VECTOR_CONVERT_H_

#include "ascendc/impl/vector_arithmetic.h"

namespace AscendC {

#define ACLSIM_CONVERTED const LocalTensor<T>&dst, const LocalTensor<U>&src

template <typename T, typename U>
ACLSIM_API void Cast(ACLSIM_CONVERTED, const RoundMode& roundMode, const uint32_t count) {
  ACLSIM_PAIR_OF(Cast, T, U);
  aclsim_vector::one(ACLSIM_OP_Cast, ACLSIM_SITE, dst, src).mode(roundMode).count(count);
}
template <typename T, typename U, bool isSetMask = true>
ACLSIM_API void Cast(ACLSIM_CONVERTED, const RoundMode& roundMode, const uint64_t mask[],
                     const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
  ACLSIM_PAIR_OF(Cast, T, U);
  aclsim_vector::one(ACLSIM_OP_Cast, ACLSIM_SITE, dst, src, repeatParams)
      .mode(roundMode)
      .template lanes<isSetMask>(mask, repeatTime);
}
template <typename T, typename U, bool isSetMask = true>
ACLSIM_API void Cast(ACLSIM_CONVERTED, const RoundMode& roundMode, const uint64_t mask,
                     const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
  ACLSIM_PAIR_OF(Cast, T, U);
  aclsim_vector::one(ACLSIM_OP_Cast, ACLSIM_SITE, dst, src, repeatParams)
      .mode(roundMode)
      .template lanes<isSetMask>(mask, repeatTime);
}

/* isVecDeq: the scales of SetDeqScale(vdeq, ...); else all elements have one. Both are in the
 * register. */
#define ACLSIM_DEQUANT(Name)                                                                       \
  template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true,                   \
            bool halfBlock = true>                                                                 \
  ACLSIM_API void Name(ACLSIM_CONVERTED, const uint64_t mask[], uint8_t repeatTime,                \
                       const UnaryRepeatParams& repeatParams) {                                    \
    ACLSIM_PAIR_OF(CastDequant, T, U);                                                             \
    aclsim_vector::one(ACLSIM_OP_CastDequant, ACLSIM_SITE, dst, src, repeatParams)                 \
        .mode(halfBlock)                                                                           \
        .template lanes<isSetMask>(mask, repeatTime);                                              \
  }                                                                                                \
  template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true,                   \
            bool halfBlock = true>                                                                 \
  ACLSIM_API void Name(ACLSIM_CONVERTED, const int32_t mask, uint8_t repeatTime,                   \
                       const UnaryRepeatParams& repeatParams) {                                    \
    ACLSIM_PAIR_OF(CastDequant, T, U);                                                             \
    aclsim_vector::one(ACLSIM_OP_CastDequant, ACLSIM_SITE, dst, src, repeatParams)                 \
        .mode(halfBlock)                                                                           \
        .template lanes<isSetMask>(static_cast<uint64_t>(mask < 0 ? 0 : mask), repeatTime);        \
  }                                                                                                \
  template <typename T, typename U, bool isVecDeq = true, bool halfBlock = true>                   \
  ACLSIM_API void Name(ACLSIM_CONVERTED, const uint32_t count) {                                   \
    ACLSIM_PAIR_OF(CastDequant, T, U);                                                             \
    aclsim_vector::one(ACLSIM_OP_CastDequant, ACLSIM_SITE, dst, src).mode(halfBlock).count(count); \
  }
ACLSIM_DEQUANT(CastDequant)
ACLSIM_DEQUANT(CastDeq)
#undef ACLSIM_DEQUANT
#undef ACLSIM_CONVERTED

ACLSIM_API inline void SetDeqScale(half scale) {
  aclsim_vector::Issue(ACLSIM_OP_SetDeqScale, ACLSIM_SITE).scalar(scale).mode(0).go();
}
ACLSIM_API inline void SetDeqScale(float scale, int16_t offset, bool signMode) {
  aclsim_vector::Issue(ACLSIM_OP_SetDeqScale, ACLSIM_SITE)
      .scalar(scale)
      .scalar(offset)
      .bits(signMode)
      .mode(1)
      .go();
}
template <typename T>
ACLSIM_API void SetDeqScale(const LocalTensor<T>& vdeq, const VdeqInfo& vdeqInfo) {
  (void)vdeq; /* where the machine would keep them */
  aclsimDeqScales scales = {};
  for (int i = 0; i < VDEQ_TENSOR_SIZE; ++i) {
    scales.scale[i] = vdeqInfo.vdeqScale[i];
    scales.offset[i] = vdeqInfo.vdeqOffset[i];
    scales.sign[i] = vdeqInfo.vdeqSignMode[i];
  }
  aclsim_vector::Issue(ACLSIM_OP_SetDeqScale, ACLSIM_SITE).mode(2).more(&scales).go();
}

/* ---- from scalars ---- */

template <typename T>
ACLSIM_API void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, const int32_t& count) {
  ACLSIM_TYPES(Duplicate, T, B16_B32, ALL_BOOL_B4);
  aclsim_vector::Issue(ACLSIM_OP_Duplicate, ACLSIM_SITE)
      .to(aclsim_vector::plain(dst))
      .scalar(aclsim_vector::plain(scalarValue))
      .count(aclsim_vector::bytes_or_count<T>(count));
}
template <typename T, bool isSetMask = true>
ACLSIM_API void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, uint64_t mask,
                          const uint8_t repeatTime, const uint16_t dstBlockStride,
                          const uint8_t dstRepeatStride) {
  ACLSIM_TYPES(Duplicate, T, B16_B32, ALL_BOOL);
  aclsim_vector::Issue(ACLSIM_OP_Duplicate, ACLSIM_SITE)
      .to(aclsim_vector::plain(dst), dstBlockStride, dstRepeatStride)
      .scalar(aclsim_vector::plain(scalarValue))
      .template lanes<isSetMask>(mask, repeatTime);
}
template <typename T, bool isSetMask = true>
ACLSIM_API void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, uint64_t mask[],
                          const uint8_t repeatTime, const uint16_t dstBlockStride,
                          const uint8_t dstRepeatStride) {
  ACLSIM_TYPES(Duplicate, T, B16_B32, ALL_BOOL);
  aclsim_vector::Issue(ACLSIM_OP_Duplicate, ACLSIM_SITE)
      .to(aclsim_vector::plain(dst), dstBlockStride, dstRepeatStride)
      .scalar(aclsim_vector::plain(scalarValue))
      .template lanes<isSetMask>(mask, repeatTime);
}
#if ACLSIM_NPU_ARCH == 3510
template <typename T>
ACLSIM_API void Duplicate(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                          const int32_t& count) {
  ACLSIM_TYPES(Duplicate, T, B16_B32, ALL_BOOL_B4);
  aclsim_vector::Issue(ACLSIM_OP_Duplicate, ACLSIM_SITE)
      .to(aclsim_vector::plain(dst))
      .from(aclsim_vector::plain(src))
      .count(aclsim_vector::bytes_or_count<T>(count));
}
#endif

template <typename T>
ACLSIM_API void CreateVecIndex(LocalTensor<T>& dst, const T& firstValue, uint64_t mask,
                               uint8_t repeatTime, uint16_t dstBlkStride, uint8_t dstRepStride) {
  ACLSIM_TYPES(CreateVecIndex, T, S16_F16_S32_F32, INDEX);
  aclsim_vector::Issue(ACLSIM_OP_CreateVecIndex, ACLSIM_SITE)
      .to(dst, dstBlkStride, dstRepStride)
      .scalar(firstValue)
      .lanes(mask, repeatTime);
}
template <typename T>
ACLSIM_API void CreateVecIndex(LocalTensor<T>& dst, const T& firstValue, uint64_t mask[],
                               uint8_t repeatTime, uint16_t dstBlkStride, uint8_t dstRepStride) {
  ACLSIM_TYPES(CreateVecIndex, T, S16_F16_S32_F32, INDEX);
  aclsim_vector::Issue(ACLSIM_OP_CreateVecIndex, ACLSIM_SITE)
      .to(dst, dstBlkStride, dstRepStride)
      .scalar(firstValue)
      .lanes(mask, repeatTime);
}
template <typename T>
ACLSIM_API void CreateVecIndex(LocalTensor<T> dst, const T& firstValue, uint32_t count) {
  ACLSIM_TYPES(CreateVecIndex, T, S16_F16_S32_F32, INDEX);
  aclsim_vector::Issue(ACLSIM_OP_CreateVecIndex, ACLSIM_SITE)
      .to(dst)
      .scalar(firstValue)
      .count(count);
}

template <typename T>
ACLSIM_API void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint8_t repeatTime,
                     const BrcbRepeatParams& repeatParams) {
  ACLSIM_TYPES(Brcb, T, B16_B32, ALL);
  aclsim_vector::Issue(ACLSIM_OP_Brcb, ACLSIM_SITE)
      .to(dst, repeatParams.dstBlkStride, repeatParams.dstRepStride)
      .from(src)
      .repeats(repeatTime)
      .go();
}

/* ---- from tensor to tensor of local memory ---- */

template <typename T, bool isSetMask = true>
ACLSIM_API void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[],
                     const uint8_t repeatTime, const CopyRepeatParams& repeatParams) {
  ACLSIM_TYPES(Copy, T, B16_B32, ALL_B8);
  aclsim_vector::Issue(ACLSIM_OP_Copy, ACLSIM_SITE)
      .to(aclsim_vector::plain(dst), repeatParams.dstStride, repeatParams.dstRepeatSize)
      .from(aclsim_vector::plain(src), repeatParams.srcStride, repeatParams.srcRepeatSize)
      .template lanes<isSetMask>(mask, repeatTime);
}
template <typename T, bool isSetMask = true>
ACLSIM_API void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask,
                     const uint8_t repeatTime, const CopyRepeatParams& repeatParams) {
  ACLSIM_TYPES(Copy, T, B16_B32, ALL_B8);
  aclsim_vector::Issue(ACLSIM_OP_Copy, ACLSIM_SITE)
      .to(aclsim_vector::plain(dst), repeatParams.dstStride, repeatParams.dstRepeatSize)
      .from(aclsim_vector::plain(src), repeatParams.srcStride, repeatParams.srcRepeatSize)
      .template lanes<isSetMask>(mask, repeatTime);
}
#if ACLSIM_NPU_ARCH == 3510
template <typename T, bool isSetMask = true>
ACLSIM_API void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count) {
  ACLSIM_TYPES(Copy, T, B16_B32, ALL_B4);
  aclsim_vector::one(ACLSIM_OP_Copy, ACLSIM_SITE, aclsim_vector::plain(dst),
                     aclsim_vector::plain(src))
      .count(aclsim_vector::bytes_or_count<T>(count));
}
template <typename T>
ACLSIM_API void Interleave(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1,
                           const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                           const int32_t count) {
  ACLSIM_TYPES(Interleave, T, B16_B32, ALL);
  aclsim_vector::Issue(ACLSIM_OP_Interleave, ACLSIM_SITE)
      .to(dst0)
      .to(dst1)
      .from(src0)
      .from(src1)
      .count(count);
}
template <typename T>
ACLSIM_API void DeInterleave(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1,
                             const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                             const int32_t count) {
  ACLSIM_TYPES(DeInterleave, T, B16_B32, ALL);
  aclsim_vector::Issue(ACLSIM_OP_DeInterleave, ACLSIM_SITE)
      .to(dst0)
      .to(dst1)
      .from(src0)
      .from(src1)
      .count(count);
}
template <typename T>
ACLSIM_API void DeInterleave(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1,
                             const LocalTensor<T>& src, const int32_t srcCount) {
  ACLSIM_TYPES(DeInterleave, T, B16_B32, ALL);
  aclsim_vector::Issue(ACLSIM_OP_DeInterleave, ACLSIM_SITE)
      .to(dst0)
      .to(dst1)
      .from(src)
      .count(srcCount);
}
#endif

}  // namespace AscendC

#endif /* ASCENDC_IMPL_VECTOR_CONVERT_H_ */
