/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Activation functions, element by element. Results are computed in float and rounded once.
 */
#ifndef ASCENDC_IMPL_LIBRARY_ACTIVATION_H_
#define ASCENDC_IMPL_LIBRARY_ACTIVATION_H_

#include "ascendc/impl/library_math.h"

namespace AscendC {

/* The precision does not depend on highPrecision and highPerformance. */
#define ACLSIM_LIBRARY_GELU(Name)                                                                  \
  template <typename T, bool highPrecision = false, bool highPerformance = false>                  \
  ACLSIM_API void Name(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, ACLSIM_TMP, \
                       const uint32_t dataSize) {                                                  \
    ACLSIM_LIBRARY_TYPES(Name, T);                                                                 \
    ACLSIM_LIBRARY_CALL(Name, false)                                                               \
        .to(dstLocal)                                                                              \
        .from(srcLocal)                                                                            \
        .to(sharedTmpBuffer)                                                                       \
        .number(dataSize)                                                                          \
        .go();                                                                                     \
  }                                                                                                \
  template <typename T, bool highPrecision = false, bool highPerformance = false>                  \
  ACLSIM_API void Name(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,             \
                       const uint32_t dataSize) {                                                  \
    ACLSIM_LIBRARY_TYPES(Name, T);                                                                 \
    ACLSIM_LIBRARY_CALL(Name, false).to(dstLocal).from(srcLocal).none().number(dataSize).go();     \
  }

#define ACLSIM_LIBRARY_DECLARE(number, name, shape, ...) ACLSIM_LIBRARY_##shape(name)
ACLSIM_LIBRARY_ACTIVATION_ONE_ROWS(ACLSIM_LIBRARY_DECLARE)
#undef ACLSIM_LIBRARY_DECLARE
#undef ACLSIM_LIBRARY_GELU

/* x / (1 + exp(-x)) */
template <typename T, bool isReuseSource = false>
ACLSIM_API void Silu(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                     uint32_t dataSize) {
  ACLSIM_LIBRARY_TYPES(Silu, T);
  ACLSIM_LIBRARY_CALL(Silu, isReuseSource).to(dstLocal).from(srcLocal).number(dataSize).go();
}

/* x / (1 + exp(-scalarValue * x)) */
template <typename T, bool isReuseSource = false>
ACLSIM_API void Swish(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                      uint32_t dataSize, const T scalarValue) {
  ACLSIM_LIBRARY_TYPES(Swish, T);
  ACLSIM_LIBRARY_CALL(Swish, isReuseSource)
      .to(dstLocal)
      .from(srcLocal)
      .number(dataSize)
      .value(scalarValue)
      .go();
}

/* srcTensor0 * Swish(srcTensor1) */
#define ACLSIM_SWIGLU(tmp, count)              \
  ACLSIM_LIBRARY_TYPES(SwiGLU, T);             \
  ACLSIM_LIBRARY_CALL(SwiGLU, isReuseSource)   \
      .to(dst)                                 \
      .from(src0)                              \
      .from(src1)                              \
      .tmp.number(static_cast<int64_t>(count)) \
      .value(scalarValue)                      \
      .go()
template <typename T, bool isReuseSource = false>
ACLSIM_API void SwiGLU(ACLSIM_TWO_SOURCES(T), const float& scalarValue, ACLSIM_TMP,
                       const uint32_t calCount) {
  ACLSIM_SWIGLU(to(sharedTmpBuffer), calCount);
}
template <typename T, bool isReuseSource = false>
ACLSIM_API void SwiGLU(ACLSIM_TWO_SOURCES(T), const float& scalarValue, ACLSIM_TMP) {
  ACLSIM_SWIGLU(to(sharedTmpBuffer), src0.GetSize());
}
template <typename T, bool isReuseSource = false>
ACLSIM_API void SwiGLU(ACLSIM_TWO_SOURCES(T), const float& scalarValue, const uint32_t calCount) {
  ACLSIM_SWIGLU(none(), calCount);
}
template <typename T, bool isReuseSource = false>
ACLSIM_API void SwiGLU(ACLSIM_TWO_SOURCES(T), const float& scalarValue) {
  ACLSIM_SWIGLU(none(), src0.GetSize());
}
#undef ACLSIM_SWIGLU

/* srcTensor0 * max(srcTensor1, 0) */
template <typename T, bool isReuseSource = false>
ACLSIM_API void ReGlu(ACLSIM_TWO_SOURCES(T), ACLSIM_TMP, const uint32_t calCount) {
  ACLSIM_LIBRARY_TYPES(ReGlu, T);
  ACLSIM_LIBRARY_CALL(ReGlu, isReuseSource)
      .to(dst)
      .from(src0)
      .from(src1)
      .to(sharedTmpBuffer)
      .number(calCount)
      .go();
}
template <typename T, bool isReuseSource = false>
ACLSIM_API void ReGlu(ACLSIM_TWO_SOURCES(T), const uint32_t calCount) {
  ACLSIM_LIBRARY_TYPES(ReGlu, T);
  ACLSIM_LIBRARY_CALL(ReGlu, isReuseSource)
      .to(dst)
      .from(src0)
      .from(src1)
      .none()
      .number(calCount)
      .go();
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_ACTIVATION_H_ */
