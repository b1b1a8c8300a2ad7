/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Softmax over the rows of a matrix, its gradient, and its forms for flash attention, which
 * continue with the maxima and sums of earlier columns. `softmaxShapeInfo` gives the shape; without
 * it the source tensor does, and if that has no shape, the tiling. Everything else in a tiling has
 * no effect on results.
 */
#ifndef ASCENDC_IMPL_LIBRARY_SOFTMAX_H_
#define ASCENDC_IMPL_LIBRARY_SOFTMAX_H_

#include "ascendc/impl/library_math.h"
#include "ascendc/impl/library_softmax_shape.h"
#include "ascendc/impl/pipe.h"

namespace AscendC {

using tiling::LogSoftMaxTiling;
using tiling::SoftMaxTiling;

/* WITHOUT_BRC: maxima and sums are one element a row, not a block of equal elements. */
enum class SoftmaxMode { SOFTMAX_NORMAL = 0, SOFTMAX_OUTPUT_WITHOUT_BRC = 1 };

struct SoftmaxConfig {
  constexpr SoftmaxConfig(const bool isCheckTilingIn) : isCheckTiling(isCheckTilingIn) {}
  constexpr SoftmaxConfig(const bool isCheckTilingIn, const uint32_t oriSrcMIn,
                          const uint32_t oriSrcKIn,
                          const SoftmaxMode modeIn = SoftmaxMode::SOFTMAX_NORMAL)
      : isCheckTiling(isCheckTilingIn), oriSrcM(oriSrcMIn), oriSrcK(oriSrcKIn), mode(modeIn) {}
  bool isCheckTiling = true;
  uint32_t oriSrcM = 0;
  uint32_t oriSrcK = 0;
  SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};
inline constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG = {true, 0, 0, SoftmaxMode::SOFTMAX_NORMAL};

struct SoftMaxShapeInfo {
  uint32_t srcM{0};
  uint32_t srcK{0};
  uint32_t oriSrcM{0};
  uint32_t oriSrcK{0};
};

struct SoftMaxParams {
  uint32_t srcM{0};
  uint32_t srcK{0};
  uint32_t oriSrcM{0};
  uint32_t oriSrcK{0};
  uint32_t loopCnt{1};
  uint32_t splitMeanCnt{8};
  float alpha{0.9375};
};

}  // namespace AscendC

namespace aclsim_library {

using AscendC::SoftmaxConfig;
using AscendC::SoftMaxShapeInfo;

enum SoftmaxFlag { ACLSIM_SOFTMAX_NZ = 1, ACLSIM_SOFTMAX_COMPACT = 2, ACLSIM_SOFTMAX_UPDATE = 4 };

/* The shape that a tensor has got by SetShapeInfo; zeros without one. */
template <typename T>
SoftMaxShapeInfo shape_of_tensor(const LocalTensor<T>& src, bool nz) {
  const AscendC::ShapeInfo shape = src.GetShapeInfo();
  SoftMaxShapeInfo found;
  const auto rows_of = [](const uint32_t* dims, uint32_t count) {
    uint32_t rows = count == 0 ? 0 : 1;
    for (uint32_t i = 0; i + 1 < count; ++i) rows *= dims[i];
    return rows;
  };
  const uint32_t axes = shape.shapeDim;
  if (axes == 0) return found;
  if (nz && axes == 4) { /* W1, H1, H0, W0 */
    found.srcM = shape.shape[1] * shape.shape[2];
    found.srcK = shape.shape[0] * shape.shape[3];
  } else {
    found.srcM = rows_of(shape.shape, axes);
    found.srcK = shape.shape[axes - 1];
  }
  found.oriSrcM = found.srcM;
  found.oriSrcK = found.srcK;
  const uint32_t original = shape.originalShapeDim;
  if (original > 0 && (!nz || original == 2)) {
    found.oriSrcM = rows_of(shape.originalShape, original);
    found.oriSrcK = shape.originalShape[original - 1];
  }
  return found;
}

/* The shape of a call; a configuration with constants has the last word on the original shape. */
template <typename T, typename Tiling>
SoftMaxShapeInfo softmax_shape(const LocalTensor<T>& src, const Tiling& tiling,
                               const SoftMaxShapeInfo& given, bool nz,
                               const SoftmaxConfig& config = AscendC::SOFTMAX_DEFAULT_CFG) {
  SoftMaxShapeInfo shape = given;
  if (shape.srcM == 0 && shape.srcK == 0) shape = shape_of_tensor(src, nz);
  if (shape.srcM == 0 && shape.srcK == 0) {
    shape = {tiling.srcM, tiling.srcK, tiling.srcM, tiling.srcK};
  }
  if (config.oriSrcM != 0) shape.oriSrcM = config.oriSrcM;
  if (config.oriSrcK != 0) shape.oriSrcK = config.oriSrcK;
  return shape;
}

/* The first five numbers of each function of softmax. */
inline Call& softmax_numbers(Call& call, const SoftMaxShapeInfo& shape, uint32_t flags) {
  return call.number(shape.srcM)
      .number(shape.srcK)
      .number(shape.oriSrcM)
      .number(shape.oriSrcK)
      .number(flags);
}

}  // namespace aclsim_library

