/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic of one and two tensors. Overloads: the first `count` elements; the first `mask` lanes
 * of each repeat; the lanes whose bits are set in mask[2].
 */
#ifndef ASCENDC_IMPL_VECTOR_ARITHMETIC_H_
#define ASCENDC_IMPL_VECTOR_ARITHMETIC_H_

#include "ascendc/impl/vector_issue.h"

namespace aclsim_vector {

template <typename D, typename S>
Issue two(uint16_t opcode, const void* site, const LocalTensor<D>& dst, const LocalTensor<S>& src0,
          const LocalTensor<S>& src1, const AscendC::BinaryRepeatParams& params = {}) {
  Issue issue(opcode, site);
  issue.to(dst, params.dstBlkStride, params.dstRepStride)
      .from(src0, params.src0BlkStride, params.src0RepStride)
      .from(src1, params.src1BlkStride, params.src1RepStride);
  return issue;
}
template <typename D, typename S>
Issue one(uint16_t opcode, const void* site, const LocalTensor<D>& dst, const LocalTensor<S>& src,
          const AscendC::UnaryRepeatParams& params = {}) {
  Issue issue(opcode, site);
  issue.to(dst, params.dstBlkStride, params.dstRepStride)
      .from(src, params.srcBlkStride, params.srcRepStride);
  return issue;
}

}  // namespace aclsim_vector

namespace AscendC {

#define ACLSIM_TWO aclsim_vector::two(kOpcode, ACLSIM_SITE, dst, src0, src1
#define ACLSIM_ONE aclsim_vector::one(kOpcode, ACLSIM_SITE, dst, src
#define ACLSIM_TWO_TENSORS(T) \
  const LocalTensor<T>&dst, const LocalTensor<T>&src0, const LocalTensor<T>&src1
#define ACLSIM_ONE_TENSOR(T) const LocalTensor<T>&dst, const LocalTensor<T>&src

/* ---- names from the rows ---- */

#define ACLSIM_BINARY_BODY(Name, old_types, new_types) \
  ACLSIM_TYPES(Name, T, old_types, new_types);         \
  constexpr uint16_t kOpcode = ACLSIM_OP_##Name;

#define ACLSIM_DECLARE_BINARY(Name, old_types, new_types)                                \
  template <typename T>                                                                  \
  ACLSIM_API void Name(ACLSIM_TWO_TENSORS(T), const int32_t& count) {                    \
    ACLSIM_BINARY_BODY(Name, old_types, new_types)                                       \
    ACLSIM_TWO).count(count);                                                            \
  }                                                                                      \
  template <typename T, bool isSetMask = true>                                           \
  ACLSIM_API void Name(ACLSIM_TWO_TENSORS(T), uint64_t mask[], const uint8_t repeatTime, \
                       const BinaryRepeatParams& repeatParams) {                         \
    ACLSIM_BINARY_BODY(Name, old_types, new_types)                                       \
    ACLSIM_TWO, repeatParams).template lanes<isSetMask>(mask, repeatTime);               \
  }                                                                                      \
  template <typename T, bool isSetMask = true>                                           \
  ACLSIM_API void Name(ACLSIM_TWO_TENSORS(T), uint64_t mask, const uint8_t repeatTime,   \
                       const BinaryRepeatParams& repeatParams) {                         \
    ACLSIM_BINARY_BODY(Name, old_types, new_types)                                       \
    ACLSIM_TWO, repeatParams).template lanes<isSetMask>(mask, repeatTime);               \
  }

