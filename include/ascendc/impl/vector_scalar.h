/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tensor and a scalar. Newer machines take the scalar on either side, and as a tensor of one
 * element.
 */
#ifndef ASCENDC_IMPL_VECTOR_SCALAR_H_
#define ASCENDC_IMPL_VECTOR_SCALAR_H_

#include "ascendc/impl/vector_arithmetic.h"

namespace aclsim_vector {

template <typename T, typename V>
uint64_t scalar_bits(const V& value) {
  return bits_of(static_cast<T>(value));
}

template <typename T>
Issue with_scalar(uint16_t opcode, const void* site, const LocalTensor<T>& dst,
                  const LocalTensor<T>& src, uint64_t bits,
                  const AscendC::UnaryRepeatParams& params = {}) {
  Issue issue = one(opcode, site, dst, src, params);
  issue.bits(bits);
  return issue;
}

/* dst and two sources, one of which is a scalar or a tensor of one element: the source that is not
   a tensor, or the source with index `scalar`. mode 1: the scalar is the left operand. */
template <int scalar, typename D, typename S, typename V>
Issue flexible(uint16_t opcode, const void* site, const LocalTensor<D>& dst, const S& src0,
               const V& src1, const AscendC::UnaryRepeatParams& params = {}) {
  constexpr bool kBoth = IsTensor<S>::value && IsTensor<V>::value;
  constexpr bool kLeft = kBoth ? scalar == 0 : !IsTensor<S>::value;
  Issue issue(opcode, site);
  issue.to(dst, params.dstBlkStride, params.dstRepStride).mode(kLeft ? 1 : 0);
  if constexpr (kLeft) {
    issue.from(src1, params.srcBlkStride, params.srcRepStride);
    if constexpr (kBoth)
      issue.from(src0);
    else
      issue.bits(scalar_bits<D>(src0));
  } else {
    issue.from(src0, params.srcBlkStride, params.srcRepStride);
    if constexpr (kBoth)
      issue.from(src1);
    else
      issue.bits(scalar_bits<D>(src1));
  }
  return issue;
}

template <typename T>
struct ElementOf {
  using Type = T;
};
template <typename T>
struct ElementOf<LocalTensor<T>> {
  using Type = T;
};

}  // namespace aclsim_vector