namespace AscendC {

#define ACLSIM_SOFTMAX_CALL(Name)       \
  ACLSIM_LIBRARY_TYPES(Name, ElementS); \
  aclsim_library::Call call = ACLSIM_LIBRARY_CALL(Name, false)
#define ACLSIM_NZ_FLAG (isDataFormatNZ ? uint32_t{aclsim_library::ACLSIM_SOFTMAX_NZ} : 0U)
#define ACLSIM_SOFTMAX_HEAD                                                    \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false, \
            bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
#define ACLSIM_SOFTMAX_END \
  const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {}
#define ACLSIM_WITH_TMP ACLSIM_TMP,
#define ACLSIM_NO_TMP

/* Each function has four forms: matrices have the type S, maxima and sums the type U. These are T,
 * or half and float; temporary memory is given or not. */
#define ACLSIM_SOFTMAX_FORMS(FORM)                        \
  FORM(T, T, ACLSIM_WITH_TMP, to(sharedTmpBuffer))        \
  FORM(T, T, ACLSIM_NO_TMP, none())                       \
  FORM(half, float, ACLSIM_WITH_TMP, to(sharedTmpBuffer)) \
  FORM(half, float, ACLSIM_NO_TMP, none())

/* exp(src - max) / sum for the maximum of each row and the sum of its exponentials. */
#define ACLSIM_SOFTMAX(S, U, TMP, tmp)                                                            \
  ACLSIM_SOFTMAX_HEAD ACLSIM_API void SoftMax(                                                    \
      const LocalTensor<S>& dstTensor, const LocalTensor<U>& sumTensor,                           \
      const LocalTensor<U>& maxTensor, const LocalTensor<S>& srcTensor, TMP ACLSIM_SOFTMAX_END) { \
    using ElementS = S;                                                                           \
    ACLSIM_SOFTMAX_CALL(SoftMax);                                                                 \
    call.to(dstTensor).to(sumTensor).to(maxTensor).from(srcTensor).tmp;                           \
    aclsim_library::softmax_numbers(                                                              \
        call,                                                                                     \
        aclsim_library::softmax_shape(srcTensor, tiling, softmaxShapeInfo, isDataFormatNZ,        \
                                      config),                                                    \
        ACLSIM_NZ_FLAG)                                                                           \
        .go();                                                                                    \
  }
ACLSIM_SOFTMAX_FORMS(ACLSIM_SOFTMAX)
#undef ACLSIM_SOFTMAX

#define ACLSIM_SOFTMAX_ALONE(TMP, tmp)                                                           \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false,                   \
            const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>                                   \
  ACLSIM_API void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,      \
                          TMP ACLSIM_SOFTMAX_END) {                                              \
    using ElementS = T;                                                                          \
    ACLSIM_SOFTMAX_CALL(SoftMax);                                                                \
    call.to(dstTensor).none().none().from(srcTensor).tmp;                                        \
    aclsim_library::softmax_numbers(                                                             \
        call, aclsim_library::softmax_shape(srcTensor, tiling, softmaxShapeInfo, false, config), \
        0)                                                                                       \
        .go();                                                                                   \
  }
