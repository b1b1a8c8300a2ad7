/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Normalisations: of rows (LayerNorm, RmsNorm, DeepNorm, Normalize), of columns (BatchNorm) and of
 * groups of channels (GroupNorm), the gradients of LayerNorm, and means and variances of pieces
 * (Welford). The tiling or the parameters give the shape; everything else in a tiling has no effect
 * on results.
 */
#ifndef ASCENDC_IMPL_LIBRARY_NORMALIZATION_H_
#define ASCENDC_IMPL_LIBRARY_NORMALIZATION_H_

#include "ascendc/impl/library_math.h"
#include "ascendc/impl/library_tilings.h"
#include "ascendc/impl/reduce_pattern.h"

namespace AscendC {

using tiling::BatchNormTiling;
using tiling::DeepNormTiling;
using tiling::GroupNormTiling;
using tiling::LayerNormGradBetaTiling;
using tiling::LayerNormGradTiling;
using tiling::LayerNormSeparateTiling;
using tiling::LayerNormTiling;
using tiling::RmsNormTiling;

struct LayerNormConfig {
  bool isNoBeta = false;
  bool isNoGamma = false;
  bool isOnlyOutput = false;
  bool isOutputRstd = true;
};
inline constexpr LayerNormConfig LNCFG_NORM = {false, false, false, true};
struct LayerNormPara {
  uint32_t aLength;
  uint32_t rLength;
  uint32_t rLengthWithPadding;
};

struct NormalizeConfig {
  ReducePattern reducePattern = ReducePattern::AR;
  int32_t aLength = -1;
  bool isNoBeta = false;
  bool isNoGamma = false;
  bool isOnlyOutput = false;
};
inline constexpr NormalizeConfig NLCFG_NORM = {ReducePattern::AR, -1, false, false, false};
struct NormalizePara {
  uint32_t aLength;
  uint32_t rLength;
  uint32_t rLengthWithPadding;
};

struct LayerNormGradShapeInfo {
  DataFormat dataFormat = DataFormat::ND;
};

struct WelfordUpdateConfig {
  constexpr WelfordUpdateConfig(const bool isInplaceIn) : isInplace(isInplaceIn) {}
  bool isInplace = false;
};
inline constexpr WelfordUpdateConfig WFUPDATE_DEFAULT_CFG = {false};
struct WelfordUpdateParam {
  uint32_t rnLength;
  uint32_t abLength;
  uint32_t abComputeLength;
  float nRec;
};
struct WelfordFinalizeConfig {
  constexpr WelfordFinalizeConfig(const bool isCorrectionIn) : isCorrection(isCorrectionIn) {}
  bool isCorrection = false;
};
inline constexpr WelfordFinalizeConfig WFFINALIZE_DEFAULT_CFG = {false};
struct WelfordFinalizePara {
  uint32_t rnLength;
  uint32_t abLength;
  uint32_t headCount;
  uint32_t headCountLength;
  uint32_t tailCount;
  uint32_t tailCountLength;
  float abRec;
  float rRec;
  float rRecWithCorrection;
};

}  // namespace AscendC

namespace aclsim_library {

enum NormFlag {
  ACLSIM_NORM_REUSES = 1, /* inputX may change, and may be the output */
  ACLSIM_NORM_RSTD = 2,   /* the reciprocal of the standard deviation instead of the variance */
  ACLSIM_NORM_SEPARATE = 4
};

/* The first five numbers of normalisations: a matrix whose last columns are padding. */
inline Call& norm_numbers(Call& call, uint64_t rows, uint64_t columns, uint64_t originals,
                          float epsilon, uint32_t flags) {
  return call.number(static_cast<int64_t>(rows))
      .number(static_cast<int64_t>(columns))
      .number(static_cast<int64_t>(originals))
      .value(epsilon)
      .number(flags);
}
template <typename Tiling>
uint64_t rows_of_tiling(const Tiling& tiling) {
  return uint64_t{tiling.bLength} * tiling.sLength;
}
/* Whether gammas of type U may scale values of type T: they have no fewer digits. */
template <typename U, typename T>
constexpr bool scales = std::is_same_v<U, T> || std::is_same_v<U, float>;

}  // namespace aclsim_library