namespace AscendC {

#define ACLSIM_SCALAR_ARGUMENTS(S) \
  const LocalTensor<T>&dst, const LocalTensor<T>&src, const S &scalarValue
#define ACLSIM_SCALAR_BODY(Name, old_types, new_types)                \
  ACLSIM_TYPES(Name, T, old_types, new_types);                        \
  aclsim_vector::with_scalar(ACLSIM_OP_##Name, ACLSIM_SITE, dst, src,                           \
                             aclsim_vector::scalar_bits<T>(scalarValue)
#define ACLSIM_ONLY_PRIMITIVE \
  typename std::enable_if<std::is_same<PrimT<T>, U>::value, bool>::type = true

#define ACLSIM_DECLARE_SCALAR_PLAIN(Name, old_types, new_types)                               \
  template <typename T, bool isSetMask = true>                                                \
  ACLSIM_API void Name(ACLSIM_SCALAR_ARGUMENTS(T), const int32_t& count) {                    \
    ACLSIM_SCALAR_BODY(Name, old_types, new_types)).count(count);                             \
  }                                                                                           \
  template <typename T, typename U, bool isSetMask = true, ACLSIM_ONLY_PRIMITIVE>             \
  ACLSIM_API void Name(ACLSIM_SCALAR_ARGUMENTS(U), const int32_t& count) {                    \
    ACLSIM_SCALAR_BODY(Name, old_types, new_types)).count(count);                             \
  }                                                                                           \
  template <typename T, bool isSetMask = true>                                                \
  ACLSIM_API void Name(ACLSIM_SCALAR_ARGUMENTS(T), uint64_t mask[], const uint8_t repeatTime, \
                       const UnaryRepeatParams& repeatParams) {                               \
    ACLSIM_SCALAR_BODY(Name, old_types, new_types), repeatParams)                               \
        .template lanes<isSetMask>(mask, repeatTime);                                         \
  }                                                                                           \
  template <typename T, typename U, bool isSetMask = true, ACLSIM_ONLY_PRIMITIVE>             \
  ACLSIM_API void Name(ACLSIM_SCALAR_ARGUMENTS(U), uint64_t mask[], const uint8_t repeatTime, \
                       const UnaryRepeatParams& repeatParams) {                               \
    ACLSIM_SCALAR_BODY(Name, old_types, new_types), repeatParams)                               \
        .template lanes<isSetMask>(mask, repeatTime);                                         \
  }                                                                                           \
  template <typename T, bool isSetMask = true>                                                \
  ACLSIM_API void Name(ACLSIM_SCALAR_ARGUMENTS(T), uint64_t mask, const uint8_t repeatTime,   \
                       const UnaryRepeatParams& repeatParams) {                               \
    ACLSIM_SCALAR_BODY(Name, old_types, new_types), repeatParams)                               \
        .template lanes<isSetMask>(mask, repeatTime);                                         \
  }                                                                                           \
  template <typename T, typename U, bool isSetMask = true, ACLSIM_ONLY_PRIMITIVE>             \
  ACLSIM_API void Name(ACLSIM_SCALAR_ARGUMENTS(U), uint64_t mask, const uint8_t repeatTime,   \
                       const UnaryRepeatParams& repeatParams) {                               \
    ACLSIM_SCALAR_BODY(Name, old_types, new_types), repeatParams)                               \
        .template lanes<isSetMask>(mask, repeatTime);                                         \
  }

#define ACLSIM_FLEXIBLE_PARAMETERS                                                      \
  template <typename T = BinaryDefaultType, bool isSetMask = true,                      \
            const BinaryConfig& config = DEFAULT_BINARY_CONFIG, typename U, typename S, \
            typename V>
#define ACLSIM_FLEXIBLE_BODY(Name, old_types, new_types) \
  using E = typename aclsim_vector::ElementOf<U>::Type;  \
  ACLSIM_TYPES(Name, E, old_types, new_types);           \
  aclsim_vector::flexible<config.scalarTensorIndex>(ACLSIM_OP_##Name, ACLSIM_SITE, dst, src0, src1
#define ACLSIM_DECLARE_FLEX(Name, old_types, new_types)                                    \
  ACLSIM_FLEXIBLE_PARAMETERS                                                               \
  ACLSIM_API void Name(const U& dst, const S& src0, const V& src1, const int32_t& count) { \
    ACLSIM_FLEXIBLE_BODY(Name, old_types, new_types)).count(count);                        \
  }                                                                                        \
  ACLSIM_FLEXIBLE_PARAMETERS                                                               \
  ACLSIM_API void Name(const U& dst, const S& src0, const V& src1, uint64_t mask[],        \
                       const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {  \
    ACLSIM_FLEXIBLE_BODY(Name, old_types, new_types), repeatParams)                             \
        .template lanes<isSetMask>(mask, repeatTime);                                      \
  }                                                                                        \
  ACLSIM_FLEXIBLE_PARAMETERS                                                               \
  ACLSIM_API void Name(const U& dst, const S& src0, const V& src1, uint64_t mask,          \
                       const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {  \
    ACLSIM_FLEXIBLE_BODY(Name, old_types, new_types), repeatParams)                             \
        .template lanes<isSetMask>(mask, repeatTime);                                      \
  }

#if ACLSIM_NPU_ARCH == 3510
#define ACLSIM_DECLARE_SCALAR(Name, old_types, new_types) \
  ACLSIM_DECLARE_SCALAR_PLAIN(Name, old_types, new_types) \
  ACLSIM_DECLARE_FLEX(Name, old_types, new_types)