ACLSIM_SOFTMAX_ALONE(ACLSIM_WITH_TMP, to(sharedTmpBuffer))
ACLSIM_SOFTMAX_ALONE(ACLSIM_NO_TMP, none())
#undef ACLSIM_SOFTMAX_ALONE

/* The same with given maxima and sums. */
#define ACLSIM_SIMPLE_SOFTMAX(S, U, TMP, tmp)                                              \
  ACLSIM_SOFTMAX_HEAD ACLSIM_API void SimpleSoftMax(                                       \
      const LocalTensor<S>& dstTensor, const LocalTensor<U>& inSumTensor,                  \
      const LocalTensor<U>& inMaxTensor, const LocalTensor<S>& srcTensor,                  \
      TMP ACLSIM_SOFTMAX_END) {                                                            \
    using ElementS = S;                                                                    \
    ACLSIM_SOFTMAX_CALL(SimpleSoftMax);                                                    \
    call.to(dstTensor).from(inSumTensor).from(inMaxTensor).from(srcTensor).tmp;            \
    aclsim_library::softmax_numbers(                                                       \
        call,                                                                              \
        aclsim_library::softmax_shape(srcTensor, tiling, softmaxShapeInfo, isDataFormatNZ, \
                                      config),                                             \
        ACLSIM_NZ_FLAG)                                                                    \
        .go();                                                                             \
  }
ACLSIM_SOFTMAX_FORMS(ACLSIM_SIMPLE_SOFTMAX)
#undef ACLSIM_SIMPLE_SOFTMAX

/* Softmax of one part of the columns; an update includes the sums and maxima of earlier ones. */
#define ACLSIM_SOFTMAX_FLASH(S, U, TMP, tmp)                                                     \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false>                   \
  ACLSIM_API void SoftmaxFlash(                                                                  \
      const LocalTensor<S>& dstTensor, const LocalTensor<U>& sumTensor,                          \
      const LocalTensor<U>& maxTensor, const LocalTensor<S>& srcTensor,                          \
      const LocalTensor<S>& expMaxTensor, const LocalTensor<U>& inSumTensor,                     \
      const LocalTensor<U>& inMaxTensor, TMP const SoftMaxTiling& tiling, bool isUpdate = false, \
      const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                                           \
    using ElementS = S;                                                                          \
    ACLSIM_SOFTMAX_CALL(SoftmaxFlash);                                                           \
    call.to(dstTensor).to(sumTensor).to(maxTensor).from(srcTensor);                              \
    if (isUpdate) {                                                                              \
      call.to(expMaxTensor).from(inSumTensor).from(inMaxTensor).tmp;                             \
    } else {                                                                                     \
      call.none().none().none().tmp;                                                             \
    }                                                                                            \
    aclsim_library::softmax_numbers(                                                             \
        call, aclsim_library::softmax_shape(srcTensor, tiling, softmaxShapeInfo, false),         \
        isUpdate ? uint32_t{aclsim_library::ACLSIM_SOFTMAX_UPDATE} : 0U)                         \
        .go();                                                                                   \
  }
ACLSIM_SOFTMAX_FORMS(ACLSIM_SOFTMAX_FLASH)
#undef ACLSIM_SOFTMAX_FLASH

#define ACLSIM_FLASH_HEAD                                                  \
  template <typename T, bool isUpdate = false, bool isReuseSource = false, \
            bool isBasicBlock = false, bool isDataFormatNZ = false,        \
            const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
#define ACLSIM_FLASH_FLAGS                                                              \
  ((isUpdate ? uint32_t{aclsim_library::ACLSIM_SOFTMAX_UPDATE} : 0U) | ACLSIM_NZ_FLAG | \
   (config.mode == SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC                              \
        ? uint32_t{aclsim_library::ACLSIM_SOFTMAX_COMPACT}                              \
        : 0U))