namespace AscendC {

#define ACLSIM_NORM_CALL(Name, T) \
  ACLSIM_LIBRARY_TYPES(Name, T);  \
  aclsim_library::Call call = ACLSIM_LIBRARY_CALL(Name, false)
#define ACLSIM_REUSE_FLAG (isReuseSource ? uint32_t{aclsim_library::ACLSIM_NORM_REUSES} : 0U)
#define ACLSIM_FIRST_TMP ACLSIM_TMP,
#define ACLSIM_NEXT_TMP , ACLSIM_TMP
#define ACLSIM_NO_TMP
/* gamma * (x - mean) / sqrt(variance + epsilon) + beta over the last axis of [B, S, H]. */
#define ACLSIM_LAYER_NORM(TMP, tmp)                                                             \
  template <typename T, bool isReuseSource = false>                                             \
  ACLSIM_API void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,     \
                            const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX, \
                            const LocalTensor<T>& gamma, const LocalTensor<T>& beta,            \
                            TMP const T epsilon, const LayerNormTiling& tiling) {               \
    static_assert(!std::is_same_v<T, bfloat16_t>,                                               \
                  "AscendC::LayerNorm: with one type of tensors there is half and float");      \
    ACLSIM_NORM_CALL(LayerNorm, T);                                                             \
    call.to(output).to(outputMean).to(outputVariance).from(inputX).from(gamma).from(beta).tmp;  \
    aclsim_library::norm_numbers(call, aclsim_library::rows_of_tiling(tiling), tiling.hLength,  \
                                 tiling.originalHLength, static_cast<float>(epsilon),           \
                                 ACLSIM_REUSE_FLAG)                                             \
        .go();                                                                                  \
  }
ACLSIM_LAYER_NORM(ACLSIM_FIRST_TMP, to(sharedTmpBuffer))
ACLSIM_LAYER_NORM(ACLSIM_NO_TMP, none())
#undef ACLSIM_LAYER_NORM

/* The same of [A, R], with the mean and rstd (or variance) in float. */
#define ACLSIM_LAYER_NORM(TMP, tmp)                                                             \
  template <typename U, typename T, bool isReuseSource = false,                                 \
            const LayerNormConfig& config = LNCFG_NORM>                                         \
  ACLSIM_API void LayerNorm(const LocalTensor<T>& output, const LocalTensor<float>& outputMean, \
                            const LocalTensor<float>& outputRstd, const LocalTensor<T>& inputX, \
                            const LocalTensor<U>& gamma, const LocalTensor<U>& beta,            \
                            const float epsilon TMP, const LayerNormPara& para,                 \
                            const LayerNormSeparateTiling& /*tiling*/) {                        \
    static_assert(aclsim_library::scales<U, T>,                                                 \
                  "AscendC::LayerNorm: gamma and beta are neither of the type of inputX nor "   \
                  "float");                                                                     \
    static_assert(!config.isOnlyOutput,                                                         \
                  "AscendC::LayerNorm: isOnlyOutput is true; expected "                         \
                  "false, the only value that is documented");                                  \
    static_assert(config.isOutputRstd || ACLSIM_HERE(false, true),                              \
                  "AscendC::LayerNorm: isOutputRstd is false; this architecture has no such "   \
                  "result");                                                                    \
    ACLSIM_NORM_CALL(LayerNorm, T);                                                             \
    call.to(output).to(outputMean).to(outputRstd).from(inputX);                                 \
    if constexpr (config.isNoGamma) {                                                           \
      call.none();                                                                              \
    } else {                                                                                    \
      call.from(gamma);                                                                         \
    }                                                                                           \
    if constexpr (config.isNoBeta) {                                                            \
      call.none().tmp;                                                                          \
    } else {                                                                                    \
      call.from(beta).tmp;                                                                      \
    }                                                                                           \
    constexpr uint32_t kFlags =                                                                 \
        uint32_t{aclsim_library::ACLSIM_NORM_SEPARATE} |                                        \
        (config.isOutputRstd ? uint32_t{aclsim_library::ACLSIM_NORM_RSTD} : 0U);                \
    aclsim_library::norm_numbers(call, para.aLength, para.rLengthWithPadding, para.rLength,     \
                                 epsilon, kFlags)                                               \
        .go();                                                                                  \
  }
ACLSIM_LAYER_NORM(ACLSIM_NEXT_TMP, to(sharedTmpBuffer))
ACLSIM_LAYER_NORM(ACLSIM_NO_TMP, none())
#undef ACLSIM_LAYER_NORM

