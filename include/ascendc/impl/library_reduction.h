/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reductions of the library. Sums are computed in double and rounded once; the device adds pairs.
 */
#ifndef ASCENDC_IMPL_LIBRARY_REDUCTION_H_
#define ASCENDC_IMPL_LIBRARY_REDUCTION_H_

#include "ascendc/impl/library_math.h"

namespace AscendC {

/* `inner` elements a row in memory, of which the first n count. */
struct SumParams {
  uint32_t outter = 1;
  uint32_t inner;
  uint32_t n;
};
struct MeanParams {
  uint32_t outter = 1;
  uint32_t inner;
  uint32_t n;
};

/* Over which axes a tensor of several is reduced: A stays, R goes. */
namespace Pattern {
namespace Reduce {
struct R {};
struct AR {};
struct RA {};
struct ARA {};
struct ARAR {};
struct ARARA {};
struct ARARAR {};
struct ARARARA {};
struct ARARARAR {};
struct ARARARARA {};
struct RAR {};
struct RARA {};
struct RARAR {};
struct RARARA {};
struct RARARAR {};
struct RARARARA {};
}  // namespace Reduce
}  // namespace Pattern

template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
ACLSIM_API void Sum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, ACLSIM_TMP,
                    const SumParams& sumParams) {
  ACLSIM_LIBRARY_TYPES(Sum, T);
  static_assert(reduceDim == -1, "AscendC::Sum: reduceDim is not -1 (the last axis)");
  ACLSIM_LIBRARY_CALL(Sum, isReuseSource)
      .to(dstTensor)
      .from(srcTensor)
      .to(sharedTmpBuffer)
      .number(sumParams.outter)
      .number(sumParams.inner)
      .number(sumParams.n)
      .go();
}
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
ACLSIM_API void Sum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                    const SumParams& sumParams) {
  ACLSIM_LIBRARY_TYPES(Sum, T);
  static_assert(reduceDim == -1, "AscendC::Sum: reduceDim is not -1 (the last axis)");
  ACLSIM_LIBRARY_CALL(Sum, isReuseSource)
      .to(dstTensor)
      .from(srcTensor)
      .none()
      .number(sumParams.outter)
      .number(sumParams.inner)
      .number(sumParams.n)
      .go();
}

#define ACLSIM_MEAN_TYPES(T, accType, reduceDim)                                              \
  ACLSIM_LIBRARY_TYPES(Mean, T);                                                              \
  ACLSIM_LIBRARY_TYPES(Mean, accType);                                                        \
  static_assert(sizeof(accType) >= sizeof(T), "AscendC::Mean: accType is less exact than T"); \
  static_assert(reduceDim == -1, "AscendC::Mean: reduceDim is not -1 (the last axis)")
template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false,
          int32_t reduceDim = -1>
ACLSIM_API void Mean(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, ACLSIM_TMP,
                     const MeanParams& meanParams) {
  ACLSIM_MEAN_TYPES(T, accType, reduceDim);
  ACLSIM_LIBRARY_CALL(Mean, isReuseSource)
      .to(dstTensor)
      .from(srcTensor)
      .to(sharedTmpBuffer)
      .number(meanParams.outter)
      .number(meanParams.inner)
      .number(meanParams.n)
      .number(sizeof(accType))
      .go();
}
template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false,
          int32_t reduceDim = -1>
ACLSIM_API void Mean(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                     const MeanParams& meanParams) {
  ACLSIM_MEAN_TYPES(T, accType, reduceDim);
  ACLSIM_LIBRARY_CALL(Mean, isReuseSource)
      .to(dstTensor)
      .from(srcTensor)
      .none()
      .number(meanParams.outter)
      .number(meanParams.inner)
      .number(meanParams.n)
      .number(sizeof(accType))
      .go();
}
#undef ACLSIM_MEAN_TYPES

}  // namespace AscendC