/* The exponentials, not divided by their sum: the last part of the columns divides. */
#define ACLSIM_FLASH_V2(S, U, TMP, tmp)                                                    \
  ACLSIM_FLASH_HEAD ACLSIM_API void SoftmaxFlashV2(                                        \
      const LocalTensor<S>& dstTensor, const LocalTensor<U>& expSumTensor,                 \
      const LocalTensor<U>& maxTensor, const LocalTensor<S>& srcTensor,                    \
      const LocalTensor<S>& expMaxTensor, const LocalTensor<U>& inExpSumTensor,            \
      const LocalTensor<U>& inMaxTensor, TMP ACLSIM_SOFTMAX_END) {                         \
    using ElementS = S;                                                                    \
    ACLSIM_SOFTMAX_CALL(SoftmaxFlashV2);                                                   \
    call.to(dstTensor).to(expSumTensor).to(maxTensor).from(srcTensor);                     \
    if constexpr (isUpdate) {                                                              \
      call.to(expMaxTensor).from(inExpSumTensor).from(inMaxTensor).tmp;                    \
    } else {                                                                               \
      call.none().none().none().tmp;                                                       \
    }                                                                                      \
    aclsim_library::softmax_numbers(                                                       \
        call.none(),                                                                       \
        aclsim_library::softmax_shape(srcTensor, tiling, softmaxShapeInfo, isDataFormatNZ, \
                                      config),                                             \
        ACLSIM_FLASH_FLAGS)                                                                \
        .go();                                                                             \
  }
ACLSIM_SOFTMAX_FORMS(ACLSIM_FLASH_V2)
#undef ACLSIM_FLASH_V2

/* With the maxima of these columns alone. The documentation defines it without broadcasts only: in
 * the other mode it does nothing. */
#define ACLSIM_FLASH_V2_MAX(TMP, tmp)                                                            \
  ACLSIM_FLASH_HEAD ACLSIM_API void SoftmaxFlashV2(                                              \
      const LocalTensor<T>& dstTensor, const LocalTensor<T>& outReduceMax,                       \
      const LocalTensor<T>& outExpSum, const LocalTensor<T>& outMax,                             \
      const LocalTensor<T>& srcTensor, const LocalTensor<T>& outExpMax,                          \
      const LocalTensor<T>& inExpSum, const LocalTensor<T>& inMax, TMP ACLSIM_SOFTMAX_END) {     \
    using ElementS = T;                                                                          \
    if constexpr (config.mode != SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC) return;                \
    ACLSIM_SOFTMAX_CALL(SoftmaxFlashV2);                                                         \
    call.to(dstTensor).to(outExpSum).to(outMax).from(srcTensor);                                 \
    if constexpr (isUpdate) {                                                                    \
      call.to(outExpMax).from(inExpSum).from(inMax).tmp.to(outReduceMax);                        \
    } else {                                                                                     \
      call.none().none().none().tmp.none();                                                      \
    }                                                                                            \
    aclsim_library::softmax_numbers(                                                             \
        call, aclsim_library::softmax_shape(srcTensor, tiling, softmaxShapeInfo, false, config), \
        ACLSIM_FLASH_FLAGS & ~uint32_t{aclsim_library::ACLSIM_SOFTMAX_NZ})                       \
        .go();                                                                                   \
  }
ACLSIM_FLASH_V2_MAX(ACLSIM_WITH_TMP, to(sharedTmpBuffer))
ACLSIM_FLASH_V2_MAX(ACLSIM_NO_TMP, none())
#undef ACLSIM_FLASH_V2_MAX