/* rstd and the normalised values for given means and variances. */
#define ACLSIM_NORMALIZE(TMP, tmp)                                                                 \
  template <typename U, typename T, bool isReuseSource = false,                                    \
            const NormalizeConfig& config = NLCFG_NORM>                                            \
  ACLSIM_API void Normalize(const LocalTensor<T>& output, const LocalTensor<float>& outputRstd,    \
                            const LocalTensor<float>& inputMean,                                   \
                            const LocalTensor<float>& inputVariance, const LocalTensor<T>& inputX, \
                            const LocalTensor<U>& gamma, const LocalTensor<U>& beta,               \
                            TMP const float epsilon, const NormalizePara& para) {                  \
    static_assert(aclsim_library::scales<U, T>,                                                    \
                  "AscendC::Normalize: gamma and beta are neither of the type of inputX nor "      \
                  "float");                                                                        \
    static_assert(config.reducePattern == ReducePattern::AR,                                       \
                  "AscendC::Normalize: reducePattern is not AR, the only one");                    \
    static_assert(!config.isOnlyOutput,                                                            \
                  "AscendC::Normalize: isOnlyOutput is true; expected "                            \
                  "false, the only value that is documented");                                     \
    ACLSIM_NORM_CALL(Normalize, T);                                                                \
    call.to(output).to(outputRstd).from(inputMean).from(inputVariance).from(inputX);               \
    if constexpr (config.isNoGamma) {                                                              \
      call.none();                                                                                 \
    } else {                                                                                       \
      call.from(gamma);                                                                            \
    }                                                                                              \
    if constexpr (config.isNoBeta) {                                                               \
      call.none().tmp;                                                                             \
    } else {                                                                                       \
      call.from(beta).tmp;                                                                         \
    }                                                                                              \
    aclsim_library::norm_numbers(call, para.aLength, para.rLengthWithPadding, para.rLength,        \
                                 epsilon, 0)                                                       \
        .number(config.aLength)                                                                    \
        .go();                                                                                     \
  }
ACLSIM_NORMALIZE(ACLSIM_FIRST_TMP, to(sharedTmpBuffer))
ACLSIM_NORMALIZE(ACLSIM_NO_TMP, none())
#undef ACLSIM_NORMALIZE

/* gamma * x / sqrt(mean of x * x + epsilon) */
#define ACLSIM_RMS_NORM(TMP, tmp)                                                              \
  template <typename T, bool isBasicBlock = false>                                             \
  ACLSIM_API void RmsNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,      \
                          const LocalTensor<T>& gammaLocal, TMP const T epsilon,               \
                          const RmsNormTiling& tiling) {                                       \
    ACLSIM_NORM_CALL(RmsNorm, T);                                                              \
    call.to(dstLocal).from(srcLocal).from(gammaLocal).tmp;                                     \
    aclsim_library::norm_numbers(call, aclsim_library::rows_of_tiling(tiling), tiling.hLength, \
                                 tiling.originalHLength, static_cast<float>(epsilon), 0)       \
        .go();                                                                                 \
  }
ACLSIM_RMS_NORM(ACLSIM_FIRST_TMP, to(sharedTmpBuffer))
ACLSIM_RMS_NORM(ACLSIM_NO_TMP, none())
#undef ACLSIM_RMS_NORM

/* LayerNorm of alpha * src + gx. The examples of the documentation have the variance in rstdLocal.
 */
#define ACLSIM_DEEP_NORM(TMP, tmp)                                                               \
  template <typename T, bool isReuseSrc = false, bool isBasicBlock = false>                      \
  ACLSIM_API void DeepNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& meanLocal,      \
                           const LocalTensor<T>& rstdLocal, const LocalTensor<T>& srcLocal,      \
                           const LocalTensor<T>& gxLocal, const LocalTensor<T>& betaLocal,       \
                           const LocalTensor<T>& gammaLocal, TMP const T alpha, const T epsilon, \
                           const DeepNormTiling& tiling) {                                       \
    constexpr bool isReuseSource = isReuseSrc;                                                   \
    ACLSIM_NORM_CALL(DeepNorm, T);                                                               \
    call.to(dstLocal).to(meanLocal).to(rstdLocal).from(srcLocal).from(gxLocal);                  \
    call.from(betaLocal).from(gammaLocal).tmp;                                                   \
    aclsim_library::norm_numbers(call, aclsim_library::rows_of_tiling(tiling), tiling.hLength,   \
                                 tiling.originalHLength, static_cast<float>(epsilon),            \
                                 ACLSIM_REUSE_FLAG)                                              \
        .value(static_cast<float>(alpha))                                                        \
        .go();                                                                                   \
  }
ACLSIM_DEEP_NORM(ACLSIM_FIRST_TMP, to(sharedTmpBuffer))
ACLSIM_DEEP_NORM(ACLSIM_NO_TMP, none())
#undef ACLSIM_DEEP_NORM

/* Means and variances over the first axis of [B, S * H]; gamm and beta have an element for each of
 * B. */
