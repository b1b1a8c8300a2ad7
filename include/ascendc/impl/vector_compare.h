/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparisons to bits (bit k of byte k / 8, the low ones first), and selections by bits.
 */
#ifndef ASCENDC_IMPL_VECTOR_COMPARE_H_
#define ASCENDC_IMPL_VECTOR_COMPARE_H_

#include "ascendc/impl/vector_scalar.h"

namespace aclsim_vector {

/* Newer machines compare any count and any type in every mode. */
inline int32_t compare_mode(AscendC::CMPMODE mode) {
  return static_cast<int32_t>(mode) | (ACLSIM_NPU_ARCH == 3510 ? 0x100 : 0);
}
template <typename U>
constexpr bool kBits = std::is_integral_v<U> && sizeof(U) == 1;
template <typename U>
constexpr bool kMaskBits = std::is_integral_v<U>&& std::is_unsigned_v<U>;

}  // namespace aclsim_vector

namespace AscendC {

#define ACLSIM_COMPARE_TYPES(Name, T, U)   \
  ACLSIM_TYPES(Name, T, F16_S32_F32, ALL); \
  static_assert(aclsim_vector::kBits<U>, "AscendC::" #Name ": dst takes bits: uint8_t or int8_t")
#define ACLSIM_COMPARED \
  const LocalTensor<U>&dst, const LocalTensor<T>&src0, const LocalTensor<T>&src1, CMPMODE cmpMode
#define ACLSIM_COMPARE                                 \
  ACLSIM_COMPARE_TYPES(Compare, T, U);                 \
  aclsim_vector::Issue(ACLSIM_OP_Compare, ACLSIM_SITE) \
      .mode(aclsim_vector::compare_mode(cmpMode))      \
      .to(dst)

template <typename T, typename U>
ACLSIM_API void Compare(ACLSIM_COMPARED, uint32_t count) {
  ACLSIM_COMPARE.from(src0).from(src1).count(count);
}
template <typename T, typename U, bool isSetMask = true>
ACLSIM_API void Compare(ACLSIM_COMPARED, const uint64_t mask[], uint8_t repeatTime,
                        const BinaryRepeatParams& repeatParams) {
  ACLSIM_COMPARE.from(src0, repeatParams.src0BlkStride, repeatParams.src0RepStride)
      .from(src1, repeatParams.src1BlkStride, repeatParams.src1RepStride)
      .template lanes<isSetMask>(mask, repeatTime);
}
template <typename T, typename U, bool isSetMask = true>
ACLSIM_API void Compare(ACLSIM_COMPARED, const uint64_t mask, uint8_t repeatTime,
                        const BinaryRepeatParams& repeatParams) {
  ACLSIM_COMPARE.from(src0, repeatParams.src0BlkStride, repeatParams.src0RepStride)
      .from(src1, repeatParams.src1BlkStride, repeatParams.src1RepStride)
      .template lanes<isSetMask>(mask, repeatTime);
}
#undef ACLSIM_COMPARE
#undef ACLSIM_COMPARED

/* To the mask register of comparisons: one repeat. */
#define ACLSIM_COMPARE_TO_MASK(MASK)                                                               \
  template <typename T, bool isSetMask = true>                                                     \
  ACLSIM_API void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, \
                          MASK, const BinaryRepeatParams& repeatParams) {                          \
    ACLSIM_TYPES(Compare, T, F16_F32, ALL);                                                        \
    aclsim_vector::Issue(ACLSIM_OP_CompareToMask, ACLSIM_SITE)                                     \
        .mode(aclsim_vector::compare_mode(cmpMode))                                                \
        .from(src0, repeatParams.src0BlkStride, repeatParams.src0RepStride)                        \
        .from(src1, repeatParams.src1BlkStride, repeatParams.src1RepStride)                        \
        .template lanes<isSetMask>(mask, 1);                                                       \
  }
ACLSIM_COMPARE_TO_MASK(const uint64_t mask[])
ACLSIM_COMPARE_TO_MASK(const uint64_t mask)
#undef ACLSIM_COMPARE_TO_MASK

template <typename T>
ACLSIM_API void GetCmpMask(const LocalTensor<T>& dst) {
  aclsim_vector::Issue(ACLSIM_OP_GetCmpMask, ACLSIM_SITE).to(dst).go();
}
template <typename T>
ACLSIM_API void SetCmpMask(const LocalTensor<T>& src) {
  aclsim_vector::Issue(ACLSIM_OP_SetCmpMask, ACLSIM_SITE).from(src).go();
}

#define ACLSIM_COMPARE_SCALAR(Name)                                                               \
  template <typename T, typename U, bool isSetMask = true>                                        \
  ACLSIM_API void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar, \
                       CMPMODE cmpMode, const uint64_t mask[], uint8_t repeatTime,                \
                       const UnaryRepeatParams& repeatParams) {                                   \
    ACLSIM_COMPARE_TYPES(Name, T, U);                                                             \
    aclsim_vector::Issue(ACLSIM_OP_Compares, ACLSIM_SITE)                                         \
        .mode(aclsim_vector::compare_mode(cmpMode))                                               \
        .to(dst)                                                                                  \
        .from(src0, repeatParams.srcBlkStride, repeatParams.srcRepStride)                         \
        .scalar(src1Scalar)                                                                       \
        .template lanes<isSetMask>(mask, repeatTime);                                             \
  }                                                                                               \
  template <typename T, typename U, bool isSetMask = true>                                        \
  ACLSIM_API void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar, \
                       CMPMODE cmpMode, const uint64_t mask, uint8_t repeatTime,                  \
                       const UnaryRepeatParams& repeatParams) {                                   \
    ACLSIM_COMPARE_TYPES(Name, T, U);                                                             \
    aclsim_vector::Issue(ACLSIM_OP_Compares, ACLSIM_SITE)                                         \
        .mode(aclsim_vector::compare_mode(cmpMode))                                               \
        .to(dst)                                                                                  \
        .from(src0, repeatParams.srcBlkStride, repeatParams.srcRepStride)                         \
        .scalar(src1Scalar)                                                                       \
        .template lanes<isSetMask>(mask, repeatTime);                                             \
  }                                                                                               \
  template <typename T, typename U>                                                               \
  ACLSIM_API void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar, \
                       CMPMODE cmpMode, uint32_t count) {                                         \
    ACLSIM_COMPARE_TYPES(Name, T, U);                                                             \
    aclsim_vector::Issue(ACLSIM_OP_Compares, ACLSIM_SITE)                                         \
        .mode(aclsim_vector::compare_mode(cmpMode))                                               \
        .to(dst)                                                                                  \
        .from(src0)                                                                               \
        .scalar(src1Scalar)                                                                       \
        .count(count);                                                                            \
  }
