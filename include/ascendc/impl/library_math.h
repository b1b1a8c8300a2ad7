/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mathematics of the library, element by element, and cumulative sums. Temporary memory is given as
 * `sharedTmpBuffer`, or taken by the library. Without a count all elements of the source are
 * computed. Results are rounded once.
 */
#ifndef ASCENDC_IMPL_LIBRARY_MATH_H_
#define ASCENDC_IMPL_LIBRARY_MATH_H_

#include "ascendc/impl/library.h"
#include "ascendc/impl/library_math_configs.h"

namespace AscendC {

#define ACLSIM_LIBRARY_CALL(Name, reuses) \
  aclsim_library::Call(ACLSIM_LIB_##Name, ACLSIM_SITE, reuses)
#define ACLSIM_TMP const LocalTensor<uint8_t>& sharedTmpBuffer

/* The four forms of a function of one tensor; HEAD begins the template. */
#define ACLSIM_UNARY_FORMS(Name, ...)                                                             \
  template <__VA_ARGS__>                                                                          \
  ACLSIM_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, ACLSIM_TMP,          \
                       const uint32_t calCount) {                                                 \
    ACLSIM_LIBRARY_TYPES(Name, T);                                                                \
    ACLSIM_LIBRARY_CALL(Name, isReuseSource)                                                      \
        .to(dst)                                                                                  \
        .from(src)                                                                                \
        .to(sharedTmpBuffer)                                                                      \
        .number(calCount)                                                                         \
        .go();                                                                                    \
  }                                                                                               \
  template <__VA_ARGS__>                                                                          \
  ACLSIM_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, ACLSIM_TMP) {        \
    ACLSIM_LIBRARY_TYPES(Name, T);                                                                \
    ACLSIM_LIBRARY_CALL(Name, isReuseSource)                                                      \
        .to(dst)                                                                                  \
        .from(src)                                                                                \
        .to(sharedTmpBuffer)                                                                      \
        .number(src.GetSize())                                                                    \
        .go();                                                                                    \
  }                                                                                               \
  template <__VA_ARGS__>                                                                          \
  ACLSIM_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                      \
                       const uint32_t calCount) {                                                 \
    ACLSIM_LIBRARY_TYPES(Name, T);                                                                \
    ACLSIM_LIBRARY_CALL(Name, isReuseSource).to(dst).from(src).none().number(calCount).go();      \
  }                                                                                               \
  template <__VA_ARGS__>                                                                          \
  ACLSIM_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src) {                    \
    ACLSIM_LIBRARY_TYPES(Name, T);                                                                \
    ACLSIM_LIBRARY_CALL(Name, isReuseSource).to(dst).from(src).none().number(src.GetSize()).go(); \
  }

#define ACLSIM_LIBRARY_UNARY(Name) ACLSIM_UNARY_FORMS(Name, typename T, bool isReuseSource = false)
#define ACLSIM_UNARY_CONFIG(Name, Config, standard) \
  ACLSIM_UNARY_FORMS(Name, typename T, bool isReuseSource = false, const Config& config = standard)
#define ACLSIM_LIBRARY_UNARY_TANH(Name) ACLSIM_UNARY_CONFIG(Name, TanhConfig, DEFAULT_TANH_CONFIG)
#define ACLSIM_LIBRARY_UNARY_ERF(Name) ACLSIM_UNARY_CONFIG(Name, ErfConfig, defaultErfConfig)
#define ACLSIM_LIBRARY_UNARY_SIN(Name) ACLSIM_UNARY_CONFIG(Name, SinConfig, defaultSinConfig)
#define ACLSIM_LIBRARY_UNARY_COS(Name) ACLSIM_UNARY_CONFIG(Name, CosConfig, defaultCosConfig)
#define ACLSIM_LIBRARY_UNARY_ATAN(Name) ACLSIM_UNARY_CONFIG(Name, AtanConfig, defaultAtanConfig)
#define ACLSIM_LIBRARY_UNARY_FIRST_CONFIG(Name)                                                  \
  template <const Name##Config& config = DEFAULT_RINT_CONFIG, typename T>                        \
  ACLSIM_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, ACLSIM_TMP,         \
                       const uint32_t count) {                                                   \
    ACLSIM_LIBRARY_TYPES(Name, T);                                                               \
    ACLSIM_LIBRARY_CALL(Name, config.isReuseSource)                                              \
        .to(dst)                                                                                 \
        .from(src)                                                                               \
        .to(sharedTmpBuffer)                                                                     \
        .number(count)                                                                           \
        .go();                                                                                   \
  }                                                                                              \
  template <const Name##Config& config = DEFAULT_RINT_CONFIG, typename T>                        \
  ACLSIM_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                     \
                       const uint32_t count) {                                                   \
    ACLSIM_LIBRARY_TYPES(Name, T);                                                               \
    ACLSIM_LIBRARY_CALL(Name, config.isReuseSource).to(dst).from(src).none().number(count).go(); \
  }