#else
#define ACLSIM_DECLARE_SCALAR ACLSIM_DECLARE_SCALAR_PLAIN
#endif
#define ACLSIM_DECLARE_BINARY(Name, old_types, new_types)
#define ACLSIM_DECLARE_BINARY_CONFIG(Name, old_types, new_types)
#define ACLSIM_DECLARE_BINARY_COUNT(Name, old_types, new_types)
#define ACLSIM_DECLARE_UNARY(Name, old_types, new_types)
#define ACLSIM_DECLARE_UNARY_CONFIG(Name, old_types, new_types)
#define ACLSIM_DECLARE_UNARY_COUNT(Name, old_types, new_types)
#define ACLSIM_DECLARE_CUSTOM(Name, old_types, new_types)
#define ACLSIM_DECLARE(number, Name, shape, operands, old_types, new_types, flags) \
  ACLSIM_DECLARE_##shape(Name, old_types, new_types)
ACLSIM_VECTOR_ROWS(ACLSIM_DECLARE)
#undef ACLSIM_DECLARE
#undef ACLSIM_DECLARE_SCALAR
#undef ACLSIM_DECLARE_SCALAR_PLAIN
#undef ACLSIM_DECLARE_FLEX
#undef ACLSIM_DECLARE_BINARY
#undef ACLSIM_DECLARE_BINARY_CONFIG
#undef ACLSIM_DECLARE_BINARY_COUNT
#undef ACLSIM_DECLARE_UNARY
#undef ACLSIM_DECLARE_UNARY_CONFIG
#undef ACLSIM_DECLARE_UNARY_COUNT
#undef ACLSIM_DECLARE_CUSTOM

/* ---- ShiftRight may round ---- */

#define ACLSIM_SHIFT ACLSIM_SCALAR_BODY(ShiftRight, S16_U16_S32_U32, INTS)
template <typename T, bool isSetMask = true>
ACLSIM_API void ShiftRight(ACLSIM_SCALAR_ARGUMENTS(T), const int32_t& count) {
  ACLSIM_SHIFT).count(count);
}
template <typename T, typename U, bool isSetMask = true, ACLSIM_ONLY_PRIMITIVE>
ACLSIM_API void ShiftRight(ACLSIM_SCALAR_ARGUMENTS(U), const int32_t& count) {
  ACLSIM_SHIFT).count(count);
}
template <typename T, bool isSetMask = true>
ACLSIM_API void ShiftRight(ACLSIM_SCALAR_ARGUMENTS(T), uint64_t mask[], const uint8_t repeatTime,
                           const UnaryRepeatParams& repeatParams, bool roundEn = false) {
  ACLSIM_SHIFT, repeatParams).mode(roundEn).template lanes<isSetMask>(mask, repeatTime);
}
template <typename T, typename U, bool isSetMask = true, ACLSIM_ONLY_PRIMITIVE>
ACLSIM_API void ShiftRight(ACLSIM_SCALAR_ARGUMENTS(U), uint64_t mask[], const uint8_t repeatTime,
                           const UnaryRepeatParams& repeatParams, bool roundEn) {
  ACLSIM_SHIFT, repeatParams).mode(roundEn).template lanes<isSetMask>(mask, repeatTime);
}
template <typename T, bool isSetMask = true>
ACLSIM_API void ShiftRight(ACLSIM_SCALAR_ARGUMENTS(T), uint64_t mask, const uint8_t repeatTime,
                           const UnaryRepeatParams& repeatParams, bool roundEn = false) {
  ACLSIM_SHIFT, repeatParams).mode(roundEn).template lanes<isSetMask>(mask, repeatTime);
}
template <typename T, typename U, bool isSetMask = true, ACLSIM_ONLY_PRIMITIVE>
ACLSIM_API void ShiftRight(ACLSIM_SCALAR_ARGUMENTS(U), uint64_t mask, const uint8_t repeatTime,
                           const UnaryRepeatParams& repeatParams, bool roundEn) {
  ACLSIM_SHIFT, repeatParams).mode(roundEn).template lanes<isSetMask>(mask, repeatTime);
}
#undef ACLSIM_SHIFT