#define ACLSIM_BATCH_NORM(TMP, tmp)                                                             \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false>                  \
  ACLSIM_API void BatchNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,     \
                            const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX, \
                            const LocalTensor<T>& gamm, const LocalTensor<T>& beta,             \
                            TMP const T epsilon, const BatchNormTiling& tiling) {               \
    ACLSIM_NORM_CALL(BatchNorm, T);                                                             \
    call.to(output).to(outputMean).to(outputVariance).from(inputX).from(gamm).from(beta).tmp;   \
    aclsim_library::norm_numbers(call, tiling.originalBLength, tiling.meanVarSize,              \
                                 tiling.meanVarSize, static_cast<float>(epsilon), 0)            \
        .go();                                                                                  \
  }
ACLSIM_BATCH_NORM(ACLSIM_FIRST_TMP, to(sharedTmpBuffer))
ACLSIM_BATCH_NORM(ACLSIM_NO_TMP, none())
#undef ACLSIM_BATCH_NORM

/* Each of g groups of d channels of [N, C, H * W]; gamma and beta have an element for each channel.
 */
#define ACLSIM_GROUP_NORM(TMP, tmp)                                                              \
  template <typename T, bool isReuseSource = false>                                              \
  ACLSIM_API void GroupNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,      \
                            const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX,  \
                            const LocalTensor<T>& gamma, const LocalTensor<T>& beta,             \
                            TMP const T epsilon, const GroupNormTiling& tiling) {                \
    ACLSIM_NORM_CALL(GroupNorm, T);                                                              \
    call.to(output).to(outputMean).to(outputVariance).from(inputX).from(gamma).from(beta).tmp;   \
    aclsim_library::norm_numbers(call, uint64_t{tiling.n} * tiling.g,                            \
                                 uint64_t{tiling.d} * tiling.hw, uint64_t{tiling.d} * tiling.hw, \
                                 static_cast<float>(epsilon), ACLSIM_REUSE_FLAG)                 \
        .number(tiling.hw)                                                                       \
        .number(tiling.c)                                                                        \
        .number(int64_t{tiling.g} * tiling.d)                                                    \
        .go();                                                                                   \
  }
ACLSIM_GROUP_NORM(ACLSIM_FIRST_TMP, to(sharedTmpBuffer))
ACLSIM_GROUP_NORM(ACLSIM_NO_TMP, none())
#undef ACLSIM_GROUP_NORM

/* The gradient of LayerNorm for inputX, and the factors that LayerNormGradBeta needs. */
#define ACLSIM_LAYER_NORM_GRAD(TMP, tmp)                                                           \
  template <typename T, bool isReuseSource = false>                                                \
  ACLSIM_API void LayerNormGrad(const LocalTensor<T>& outputPdX,                                   \
                                const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,  \
                                const LocalTensor<T>& inputX, const LocalTensor<T>& inputVariance, \
                                const LocalTensor<T>& inputMean, const LocalTensor<T>& inputGamma, \
                                TMP T epsilon, const LayerNormGradTiling& tiling,                  \
                                const LayerNormGradShapeInfo& shapeInfo = {}) {                    \
    ACLSIM_NORM_CALL(LayerNormGrad, T);                                                            \
    call.to(outputPdX).to(resForGamma).from(inputDy).from(inputX).from(inputVariance);             \
    call.from(inputMean).from(inputGamma).tmp;                                                     \
    aclsim_library::norm_numbers(call, aclsim_library::rows_of_tiling(tiling), tiling.hLength,     \
                                 tiling.originalHLength, static_cast<float>(epsilon),              \
                                 ACLSIM_REUSE_FLAG)                                                \
        .number(shapeInfo.dataFormat == DataFormat::ND)                                            \
        .go();                                                                                     \
  }
ACLSIM_LAYER_NORM_GRAD(ACLSIM_FIRST_TMP, to(sharedTmpBuffer))
ACLSIM_LAYER_NORM_GRAD(ACLSIM_NO_TMP, none())
#undef ACLSIM_LAYER_NORM_GRAD

/* The gradients for gamma and beta: sums over B and S. */
#define ACLSIM_LAYER_NORM_GRAD_BETA(TMP, tmp)                                                  \
  template <typename T, bool isReuseSource = false>                                            \
  ACLSIM_API void LayerNormGradBeta(                                                           \
      const LocalTensor<T>& outputPdGamma, const LocalTensor<T>& outputPdBeta,                 \
      const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,                        \
      TMP const LayerNormGradBetaTiling& tiling) {                                             \
    ACLSIM_NORM_CALL(LayerNormGradBeta, T);                                                    \
    call.to(outputPdGamma).to(outputPdBeta).from(resForGamma).from(inputDy).tmp;               \
    aclsim_library::norm_numbers(call, aclsim_library::rows_of_tiling(tiling), tiling.hLength, \
                                 tiling.originalHLength, 0.0F, ACLSIM_REUSE_FLAG)              \
        .go();                                                                                 \
  }