/* The four forms of a function of two tensors. */
#define ACLSIM_TWO_SOURCES(T) \
  const LocalTensor<T>&dst, const LocalTensor<T>&src0, const LocalTensor<T>&src1
#define ACLSIM_BINARY_FORMS(Name, ...)                                               \
  template <__VA_ARGS__>                                                             \
  ACLSIM_API void Name(ACLSIM_TWO_SOURCES(T), ACLSIM_TMP, const uint32_t calCount) { \
    ACLSIM_LIBRARY_TYPES(Name, T);                                                   \
    ACLSIM_LIBRARY_CALL(Name, isReuseSource)                                         \
        .to(dst)                                                                     \
        .from(src0)                                                                  \
        .from(src1)                                                                  \
        .to(sharedTmpBuffer)                                                         \
        .number(calCount)                                                            \
        .go();                                                                       \
  }                                                                                  \
  template <__VA_ARGS__>                                                             \
  ACLSIM_API void Name(ACLSIM_TWO_SOURCES(T), ACLSIM_TMP) {                          \
    ACLSIM_LIBRARY_TYPES(Name, T);                                                   \
    ACLSIM_LIBRARY_CALL(Name, isReuseSource)                                         \
        .to(dst)                                                                     \
        .from(src0)                                                                  \
        .from(src1)                                                                  \
        .to(sharedTmpBuffer)                                                         \
        .number(src0.GetSize())                                                      \
        .go();                                                                       \
  }                                                                                  \
  template <__VA_ARGS__>                                                             \
  ACLSIM_API void Name(ACLSIM_TWO_SOURCES(T), const uint32_t calCount) {             \
    ACLSIM_LIBRARY_TYPES(Name, T);                                                   \
    ACLSIM_LIBRARY_CALL(Name, isReuseSource)                                         \
        .to(dst)                                                                     \
        .from(src0)                                                                  \
        .from(src1)                                                                  \
        .none()                                                                      \
        .number(calCount)                                                            \
        .go();                                                                       \
  }                                                                                  \
  template <__VA_ARGS__>                                                             \
  ACLSIM_API void Name(ACLSIM_TWO_SOURCES(T)) {                                      \
    ACLSIM_LIBRARY_TYPES(Name, T);                                                   \
    ACLSIM_LIBRARY_CALL(Name, isReuseSource)                                         \
        .to(dst)                                                                     \
        .from(src0)                                                                  \
        .from(src1)                                                                  \
        .none()                                                                      \
        .number(src0.GetSize())                                                      \
        .go();                                                                       \
  }
#define ACLSIM_LIBRARY_BINARY(Name) \
  ACLSIM_BINARY_FORMS(Name, typename T, bool isReuseSource = false)
#define ACLSIM_LIBRARY_BINARY_FMOD(Name)                            \
  ACLSIM_BINARY_FORMS(Name, typename T, bool isReuseSource = false, \
                      const FmodConfig& config = DEFAULT_FMOD_CONFIG)