/* With shifted means (PASA): each of splitMeanCnt parts of a row moves towards the mean. */
#define ACLSIM_FLASH_V3(TMP, tmp)                                                                 \
  template <typename T, typename U, bool isUpdate = false, bool isReuseSource = false,            \
            bool isBasicBlock = false, bool isDataFormatNZ = false,                               \
            const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>                                    \
  ACLSIM_API void SoftmaxFlashV3(                                                                 \
      const LocalTensor<T>& dstTensor, const LocalTensor<U>& meanTensor,                          \
      const LocalTensor<U>& expSumTensor, const LocalTensor<U>& maxTensor,                        \
      const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,                        \
      const LocalTensor<U>& inMeanTensor, const LocalTensor<U>& inExpSumTensor,                   \
      const LocalTensor<U>& inMaxTensor, TMP const SoftMaxTiling&, const SoftMaxParams& params) { \
    using ElementS = T;                                                                           \
    static_assert(std::is_same_v<U, float>,                                                       \
                  "AscendC::SoftmaxFlashV3: means, sums and maxima are not float");               \
    ACLSIM_SOFTMAX_CALL(SoftmaxFlashV3);                                                          \
    call.to(dstTensor).to(expSumTensor).to(maxTensor).from(srcTensor);                            \
    if constexpr (isUpdate) {                                                                     \
      call.to(expMaxTensor).from(inExpSumTensor).from(inMaxTensor).tmp;                           \
      call.to(meanTensor).from(inMeanTensor);                                                     \
    } else {                                                                                      \
      call.none().none().none().tmp;                                                              \
      call.to(meanTensor).none();                                                                 \
    }                                                                                             \
    const SoftMaxShapeInfo shape = {params.srcM, params.srcK, params.oriSrcM, params.oriSrcK};    \
    aclsim_library::softmax_numbers(                                                              \
        call, shape, isUpdate ? uint32_t{aclsim_library::ACLSIM_SOFTMAX_UPDATE} : 0U)             \
        .number(params.loopCnt)                                                                   \
        .number(params.splitMeanCnt)                                                              \
        .value(params.alpha)                                                                      \
        .go();                                                                                    \
  }
ACLSIM_FLASH_V3(ACLSIM_WITH_TMP, to(sharedTmpBuffer))
ACLSIM_FLASH_V3(ACLSIM_NO_TMP, none())
#undef ACLSIM_FLASH_V3

/* (grad - the sum of grad * src over the row) * src; isFront: only the sum. */
#define ACLSIM_SOFTMAX_GRAD(TMP, tmp)                                                             \
  template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>                  \
  ACLSIM_API void SoftmaxGrad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor,  \
                              const LocalTensor<T>& srcTensor, TMP const SoftMaxTiling& tiling,   \
                              bool isFront = false,                                               \
                              const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                    \
    using ElementS = T;                                                                           \
    ACLSIM_SOFTMAX_CALL(SoftmaxGrad);                                                             \
    call.to(dstTensor).from(gradTensor).from(srcTensor).tmp;                                      \
    aclsim_library::softmax_numbers(                                                              \
        call, aclsim_library::softmax_shape(srcTensor, tiling, softmaxShapeInfo, isDataFormatNZ), \
        ACLSIM_NZ_FLAG)                                                                           \
        .number(isFront)                                                                          \
        .go();                                                                                    \
  }                                                                                               \
  template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>                   \
  ACLSIM_API void SoftmaxGradFront(const LocalTensor<T>& dstTensor,                               \
                                   const LocalTensor<T>& gradTensor,                              \
                                   const LocalTensor<T>& srcTensor, TMP ACLSIM_SOFTMAX_END) {     \
    using ElementS = T;                                                                           \
    ACLSIM_SOFTMAX_CALL(SoftmaxGradFront);                                                        \
    call.to(dstTensor).from(gradTensor).from(srcTensor).tmp;                                      \
    aclsim_library::softmax_numbers(                                                              \
        call, aclsim_library::softmax_shape(srcTensor, tiling, softmaxShapeInfo, isDataFormatNZ), \
        ACLSIM_NZ_FLAG)                                                                           \
        .number(1)                                                                                \
        .go();                                                                                    \
  }
ACLSIM_SOFTMAX_GRAD(ACLSIM_WITH_TMP, to(sharedTmpBuffer))
ACLSIM_SOFTMAX_GRAD(ACLSIM_NO_TMP, none())
#undef ACLSIM_SOFTMAX_GRAD