/* ---- dst = src * scalar + dst ---- */

template <typename T, typename U, bool isSetMask = true>
ACLSIM_API void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue,
                     uint64_t mask, const uint8_t repeatTime,
                     const UnaryRepeatParams& repeatParams) {
  ACLSIM_PAIR_OF(Axpy, T, U);
  aclsim_vector::one(ACLSIM_OP_Axpy, ACLSIM_SITE, dst, src, repeatParams)
      .scalar(scalarValue)
      .template lanes<isSetMask>(mask, repeatTime);
}
template <typename T, typename U, bool isSetMask = true>
ACLSIM_API void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue,
                     uint64_t mask[], const uint8_t repeatTime,
                     const UnaryRepeatParams& repeatParams) {
  ACLSIM_PAIR_OF(Axpy, T, U);
  aclsim_vector::one(ACLSIM_OP_Axpy, ACLSIM_SITE, dst, src, repeatParams)
      .scalar(scalarValue)
      .template lanes<isSetMask>(mask, repeatTime);
}
template <typename T, typename U>
ACLSIM_API void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue,
                     const int32_t& count) {
  ACLSIM_PAIR_OF(Axpy, T, U);
  aclsim_vector::one(ACLSIM_OP_Axpy, ACLSIM_SITE, dst, src).scalar(scalarValue).count(count);
}

/* ---- dst = cast(src * scalar) ---- */

#define ACLSIM_MULS_CAST(Name)                                                                \
  template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType,                 \
            const BinaryConfig& config = DEFAULT_BINARY_CONFIG, typename T2, typename T3,     \
            typename T4>                                                                      \
  ACLSIM_API void Name(const T2& dst, const T3& src0, const T4& src1, const uint32_t count) { \
    using D = typename aclsim_vector::ElementOf<T2>::Type;                                    \
    using S = typename aclsim_vector::ElementOf<                                              \
        std::conditional_t<aclsim_vector::IsTensor<T3>::value, T3, T4>>::Type;                \
    ACLSIM_PAIR_OF(MulsCast, D, S);                                                           \
    constexpr bool kBoth =                                                                    \
        aclsim_vector::IsTensor<T3>::value && aclsim_vector::IsTensor<T4>::value;             \
    constexpr bool kLeft =                                                                    \
        kBoth ? config.scalarTensorIndex == 0 : !aclsim_vector::IsTensor<T3>::value;          \
    aclsim_vector::Issue issue(ACLSIM_OP_MulsCast, ACLSIM_SITE);                              \
    issue.to(dst);                                                                            \
    if constexpr (kBoth)                                                                      \
      issue.from(kLeft ? src1 : src0).from(kLeft ? src0 : src1);                              \
    else if constexpr (kLeft)                                                                 \
      issue.from(src1).bits(aclsim_vector::scalar_bits<S>(src0));                             \
    else                                                                                      \
      issue.from(src0).bits(aclsim_vector::scalar_bits<S>(src1));                             \
    issue.count(count);                                                                       \
  }
ACLSIM_MULS_CAST(MulsCast)
ACLSIM_MULS_CAST(FusedMulsCast)
#undef ACLSIM_MULS_CAST

#undef ACLSIM_FLEXIBLE_BODY
#undef ACLSIM_FLEXIBLE_PARAMETERS
#undef ACLSIM_ONLY_PRIMITIVE
#undef ACLSIM_SCALAR_BODY
#undef ACLSIM_SCALAR_ARGUMENTS

}  // namespace AscendC

#endif /* ASCENDC_IMPL_VECTOR_SCALAR_H_ */