namespace aclsim_library {
/* The reduced one of two axes; -1 for other patterns. */
template <typename P>
inline constexpr int reduced_axis = std::is_same_v<P, AscendC::Pattern::Reduce::AR>   ? 1
                                    : std::is_same_v<P, AscendC::Pattern::Reduce::RA> ? 0
                                                                                      : -1;
}  // namespace aclsim_library

namespace AscendC {

/* The rows of the source begin at multiples of 32 bytes if srcInnerPad is true; otherwise they
 * follow each other. Architecture 2201 has the former only. */
#define ACLSIM_PATTERN_TYPES(Name, T, pattern)              \
  ACLSIM_LIBRARY_TYPES(Name, T);                            \
  static_assert(aclsim_library::reduced_axis<pattern> >= 0, \
                "AscendC::" #Name ": the pattern is neither AR nor RA")
#define ACLSIM_LIBRARY_PATTERN(Name)                                                     \
  template <class T, class pattern, bool isReuseSource = false>                          \
  ACLSIM_API void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, \
                       ACLSIM_TMP, const uint32_t srcShape[], bool srcInnerPad) {        \
    ACLSIM_PATTERN_TYPES(Name, T, pattern);                                              \
    ACLSIM_LIBRARY_CALL(Name, isReuseSource)                                             \
        .to(dstTensor)                                                                   \
        .from(srcTensor)                                                                 \
        .to(sharedTmpBuffer)                                                             \
        .number(srcShape[0])                                                             \
        .number(srcShape[1])                                                             \
        .number(aclsim_library::reduced_axis<pattern>)                                   \
        .number(srcInnerPad)                                                             \
        .number(ACLSIM_NPU_ARCH)                                                         \
        .go();                                                                           \
  }                                                                                      \
  template <class T, class pattern, bool isReuseSource = false>                          \
  ACLSIM_API void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, \
                       const uint32_t srcShape[], bool srcInnerPad) {                    \
    ACLSIM_PATTERN_TYPES(Name, T, pattern);                                              \
    ACLSIM_LIBRARY_CALL(Name, isReuseSource)                                             \
        .to(dstTensor)                                                                   \
        .from(srcTensor)                                                                 \
        .none()                                                                          \
        .number(srcShape[0])                                                             \
        .number(srcShape[1])                                                             \
        .number(aclsim_library::reduced_axis<pattern>)                                   \
        .number(srcInnerPad)                                                             \
        .number(ACLSIM_NPU_ARCH)                                                         \
        .go();                                                                           \
  }

#define ACLSIM_LIBRARY_DECLARE(number, name, shape, ...) ACLSIM_LIBRARY_##shape(name)
ACLSIM_LIBRARY_REDUCTION_ROWS(ACLSIM_LIBRARY_DECLARE)
#undef ACLSIM_LIBRARY_DECLARE
#undef ACLSIM_LIBRARY_PATTERN
#undef ACLSIM_PATTERN_TYPES

/* The sum of src0 ^ src1, limited to the range of int16_t. */
template <typename T, bool isReuseSource = false>
ACLSIM_API void ReduceXorSum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                             const LocalTensor<T>& src1Tensor, ACLSIM_TMP,
                             const uint32_t calCount) {
  ACLSIM_LIBRARY_TYPES(ReduceXorSum, T);
  ACLSIM_LIBRARY_CALL(ReduceXorSum, isReuseSource)
      .to(dstTensor)
      .from(src0Tensor)
      .from(src1Tensor)
      .to(sharedTmpBuffer)
      .number(calCount)
      .go();
}
template <typename T, bool isReuseSource = false>
ACLSIM_API void ReduceXorSum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                             const LocalTensor<T>& src1Tensor, const uint32_t calCount) {
  ACLSIM_LIBRARY_TYPES(ReduceXorSum, T);
  ACLSIM_LIBRARY_CALL(ReduceXorSum, isReuseSource)
      .to(dstTensor)
      .from(src0Tensor)
      .from(src1Tensor)
      .none()
      .number(calCount)
      .go();
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_REDUCTION_H_ */