/* The logarithm to base 10 of softmax. */
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
ACLSIM_API void LogSoftMax(const LocalTensor<T>& dst, const LocalTensor<T>& sum,
                           const LocalTensor<T>& max, const LocalTensor<T>& src, ACLSIM_TMP,
                           const LogSoftMaxTiling& tiling,
                           const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  using ElementS = T;
  ACLSIM_SOFTMAX_CALL(LogSoftMax);
  call.to(dst).to(sum).to(max).from(src).to(sharedTmpBuffer);
  aclsim_library::softmax_numbers(
      call, aclsim_library::softmax_shape(src, tiling, softmaxShapeInfo, isDataFormatNZ),
      ACLSIM_NZ_FLAG)
      .go();
}

/* Fills rows of `softMaxRes` with `to` whose maximum has the bits `from`; returns whether there is
 * one. The core reads the maxima, after the vector instructions before. */
template <typename T1, typename T2, bool isDataFormatNZ = false, uint8_t stepSizeMode = 0>
ACLSIM_API bool AdjustSoftMaxRes(const LocalTensor<T1>& softMaxRes,
                                 const LocalTensor<T2>& maxTensor, const uint32_t from, const T1 to,
                                 const SoftMaxShapeInfo& softmaxShapeInfo) {
  using ElementS = T1;
  static_assert(std::is_same_v<T2, half> || std::is_same_v<T2, float>,
                "AscendC::AdjustSoftMaxRes: maxTensor is neither half nor float");
  if (ASCEND_IS_AIC) return false;
  constexpr auto kEvent = static_cast<uint32_t>(HardEvent::V_S);
  const int32_t id = aclsimEventId(kEvent, 0);
  aclsimSetFlag(kEvent, id, ACLSIM_SITE);
  aclsimWaitFlag(kEvent, id, ACLSIM_SITE);
  constexpr uint32_t kStep = stepSizeMode == 0 ? 32 / sizeof(T2) : 1;
  bool found = false;
  for (uint32_t row = 0; row < softmaxShapeInfo.srcM && !found; ++row) {
    found = aclsim_vector::bits_of(maxTensor.GetValue(row * kStep)) == from;
  }
  if (!found) return false;
  ACLSIM_SOFTMAX_CALL(AdjustSoftMaxRes);
  call.onto(softMaxRes).from(maxTensor);
  aclsim_library::softmax_numbers(
      call, softmaxShapeInfo,
      ACLSIM_NZ_FLAG | (stepSizeMode == 0 ? 0U : uint32_t{aclsim_library::ACLSIM_SOFTMAX_COMPACT}))
      .number(from)
      .value(to)
      .go();
  return true;
}

/* The tiling of SoftmaxFlashV2 for a shape that only the kernel knows. */
inline constexpr SoftMaxTiling SoftMaxFlashV2TilingFunc(
    const SoftMaxShapeInfo& shapeInfo, const uint32_t /*dataTypeSize1*/,
    const uint32_t dataTypeSize2, const uint32_t localWorkSpaceSize,
    const bool /*isUpdate*/ = false, const bool /*isBasicBlock*/ = false,
    const bool /*isDataFormatNZ*/ = false, const bool isFlashOutputBrc = false) {
  return aclsim_library::softmax_tiling<SoftMaxTiling>(
      shapeInfo.srcM, shapeInfo.srcK, isFlashOutputBrc ? 1 : 32 / dataTypeSize2, localWorkSpaceSize,
      aclsim_library::least_temporary_of_row(ACLSIM_LIB_SoftmaxFlashV2, shapeInfo.srcK));
}

#undef ACLSIM_FLASH_FLAGS
#undef ACLSIM_FLASH_HEAD
#undef ACLSIM_SOFTMAX_FORMS
#undef ACLSIM_NO_TMP
#undef ACLSIM_WITH_TMP
#undef ACLSIM_SOFTMAX_END
#undef ACLSIM_SOFTMAX_HEAD
#undef ACLSIM_NZ_FLAG
#undef ACLSIM_SOFTMAX_CALL

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_SOFTMAX_H_ */