ACLSIM_LAYER_NORM_GRAD_BETA(ACLSIM_FIRST_TMP, to(sharedTmpBuffer))
ACLSIM_LAYER_NORM_GRAD_BETA(ACLSIM_NO_TMP, none())
#undef ACLSIM_LAYER_NORM_GRAD_BETA

/* One more piece of data in means and sums of squared differences. */
#define ACLSIM_WELFORD_UPDATE(TMP, tmp)                                                          \
  template <typename T, typename U, bool isReuseSource = false,                                  \
            const WelfordUpdateConfig& config = WFUPDATE_DEFAULT_CFG>                            \
  ACLSIM_API void WelfordUpdate(                                                                 \
      const LocalTensor<U>& outputMean, const LocalTensor<U>& outputVariance,                    \
      const LocalTensor<U>& inputMean, const LocalTensor<U>& inputVariance,                      \
      const LocalTensor<T>& inputX, TMP const WelfordUpdateParam& para) {                        \
    static_assert(std::is_same_v<U, float>,                                                      \
                  "AscendC::WelfordUpdate: means and variances are not float");                  \
    ACLSIM_NORM_CALL(WelfordUpdate, T);                                                          \
    call.to(outputMean).to(outputVariance).from(inputMean).from(inputVariance).from(inputX).tmp; \
    aclsim_library::norm_numbers(call, para.rnLength, para.abLength, para.abComputeLength,       \
                                 para.nRec, ACLSIM_REUSE_FLAG)                                   \
        .number(config.isInplace)                                                                \
        .go();                                                                                   \
  }
ACLSIM_WELFORD_UPDATE(ACLSIM_FIRST_TMP, to(sharedTmpBuffer))
ACLSIM_WELFORD_UPDATE(ACLSIM_NO_TMP, none())
#undef ACLSIM_WELFORD_UPDATE

/* The mean and the variance of all elements, from the means and sums of pieces. `counts` or the
 * parameters state how often each piece counts. */
#define ACLSIM_WELFORD_FINALIZE(COUNTS, counted, TMP, tmp)                                     \
  template <bool isReuseSource = false,                                                        \
            const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>                      \
  ACLSIM_API void WelfordFinalize(                                                             \
      const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,          \
      const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,            \
      COUNTS TMP const WelfordFinalizePara& para) {                                            \
    static_assert(!config.isCorrection || ACLSIM_HERE(false, true),                            \
                  "AscendC::WelfordFinalize: isCorrection is true; this architecture has no "  \
                  "such factor");                                                              \
    ACLSIM_NORM_CALL(WelfordFinalize, float);                                                  \
    call.to(outputMean).to(outputVariance).from(inputMean).from(inputVariance).counted.tmp;    \
    aclsim_library::norm_numbers(call, para.rnLength, para.abLength, para.abLength,            \
                                 config.isCorrection ? para.rRecWithCorrection : para.rRec, 0) \
        .number(para.headCount)                                                                \
        .number(para.headCountLength)                                                          \
        .number(para.tailCount)                                                                \
        .number(para.tailCountLength)                                                          \
        .value(para.abRec)                                                                     \
        .value(para.rRec)                                                                      \
        .go();                                                                                 \
  }
#define ACLSIM_COUNTS const LocalTensor<int32_t>&counts,
ACLSIM_WELFORD_FINALIZE(ACLSIM_NO_TMP, none(), ACLSIM_FIRST_TMP, to(sharedTmpBuffer))
ACLSIM_WELFORD_FINALIZE(ACLSIM_NO_TMP, none(), ACLSIM_NO_TMP, none())
ACLSIM_WELFORD_FINALIZE(ACLSIM_COUNTS, from(counts), ACLSIM_FIRST_TMP, to(sharedTmpBuffer))
ACLSIM_WELFORD_FINALIZE(ACLSIM_COUNTS, from(counts), ACLSIM_NO_TMP, none())
#undef ACLSIM_COUNTS
#undef ACLSIM_WELFORD_FINALIZE

#undef ACLSIM_NO_TMP
#undef ACLSIM_NEXT_TMP
#undef ACLSIM_FIRST_TMP
#undef ACLSIM_REUSE_FLAG
#undef ACLSIM_NORM_CALL

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_NORMALIZATION_H_ */