ACLSIM_COMPARE_SCALAR(Compares)
ACLSIM_COMPARE_SCALAR(CompareScalar)
#undef ACLSIM_COMPARE_SCALAR

#if ACLSIM_NPU_ARCH == 3510
/* The scalar on either side: the comparison is turned round when it is the left one. */
}  // namespace AscendC
namespace aclsim_vector {
constexpr AscendC::CMPMODE turned(AscendC::CMPMODE mode, bool turn) {
  using AscendC::CMPMODE;
  if (!turn) return mode;
  switch (mode) {
    case CMPMODE::LT:
      return CMPMODE::GT;
    case CMPMODE::GT:
      return CMPMODE::LT;
    case CMPMODE::LE:
      return CMPMODE::GE;
    case CMPMODE::GE:
      return CMPMODE::LE;
    default:
      return mode;
  }
}
template <int scalar, typename D, typename S, typename V>
Issue compare_flexible(const void* site, const LocalTensor<D>& dst, const S& src0, const V& src1,
                       AscendC::CMPMODE mode, const AscendC::UnaryRepeatParams& params = {}) {
  constexpr bool kBoth = IsTensor<S>::value && IsTensor<V>::value;
  constexpr bool kLeft = kBoth ? scalar == 0 : !IsTensor<S>::value;
  using T = typename ElementOf<std::conditional_t<IsTensor<S>::value, S, V>>::Type;
  ACLSIM_COMPARE_TYPES(Compares, T, D);
  Issue issue(ACLSIM_OP_Compares, site);
  issue.mode(compare_mode(turned(mode, kLeft))).to(dst);
  if constexpr (kLeft) {
    issue.from(src1, params.srcBlkStride, params.srcRepStride);
    if constexpr (kBoth)
      issue.from(src0);
    else
      issue.bits(scalar_bits<T>(src0));
  } else {
    issue.from(src0, params.srcBlkStride, params.srcRepStride);
    if constexpr (kBoth)
      issue.from(src1);
    else
      issue.bits(scalar_bits<T>(src1));
  }
  return issue;
}
}  // namespace aclsim_vector
namespace AscendC {
#define ACLSIM_COMPARE_FLEXIBLE(Name)                                                       \
  template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType,               \
            bool isSetMask = true, const BinaryConfig& config = DEFAULT_BINARY_CONFIG,      \
            typename T2, typename T3, typename T4>                                          \
  ACLSIM_API void Name(const T2& dst, const T3& src0, const T4& src1, CMPMODE cmpMode,      \
                       const uint64_t mask[], uint8_t repeatTime,                           \
                       const UnaryRepeatParams& repeatParams) {                             \
    aclsim_vector::compare_flexible<config.scalarTensorIndex>(ACLSIM_SITE, dst, src0, src1, \
                                                              cmpMode, repeatParams)        \
        .template lanes<isSetMask>(mask, repeatTime);                                       \
  }                                                                                         \
  template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType,               \
            bool isSetMask = true, const BinaryConfig& config = DEFAULT_BINARY_CONFIG,      \
            typename T2, typename T3, typename T4>                                          \
  ACLSIM_API void Name(const T2& dst, const T3& src0, const T4& src1, CMPMODE cmpMode,      \
                       const uint64_t mask, uint8_t repeatTime,                             \
                       const UnaryRepeatParams& repeatParams) {                             \
    aclsim_vector::compare_flexible<config.scalarTensorIndex>(ACLSIM_SITE, dst, src0, src1, \
                                                              cmpMode, repeatParams)        \
        .template lanes<isSetMask>(mask, repeatTime);                                       \
  }                                                                                         \
  template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType,               \
            bool isSetMask = true, const BinaryConfig& config = DEFAULT_BINARY_CONFIG,      \
            typename T2, typename T3, typename T4>                                          \
  ACLSIM_API void Name(const T2& dst, const T3& src0, const T4& src1, CMPMODE cmpMode,      \
                       uint32_t count) {                                                    \
    aclsim_vector::compare_flexible<config.scalarTensorIndex>(ACLSIM_SITE, dst, src0, src1, \
                                                              cmpMode)                      \
        .count(count);                                                                      \
  }
ACLSIM_COMPARE_FLEXIBLE(Compares)
ACLSIM_COMPARE_FLEXIBLE(CompareScalar)
#undef ACLSIM_COMPARE_FLEXIBLE
#endif

/* ---- Select ---- */

#define ACLSIM_SELECT_TYPES(T, U)        \
  ACLSIM_TYPES(Select, T, F16_F32, ALL); \
  static_assert(aclsim_vector::kMaskBits<U>, "AscendC::Select: selMask is of an unsigned type")
#define ACLSIM_SELECT(opcode) \
  ACLSIM_SELECT_TYPES(T, U);  \
  aclsim_vector::Issue(opcode, ACLSIM_SITE).mode(selMode)
#define ACLSIM_STRIDED                                          \
  to(dst, repeatParams.dstBlkStride, repeatParams.dstRepStride) \
      .from(selMask)                                            \
      .from(src0, repeatParams.src0BlkStride, repeatParams.src0RepStride)
#define ACLSIM_SELECTED \
  const LocalTensor<T>&dst, const LocalTensor<U>&selMask, const LocalTensor<T>&src0

template <typename T, typename U, bool isSetMask = true>
ACLSIM_API void Select(ACLSIM_SELECTED, const LocalTensor<T>& src1, SELMODE selMode,
                       uint64_t mask[], uint8_t repeatTime,
                       const BinaryRepeatParams& repeatParams) {
  ACLSIM_SELECT(ACLSIM_OP_Select)
      .ACLSIM_STRIDED.from(src1, repeatParams.src1BlkStride, repeatParams.src1RepStride)
      .template lanes<isSetMask>(mask, repeatTime);
}
template <typename T, typename U, bool isSetMask = true>
ACLSIM_API void Select(ACLSIM_SELECTED, const LocalTensor<T>& src1, SELMODE selMode, uint64_t mask,
                       uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  ACLSIM_SELECT(ACLSIM_OP_Select)
      .ACLSIM_STRIDED.from(src1, repeatParams.src1BlkStride, repeatParams.src1RepStride)
      .template lanes<isSetMask>(mask, repeatTime);
}
template <typename T, typename U>
ACLSIM_API void Select(ACLSIM_SELECTED, const LocalTensor<T>& src1, SELMODE selMode,
                       uint32_t count) {
  ACLSIM_SELECT(ACLSIM_OP_Select).to(dst).from(selMask).from(src0).from(src1).count(count);
}
template <typename T, typename U, bool isSetMask = true>
ACLSIM_API void Select(ACLSIM_SELECTED, T src1, SELMODE selMode, uint64_t mask[],
                       uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  ACLSIM_SELECT(ACLSIM_OP_SelectScalar)
      .ACLSIM_STRIDED.scalar(src1)
      .template lanes<isSetMask>(mask, repeatTime);
}
template <typename T, typename U, bool isSetMask = true>
ACLSIM_API void Select(ACLSIM_SELECTED, T src1, SELMODE selMode, uint64_t mask, uint8_t repeatTime,
                       const BinaryRepeatParams& repeatParams) {
  ACLSIM_SELECT(ACLSIM_OP_SelectScalar)
      .ACLSIM_STRIDED.scalar(src1)
      .template lanes<isSetMask>(mask, repeatTime);
}
template <typename T, typename U>
ACLSIM_API void Select(ACLSIM_SELECTED, T src1, SELMODE selMode, uint32_t count) {
  ACLSIM_SELECT(ACLSIM_OP_SelectScalar).to(dst).from(selMask).from(src0).scalar(src1).count(count);
}
/* By the mask register of comparisons. */
template <typename T, SELMODE selMode>
ACLSIM_API void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                       const LocalTensor<T>& src1, uint8_t repeatTime,
                       const BinaryRepeatParams& repeatParams) {
  ACLSIM_TYPES(Select, T, F16_F32, ALL);
  aclsim_vector::Issue(ACLSIM_OP_SelectByMask, ACLSIM_SITE)
      .mode(selMode)
      .to(dst, repeatParams.dstBlkStride, repeatParams.dstRepStride)
      .from(src0, repeatParams.src0BlkStride, repeatParams.src0RepStride)
      .from(src1, repeatParams.src1BlkStride, repeatParams.src1RepStride)
      .kept(repeatTime);
}
/* The scalar is in the mask register of comparisons. */
template <typename T, typename U>
ACLSIM_API void Select(ACLSIM_SELECTED, uint8_t repeatTime,
                       const BinaryRepeatParams& repeatParams) {
  ACLSIM_SELECT_TYPES(T, U);
  aclsim_vector::Issue(ACLSIM_OP_SelectScalarByMask, ACLSIM_SITE)
      .mode(SELMODE::VSEL_TENSOR_SCALAR_MODE)
      .ACLSIM_STRIDED.kept(repeatTime);
}
#undef ACLSIM_SELECTED
#undef ACLSIM_STRIDED
#undef ACLSIM_SELECT
#undef ACLSIM_SELECT_TYPES
#undef ACLSIM_COMPARE_TYPES

}  // namespace AscendC

#endif /* ASCENDC_IMPL_VECTOR_COMPARE_H_ */