#define ACLSIM_DECLARE_UNARY(Name, old_types, new_types)                                \
  template <typename T>                                                                 \
  ACLSIM_API void Name(ACLSIM_ONE_TENSOR(T), const int32_t& count) {                    \
    ACLSIM_BINARY_BODY(Name, old_types, new_types)                                      \
    ACLSIM_ONE).count(count);                                                           \
  }                                                                                     \
  template <typename T, bool isSetMask = true>                                          \
  ACLSIM_API void Name(ACLSIM_ONE_TENSOR(T), uint64_t mask[], const uint8_t repeatTime, \
                       const UnaryRepeatParams& repeatParams) {                         \
    ACLSIM_BINARY_BODY(Name, old_types, new_types)                                      \
    ACLSIM_ONE, repeatParams).template lanes<isSetMask>(mask, repeatTime);              \
  }                                                                                     \
  template <typename T, bool isSetMask = true>                                          \
  ACLSIM_API void Name(ACLSIM_ONE_TENSOR(T), uint64_t mask, const uint8_t repeatTime,   \
                       const UnaryRepeatParams& repeatParams) {                         \
    ACLSIM_BINARY_BODY(Name, old_types, new_types)                                      \
    ACLSIM_ONE, repeatParams).template lanes<isSetMask>(mask, repeatTime);              \
  }

/* Newer machines have a choice of precision; here every result is the precise one. */
#if ACLSIM_NPU_ARCH == 3510
#define ACLSIM_DECLARE_BINARY_CONFIG(Name, old_types, new_types)                                   \
  template <typename T, const Name##Config& config = ACLSIM_DEFAULT_##Name>                        \
  ACLSIM_API void Name(ACLSIM_TWO_TENSORS(T), const int32_t& count) {                              \
    ACLSIM_BINARY_BODY(Name, old_types, new_types)                                                 \
    ACLSIM_TWO).count(count);                                                                      \
  }                                                                                                \
  template <typename T, bool isSetMask = true, const Name##Config& config = ACLSIM_DEFAULT_##Name> \
  ACLSIM_API void Name(ACLSIM_TWO_TENSORS(T), uint64_t mask[], const uint8_t repeatTime,           \
                       const BinaryRepeatParams& repeatParams) {                                   \
    ACLSIM_BINARY_BODY(Name, old_types, new_types)                                                 \
    ACLSIM_TWO, repeatParams).template lanes<isSetMask>(mask, repeatTime);                         \
  }                                                                                                \
  template <typename T, bool isSetMask = true, const Name##Config& config = ACLSIM_DEFAULT_##Name> \
  ACLSIM_API void Name(ACLSIM_TWO_TENSORS(T), uint64_t mask, const uint8_t repeatTime,             \
                       const BinaryRepeatParams& repeatParams) {                                   \
    ACLSIM_BINARY_BODY(Name, old_types, new_types)                                                 \
    ACLSIM_TWO, repeatParams).template lanes<isSetMask>(mask, repeatTime);                         \
  }
#define ACLSIM_DECLARE_UNARY_CONFIG(Name, old_types, new_types)                                    \
  template <typename T, const Name##Config& config = ACLSIM_DEFAULT_##Name>                        \
  ACLSIM_API void Name(ACLSIM_ONE_TENSOR(T), const int32_t& count) {                               \
    ACLSIM_BINARY_BODY(Name, old_types, new_types)                                                 \
    ACLSIM_ONE).count(count);                                                                      \
  }                                                                                                \
  template <typename T, bool isSetMask = true, const Name##Config& config = ACLSIM_DEFAULT_##Name> \
  ACLSIM_API void Name(ACLSIM_ONE_TENSOR(T), uint64_t mask[], const uint8_t repeatTime,            \
                       const UnaryRepeatParams& repeatParams) {                                    \
    ACLSIM_BINARY_BODY(Name, old_types, new_types)                                                 \
    ACLSIM_ONE, repeatParams).template lanes<isSetMask>(mask, repeatTime);                         \
  }                                                                                                \
  template <typename T, bool isSetMask = true, const Name##Config& config = ACLSIM_DEFAULT_##Name> \
  ACLSIM_API void Name(ACLSIM_ONE_TENSOR(T), uint64_t mask, const uint8_t repeatTime,              \
                       const UnaryRepeatParams& repeatParams) {                                    \
    ACLSIM_BINARY_BODY(Name, old_types, new_types)                                                 \
    ACLSIM_ONE, repeatParams).template lanes<isSetMask>(mask, repeatTime);                         \
  }