#define ACLSIM_LIBRARY_CLAMP(Name)                                                           \
  template <typename T, bool isReuseSource = false>                                          \
  ACLSIM_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, ACLSIM_TMP,     \
                       const T scalar, const uint32_t calCount) {                            \
    ACLSIM_LIBRARY_TYPES(Name, T);                                                           \
    ACLSIM_LIBRARY_CALL(Name, isReuseSource)                                                 \
        .to(dst)                                                                             \
        .from(src)                                                                           \
        .to(sharedTmpBuffer)                                                                 \
        .number(calCount)                                                                    \
        .value(scalar)                                                                       \
        .go();                                                                               \
  }                                                                                          \
  template <typename T, bool isReuseSource = false>                                          \
  ACLSIM_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T scalar, \
                       const uint32_t calCount) {                                            \
    ACLSIM_LIBRARY_TYPES(Name, T);                                                           \
    ACLSIM_LIBRARY_CALL(Name, isReuseSource)                                                 \
        .to(dst)                                                                             \
        .from(src)                                                                           \
        .none()                                                                              \
        .number(calCount)                                                                    \
        .value(scalar)                                                                       \
        .go();                                                                               \
  }

/* The result is a bool, or 1 and 0 of the source's type. */
#define ACLSIM_IS_RESULT(Name, D, S)                             \
  ACLSIM_LIBRARY_TYPES(Name, S);                                 \
  static_assert(std::is_same_v<D, bool> || std::is_same_v<D, S>, \
                "AscendC::" #Name ": dst is neither bool nor of the type of src")
#define ACLSIM_LIBRARY_IS_CONFIG(Name)                                                           \
  template <const Name##Config& config = ACLSIM_DEFAULT_OF_##Name, typename T, typename U>       \
  ACLSIM_API void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src, ACLSIM_TMP,         \
                       const uint32_t count) {                                                   \
    ACLSIM_IS_RESULT(Name, T, U);                                                                \
    ACLSIM_LIBRARY_CALL(Name, config.isReuseSource)                                              \
        .to(dst)                                                                                 \
        .from(src)                                                                               \
        .to(sharedTmpBuffer)                                                                     \
        .number(count)                                                                           \
        .go();                                                                                   \
  }                                                                                              \
  template <const Name##Config& config = ACLSIM_DEFAULT_OF_##Name, typename T, typename U>       \
  ACLSIM_API void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src,                     \
                       const uint32_t count) {                                                   \
    ACLSIM_IS_RESULT(Name, T, U);                                                                \
    ACLSIM_LIBRARY_CALL(Name, config.isReuseSource).to(dst).from(src).none().number(count).go(); \
  }

#define ACLSIM_DEFAULT_OF_IsInf DEFAULT_IS_INF_CONFIG
#define ACLSIM_DEFAULT_OF_IsNan DEFAULT_IS_NAN_CONFIG
#define ACLSIM_DEFAULT_OF_LogicalAnd DEFAULT_LOGICAL_AND_CONFIG
#define ACLSIM_DEFAULT_OF_LogicalOr DEFAULT_LOGICAL_OR_CONFIG
#define ACLSIM_DEFAULT_OF_LogicalXor DEFAULT_LOGICAL_XOR_CONFIG
#define ACLSIM_DEFAULT_OF_LogicalAnds DEFAULT_LOGICAL_ANDS_CONFIG
#define ACLSIM_DEFAULT_OF_LogicalOrs DEFAULT_LOGICAL_ORS_CONFIG
#define ACLSIM_DEFAULT_OF_BitwiseAnd DEFAULT_BITWISE_AND_CONFIG
#define ACLSIM_DEFAULT_OF_BitwiseOr DEFAULT_BITWISE_OR_CONFIG
#define ACLSIM_DEFAULT_OF_BitwiseXor DEFAULT_BITWISE_XOR_CONFIG