#define ACLSIM_DEFAULT_Div DEFAULT_DIV_CONFIG
#define ACLSIM_DEFAULT_Exp DEFAULT_EXP_CONFIG
#define ACLSIM_DEFAULT_Ln DEFAULT_LN_CONFIG
#define ACLSIM_DEFAULT_Reciprocal DEFAULT_RECIPROCAL_CONFIG
#define ACLSIM_DEFAULT_Rsqrt DEFAULT_RSQRT_CONFIG
#define ACLSIM_DEFAULT_Sqrt DEFAULT_SQRT_CONFIG
#else
#define ACLSIM_DECLARE_BINARY_CONFIG ACLSIM_DECLARE_BINARY
#define ACLSIM_DECLARE_UNARY_CONFIG ACLSIM_DECLARE_UNARY
#endif

#define ACLSIM_DECLARE_BINARY_COUNT(Name, old_types, new_types)       \
  template <typename T>                                               \
  ACLSIM_API void Name(ACLSIM_TWO_TENSORS(T), const uint32_t count) { \
    ACLSIM_BINARY_BODY(Name, old_types, new_types)                    \
    ACLSIM_TWO).count(count);                                         \
  }
#define ACLSIM_DECLARE_UNARY_COUNT(Name, old_types, new_types)       \
  template <typename T>                                              \
  ACLSIM_API void Name(ACLSIM_ONE_TENSOR(T), const uint32_t count) { \
    ACLSIM_BINARY_BODY(Name, old_types, new_types)                   \
    ACLSIM_ONE).count(count);                                        \
  }
#define ACLSIM_DECLARE_SCALAR(Name, old_types, new_types)       /* vector_scalar.h */
#define ACLSIM_DECLARE_SCALAR_PLAIN(Name, old_types, new_types) /* vector_scalar.h */
#define ACLSIM_DECLARE_FLEX(Name, old_types, new_types)         /* vector_scalar.h */
#define ACLSIM_DECLARE_CUSTOM(Name, old_types, new_types)       /* by hand */

#define ACLSIM_DECLARE(number, Name, shape, operands, old_types, new_types, flags) \
  ACLSIM_DECLARE_##shape(Name, old_types, new_types)
ACLSIM_VECTOR_ROWS(ACLSIM_DECLARE)
#undef ACLSIM_DECLARE
#undef ACLSIM_DECLARE_BINARY
#undef ACLSIM_DECLARE_BINARY_CONFIG
#undef ACLSIM_DECLARE_BINARY_COUNT
#undef ACLSIM_DECLARE_UNARY
#undef ACLSIM_DECLARE_UNARY_CONFIG
#undef ACLSIM_DECLARE_UNARY_COUNT
#undef ACLSIM_DECLARE_SCALAR
#undef ACLSIM_DECLARE_SCALAR_PLAIN
#undef ACLSIM_DECLARE_FLEX
#undef ACLSIM_DECLARE_CUSTOM

/* ---- two names of one instruction ---- */

template <typename T, bool isSetMask = true>
ACLSIM_API void FusedMulAddRelu(ACLSIM_TWO_TENSORS(T), uint64_t mask[], const uint8_t repeatTime,
                                const BinaryRepeatParams& repeatParams) {
  ACLSIM_TYPES(FusedMulAddRelu, T, F16_F32, F16_F32_64);
  constexpr uint16_t kOpcode = ACLSIM_OP_MulAddRelu;
  ACLSIM_TWO, repeatParams).template lanes<isSetMask>(mask, repeatTime);
}
template <typename T, bool isSetMask = true>
ACLSIM_API void FusedMulAddRelu(ACLSIM_TWO_TENSORS(T), uint64_t mask, const uint8_t repeatTime,
                                const BinaryRepeatParams& repeatParams) {
  ACLSIM_TYPES(FusedMulAddRelu, T, F16_F32, F16_F32_64);
  constexpr uint16_t kOpcode = ACLSIM_OP_MulAddRelu;
  ACLSIM_TWO, repeatParams).template lanes<isSetMask>(mask, repeatTime);
}
template <typename T>
ACLSIM_API void FusedMulAddRelu(ACLSIM_TWO_TENSORS(T), const int32_t& count) {
  ACLSIM_TYPES(FusedMulAddRelu, T, F16_F32, F16_F32_64);
  constexpr uint16_t kOpcode = ACLSIM_OP_MulAddRelu;
  ACLSIM_TWO).count(count);
}
template <typename T>
ACLSIM_API void FusedAbsSub(ACLSIM_TWO_TENSORS(T), const uint32_t count) {
  ACLSIM_TYPES(FusedAbsSub, T, F16_F32, F16_F32);
  constexpr uint16_t kOpcode = ACLSIM_OP_AbsSub;
  ACLSIM_TWO).count(count);
}

/* ---- sources of another type ---- */

#define ACLSIM_MIXED_TENSORS \
  const LocalTensor<T>&dst, const LocalTensor<U>&src0, const LocalTensor<U>&src1
#define ACLSIM_MIXED(Name, MASK, COUNT)                                               \
  template <typename T, typename U, bool isSetMask = true>                            \
  ACLSIM_API void Name(ACLSIM_MIXED_TENSORS, MASK mask[], const uint8_t repeatTime,   \
                       const BinaryRepeatParams& repeatParams) {                      \
    ACLSIM_PAIR_OF(Name, T, U);                                                       \
    constexpr uint16_t kOpcode = ACLSIM_OP_##Name;                                    \
    ACLSIM_TWO, repeatParams).template lanes<isSetMask>(mask, repeatTime);            \
  }                                                                                   \
  template <typename T, typename U, bool isSetMask = true>                            \
  ACLSIM_API void Name(ACLSIM_MIXED_TENSORS, uint64_t mask, const uint8_t repeatTime, \
                       const BinaryRepeatParams& repeatParams) {                      \
    ACLSIM_PAIR_OF(Name, T, U);                                                       \
    constexpr uint16_t kOpcode = ACLSIM_OP_##Name;                                    \
    ACLSIM_TWO, repeatParams).template lanes<isSetMask>(mask, repeatTime);            \
  }                                                                                   \
  template <typename T, typename U>                                                   \
  ACLSIM_API void Name(ACLSIM_MIXED_TENSORS, COUNT count) {                           \
    ACLSIM_PAIR_OF(Name, T, U);                                                       \
    constexpr uint16_t kOpcode = ACLSIM_OP_##Name;                                    \
    ACLSIM_TWO).count(count);                                                         \
  }
ACLSIM_MIXED(MulAddDst, const uint64_t, const int32_t&)
ACLSIM_MIXED(AddDeqRelu, uint64_t, const int32_t&)
ACLSIM_MIXED(MulCast, uint64_t, uint32_t)
ACLSIM_MIXED(AddReluCast, uint64_t, const uint32_t)
ACLSIM_MIXED(SubReluCast, uint64_t, const uint32_t)
#undef ACLSIM_MIXED

/* The forms of AddDeqRelu that name their types. */
template <bool isSetMask = true>
ACLSIM_API void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0,
                           const LocalTensor<int32_t>& src1, uint64_t mask[],
                           const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  constexpr uint16_t kOpcode = ACLSIM_OP_AddDeqRelu;
  ACLSIM_TWO, repeatParams).template lanes<isSetMask>(mask, repeatTime);
}
template <bool isSetMask = true>
ACLSIM_API void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0,
                           const LocalTensor<int32_t>& src1, uint64_t mask,
                           const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  constexpr uint16_t kOpcode = ACLSIM_OP_AddDeqRelu;
  ACLSIM_TWO, repeatParams).template lanes<isSetMask>(mask, repeatTime);
}
ACLSIM_API inline void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0,
                                  const LocalTensor<int32_t>& src1, const int32_t& count) {
  constexpr uint16_t kOpcode = ACLSIM_OP_AddDeqRelu;
  ACLSIM_TWO).count(count);
}