#define ACLSIM_LIBRARY_LOGICAL_TWO(Name)                                                    \
  template <const Name##Config& config = ACLSIM_DEFAULT_OF_##Name, typename T, typename U>  \
  ACLSIM_API void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0,               \
                       const LocalTensor<U>& src1, const uint32_t count) {                  \
    ACLSIM_LIBRARY_TYPES(Name, U);                                                          \
    static_assert(std::is_same_v<T, bool>, "AscendC::" #Name ": dst is no tensor of bool"); \
    ACLSIM_LIBRARY_CALL(Name, config.isReuseSource)                                         \
        .to(dst)                                                                            \
        .from(src0)                                                                         \
        .from(src1)                                                                         \
        .number(count)                                                                      \
        .go();                                                                              \
  }

/* One operand is a value, or the first element of a tensor. */
#define ACLSIM_LIBRARY_LOGICAL_SCALAR(Name)                                                 \
  template <const Name##Config& config = ACLSIM_DEFAULT_OF_##Name, typename T, typename U,  \
            typename S>                                                                     \
  ACLSIM_API void Name(const LocalTensor<T>& dst, const U& src0, const S& src1,             \
                       const uint32_t count) {                                              \
    using Element = aclsim_library::ElementOf<U, S>;                                        \
    ACLSIM_LIBRARY_TYPES(Name, Element);                                                    \
    static_assert(std::is_same_v<T, bool>, "AscendC::" #Name ": dst is no tensor of bool"); \
    constexpr bool kTwo =                                                                   \
        aclsim_library::IsTensor<U>::value && aclsim_library::IsTensor<S>::value;           \
    ACLSIM_LIBRARY_CALL(Name, config.isReuseSource)                                         \
        .to(dst)                                                                            \
        .template tensor_or_value<Element>(src0)                                            \
        .template tensor_or_value<Element>(src1)                                            \
        .number(count)                                                                      \
        .number(kTwo ? config.scalarTensorIndex : -1)                                       \
        .values()                                                                           \
        .go();                                                                              \
  }

#define ACLSIM_LIBRARY_BITWISE(Name)                                           \
  template <const Name##Config& config = ACLSIM_DEFAULT_OF_##Name, typename T> \
  ACLSIM_API void Name(ACLSIM_TWO_SOURCES(T), const uint32_t count) {          \
    ACLSIM_LIBRARY_TYPES(Name, T);                                             \
    ACLSIM_LIBRARY_CALL(Name, config.isReuseSource)                            \
        .to(dst)                                                               \
        .from(src0)                                                            \
        .from(src1)                                                            \
        .number(count)                                                         \
        .go();                                                                 \
  }
#define ACLSIM_LIBRARY_CUSTOM(Name)

}  // namespace AscendC

namespace aclsim_library {
template <typename T>
struct Element {
  using type = void;
};
template <typename T>
struct Element<LocalTensor<T>> {
  using type = T;
};
/* The element type of the first tensor of two operands. */
template <typename U, typename S>
using ElementOf = typename Element<std::conditional_t<IsTensor<U>::value, U, S>>::type;
}  // namespace aclsim_library

namespace AscendC {

#define ACLSIM_LIBRARY_DECLARE(number, name, shape, ...) ACLSIM_LIBRARY_##shape(name)
ACLSIM_LIBRARY_MATH_ROWS(ACLSIM_LIBRARY_DECLARE)
#undef ACLSIM_LIBRARY_DECLARE

/* e to the power of each element. The number of terms of the Taylor series does not change the
 * result here, which is exact up to one rounding. */
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
ACLSIM_API void Exp(const LocalTensor<T>& dst, const LocalTensor<T>& src, ACLSIM_TMP,
                    const uint32_t calCount) {
  ACLSIM_LIBRARY_TYPES(Exp, T);
  ACLSIM_LIBRARY_CALL(Exp, isReuseSource)
      .to(dst)
      .from(src)
      .to(sharedTmpBuffer)
      .number(calCount)
      .go();
}
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
ACLSIM_API void Exp(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t calCount) {
  ACLSIM_LIBRARY_TYPES(Exp, T);
  ACLSIM_LIBRARY_CALL(Exp, isReuseSource).to(dst).from(src).none().number(calCount).go();
}

/* src0 to the power of src1, each a tensor or a value. */
#define ACLSIM_POWER_HEAD \
  template <typename T, bool isReuseSource = false, const PowerConfig& config = defaultPowerConfig>
#define ACLSIM_POWER(first, second, tmp, count)                                    \
  ACLSIM_LIBRARY_TYPES(Power, T);                                                  \
  ACLSIM_LIBRARY_CALL(Power, isReuseSource)                                        \
      .to(dst)                                                                     \
      .template tensor_or_value<T>(first)                                          \
      .template tensor_or_value<T>(second) tmp.number(static_cast<int64_t>(count)) \
      .values()                                                                    \
      .go();
#define ACLSIM_POWER_FORMS(FIRST, SECOND, size)                                                   \
  ACLSIM_POWER_HEAD ACLSIM_API void Power(const LocalTensor<T>& dst, FIRST, SECOND, ACLSIM_TMP,   \
                                          uint32_t calCount){                                     \
      ACLSIM_POWER(src0, src1, .to(sharedTmpBuffer), calCount)} ACLSIM_POWER_HEAD ACLSIM_API void \
  Power(const LocalTensor<T>& dst, FIRST, SECOND, ACLSIM_TMP){                                    \
      ACLSIM_POWER(src0, src1, .to(sharedTmpBuffer), size)} ACLSIM_POWER_HEAD ACLSIM_API void     \
  Power(const LocalTensor<T>& dst, FIRST, SECOND, uint32_t calCount){                             \
      ACLSIM_POWER(src0, src1, .none(), calCount)} ACLSIM_POWER_HEAD ACLSIM_API void              \
  Power(const LocalTensor<T>& dst, FIRST, SECOND) {                                               \
    ACLSIM_POWER(src0, src1, .none(), size)                                                       \
  }
ACLSIM_POWER_FORMS(const LocalTensor<T>& src0, const LocalTensor<T>& src1, src0.GetSize())
ACLSIM_POWER_FORMS(const LocalTensor<T>& src0, const T& src1, src0.GetSize())
ACLSIM_POWER_FORMS(const T& src0, const LocalTensor<T>& src1, src1.GetSize())
#undef ACLSIM_POWER_FORMS
#undef ACLSIM_POWER
#undef ACLSIM_POWER_HEAD

/* dst = src * scalar + dst, with one rounding of the product and one of the sum. */
template <typename T, typename U, bool isReuseSource = false>
ACLSIM_API void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U scalarValue,
                     ACLSIM_TMP, const uint32_t calCount) {
  ACLSIM_LIBRARY_TYPES(Axpy, U);
  static_assert(std::is_same_v<T, U> || (std::is_same_v<T, float> && std::is_same_v<U, half>),
                "AscendC::Axpy: dst is neither of the type of src nor float for a src of half");
  ACLSIM_LIBRARY_CALL(Axpy, isReuseSource)
      .onto(dst)
      .from(src)
      .to(sharedTmpBuffer)
      .number(calCount)
      .value(scalarValue)
      .go();
}

/* src, not below min and not above max; NaN stays. */
template <const ClampConfig& config = DEFAULT_CLAMP_CONFIG, typename T, typename U, typename S>
ACLSIM_API void Clamp(const LocalTensor<T>& dst, const LocalTensor<T>& src, const U& min,
                      const S& max, const uint32_t count) {
  ACLSIM_LIBRARY_TYPES(Clamp, T);
  ACLSIM_LIBRARY_CALL(Clamp, config.isReuseSource)
      .to(dst)
      .from(src)
      .template tensor_or_value<T>(min)
      .template tensor_or_value<T>(max)
      .number(count)
      .values()
      .go();
}

/* src0 * src1 + src2, rounded once. */
template <const FmaConfig& config = DEFAULT_FMA_CONFIG, typename T>
ACLSIM_API void Fma(ACLSIM_TWO_SOURCES(T), const LocalTensor<T>& src2, ACLSIM_TMP,
                    const uint32_t count) {
  ACLSIM_LIBRARY_TYPES(Fma, T);
  ACLSIM_LIBRARY_CALL(Fma, config.isReuseSource)
      .to(dst)
      .from(src0)
      .from(src1)
      .from(src2)
      .to(sharedTmpBuffer)
      .number(count)
      .go();
}
template <const FmaConfig& config = DEFAULT_FMA_CONFIG, typename T>
ACLSIM_API void Fma(ACLSIM_TWO_SOURCES(T), const LocalTensor<T>& src2, const uint32_t count) {
  ACLSIM_LIBRARY_TYPES(Fma, T);
  ACLSIM_LIBRARY_CALL(Fma, config.isReuseSource)
      .to(dst)
      .from(src0)
      .from(src1)
      .from(src2)
      .none()
      .number(count)
      .go();
}

/* dst0: the sine, dst1: the cosine. */
template <const SinCosConfig& config = DEFAULT_SINCOS_CONFIG, typename T>
ACLSIM_API void SinCos(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1,
                       const LocalTensor<T>& src, ACLSIM_TMP, const uint32_t count) {
  ACLSIM_LIBRARY_TYPES(SinCos, T);
  ACLSIM_LIBRARY_CALL(SinCos, config.isReuseSource)
      .to(dst0)
      .to(dst1)
      .from(src)
      .to(sharedTmpBuffer)
      .number(count)
      .go();
}
template <const SinCosConfig& config = DEFAULT_SINCOS_CONFIG, typename T>
ACLSIM_API void SinCos(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1,
                       const LocalTensor<T>& src, const uint32_t count) {
  ACLSIM_LIBRARY_TYPES(SinCos, T);
  ACLSIM_LIBRARY_CALL(SinCos, config.isReuseSource)
      .to(dst0)
      .to(dst1)
      .from(src)
      .none()
      .number(count)
      .go();
}

template <typename T, typename U>
ACLSIM_API void IsFinite(const LocalTensor<U>& dst, const LocalTensor<T>& src, uint32_t calCount) {
  ACLSIM_IS_RESULT(IsFinite, U, T);
  ACLSIM_LIBRARY_CALL(IsFinite, false).to(dst).from(src).number(calCount).go();
}

template <const LogicalNotConfig& config = DEFAULT_LOGICAL_NOT_CONFIG, typename T, typename U>
ACLSIM_API void LogicalNot(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                           const uint32_t count) {
  ACLSIM_LIBRARY_TYPES(LogicalNot, U);
  static_assert(std::is_same_v<T, bool>, "AscendC::LogicalNot: dst is no tensor of bool");
  ACLSIM_LIBRARY_CALL(LogicalNot, config.isReuseSource).to(dst).from(src).number(count).go();
}

template <const BitwiseNotConfig& config = DEFAULT_BITWISE_NOT_CONFIG, typename T>
ACLSIM_API void BitwiseNot(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const uint32_t count) {
  ACLSIM_LIBRARY_TYPES(BitwiseNot, T);
  ACLSIM_LIBRARY_CALL(BitwiseNot, config.isReuseSource).to(dst).from(src).number(count).go();
}

/* src0 where the condition is true, src1 elsewhere; each is a tensor or a value. */
template <typename T, typename U, typename S, typename V>
ACLSIM_API void Where(const LocalTensor<T>& dst, const U& src0, const S& src1,
                      const LocalTensor<V>& condition, const uint32_t count) {
  ACLSIM_LIBRARY_TYPES(Where, T);
  static_assert(std::is_same_v<V, bool>, "AscendC::Where: condition is no tensor of bool");
  ACLSIM_LIBRARY_CALL(Where, false)
      .to(dst)
      .template tensor_or_value<T>(src0)
      .template tensor_or_value<T>(src1)
      .from(condition)
      .number(count)
      .values()
      .go();
}

/* Sums of each element and all before it in its row (isLastAxis) or column. */
template <typename T, const CumSumConfig& config = defaultCumSumConfig>
ACLSIM_API void CumSum(const LocalTensor<T>& dst, const LocalTensor<T>& lastRow,
                       const LocalTensor<T>& src, ACLSIM_TMP, const CumSumInfo& cumSumInfo) {
  ACLSIM_LIBRARY_TYPES(CumSum, T);
  aclsim_library::Call call = ACLSIM_LIBRARY_CALL(CumSum, config.isReuseSource);
  call.to(dst);
  if constexpr (config.outputLastRow) {
    call.to(lastRow);
  } else {
    call.none();
  }
  call.from(src)
      .to(sharedTmpBuffer)
      .number(cumSumInfo.outter)
      .number(cumSumInfo.inner)
      .number(config.isLastAxis)
      .go();
}
template <typename T, const CumSumConfig& config = defaultCumSumConfig>
ACLSIM_API void CumSum(const LocalTensor<T>& dst, const LocalTensor<T>& lastRow,
                       const LocalTensor<T>& src, const CumSumInfo& cumSumInfo) {
  ACLSIM_LIBRARY_TYPES(CumSum, T);
  aclsim_library::Call call = ACLSIM_LIBRARY_CALL(CumSum, config.isReuseSource);
  call.to(dst);
  if constexpr (config.outputLastRow) {
    call.to(lastRow);
  } else {
    call.none();
  }
  call.from(src)
      .none()
      .number(cumSumInfo.outter)
      .number(cumSumInfo.inner)
      .number(config.isLastAxis)
      .go();
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_MATH_H_ */