template <typename T, typename U>
ACLSIM_API void ExpSub(ACLSIM_MIXED_TENSORS, const uint32_t count) {
  ACLSIM_PAIR_OF(ExpSub, T, U);
  constexpr uint16_t kOpcode = ACLSIM_OP_ExpSub;
  ACLSIM_TWO).count(count);
}
template <typename T, typename U>
ACLSIM_API void FusedExpSub(ACLSIM_MIXED_TENSORS, const uint32_t count) {
  ACLSIM_PAIR_OF(ExpSub, T, U);
  constexpr uint16_t kOpcode = ACLSIM_OP_ExpSub;
  ACLSIM_TWO).count(count);
}
template <typename T, typename U>
ACLSIM_API void ShiftLeft(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                          const LocalTensor<U>& src1, const int32_t& count) {
  ACLSIM_TYPES(ShiftLeft, T, S16_U16_S32_U32, INTS);
  static_assert(sizeof(T) == sizeof(U), "AscendC::ShiftLeft: src1 has other elements than dst");
  aclsim_vector::two(ACLSIM_OP_ShiftLeftTensor, ACLSIM_SITE, dst, src0,
                     src1.template ReinterpretCast<T>())
      .count(count);
}
template <typename T, typename U>
ACLSIM_API void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                           const LocalTensor<U>& src1, const int32_t& count) {
  ACLSIM_TYPES(ShiftRight, T, S16_U16_S32_U32, INTS);
  static_assert(sizeof(T) == sizeof(U), "AscendC::ShiftRight: src1 has other elements than dst");
  aclsim_vector::two(ACLSIM_OP_ShiftRightTensor, ACLSIM_SITE, dst, src0,
                     src1.template ReinterpretCast<T>())
      .count(count);
}

template <typename T>
ACLSIM_API void Mull(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1,
                     const LocalTensor<T>& src0, const LocalTensor<T>& src1, const uint32_t count) {
  ACLSIM_TYPES(Mull, T, S32_U32, S32_U32);
  aclsim_vector::Issue(ACLSIM_OP_Mull, ACLSIM_SITE)
      .to(dst0)
      .to(dst1)
      .from(src0)
      .from(src1)
      .count(count);
}

template <typename T, RoundMode roundMode>
ACLSIM_API void Truncate(ACLSIM_ONE_TENSOR(T), const uint32_t count) {
  ACLSIM_TYPES(Truncate, T, F16_BF_F32, F16_BF_F32);
  constexpr uint16_t kOpcode = ACLSIM_OP_Truncate;
  ACLSIM_ONE).mode(roundMode).count(count);
}
#if ACLSIM_NPU_ARCH == 3510
template <typename T, typename U>
ACLSIM_API void Abs(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t& count) {
  static_assert(
      std::is_same_v<std::make_signed_t<std::conditional_t<std::is_integral_v<T>, T, int>>, U>,
      "AscendC::Abs: dst is the unsigned type of src");
  constexpr uint16_t kOpcode = ACLSIM_OP_Abs;
  aclsim_vector::one(kOpcode, ACLSIM_SITE, dst.template ReinterpretCast<U>(), src).count(count);
}
#endif

#undef ACLSIM_MIXED_TENSORS
#undef ACLSIM_BINARY_BODY
#undef ACLSIM_TWO_TENSORS
#undef ACLSIM_ONE_TENSOR
#undef ACLSIM_TWO
#undef ACLSIM_ONE

}  // namespace AscendC

#endif /* ASCENDC_IMPL_VECTOR_ARITHMETIC_H_ */
