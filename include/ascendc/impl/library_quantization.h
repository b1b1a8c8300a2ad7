/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quantisation of the library: to numbers of 8 and 4 bits (AscendQuant, Quantize), from int32_t
 * (AscendDequant, Dequantize) and of weights (AscendAntiQuant, AntiQuantize).
 */
#ifndef ASCENDC_IMPL_LIBRARY_QUANTIZATION_H_
#define ASCENDC_IMPL_LIBRARY_QUANTIZATION_H_

#include "ascendc/impl/library_quantization_issue.h"

namespace AscendC {

/* A call; the rest is the function of aclsim_quantize that makes its numbers. */
#define ACLSIM_QUANT_ISSUE(Name, reuses, dst, src, scale, offset, tmp, ...)            \
  aclsim_quantize::issue(aclsim_library::Call(ACLSIM_LIB_##Name, ACLSIM_SITE, reuses), \
                         aclsim_quantize::__VA_ARGS__, dst, src, scale, offset, tmp)
#define ACLSIM_QUANT_TMP const LocalTensor<uint8_t>& sharedTmpBuffer
#define ACLSIM_UNWRAP(...) __VA_ARGS__

/* ---- AscendQuant: dst = src * scale + offset ---- */

/* HEAD, DST, SRC and CONFIG are defined for each family of overloads below. */
#define ACLSIM_QUANT_FORM(tmp, PARAMETERS, scale, offset, ...)                               \
  ACLSIM_QUANT_HEAD                                                                          \
  ACLSIM_API void AscendQuant(const LocalTensor<ACLSIM_QUANT_DST>& dstTensor,                \
                              const LocalTensor<ACLSIM_QUANT_SRC>& srcTensor,                \
                              ACLSIM_UNWRAP PARAMETERS) {                                    \
    ACLSIM_LIBRARY_TYPES(AscendQuant, ACLSIM_QUANT_SRC);                                     \
    static_assert(aclsim_quantize::is_eight<ACLSIM_QUANT_DST>() ||                           \
                      (ACLSIM_QUANT_GROUPS && aclsim_quantize::is_four<ACLSIM_QUANT_DST>()), \
                  "AscendC::AscendQuant: the type of dst is none of int8_t, fp8_e4m3fn_t, "  \
                  "fp8_e5m2_t, hifloat8_t, and with PER_GROUP fp4x2_e1m2_t, fp4x2_e2m1_t");  \
    ACLSIM_QUANT_ISSUE(AscendQuant, isReuseSource, dstTensor, srcTensor, scale, offset, tmp, \
                       __VA_ARGS__);                                                         \
  }
/* With and without temporary memory. */
#define ACLSIM_QUANT_TWICE(PARAMETERS, scale, offset, ...)                                         \
  ACLSIM_QUANT_FORM(&sharedTmpBuffer, (ACLSIM_QUANT_TMP, ACLSIM_UNWRAP PARAMETERS), scale, offset, \
                    __VA_ARGS__)                                                                   \
  ACLSIM_QUANT_FORM(nullptr, PARAMETERS, scale, offset, __VA_ARGS__)
/* With and without counts: one scale, then a scale for each channel. */
#define ACLSIM_QUANT_VALUES                                                                   \
  ACLSIM_QUANT_TWICE((const float scale, const float offset, const uint32_t calCount), scale, \
                     offset, values_of(ACLSIM_QUANT_CONFIG, calCount))                        \
  ACLSIM_QUANT_TWICE((const float scale, const float offset), scale, offset,                  \
                     values_of(ACLSIM_QUANT_CONFIG, srcTensor.GetSize()))
#define ACLSIM_QUANT_SCALES const LocalTensor<ACLSIM_QUANT_SRC>& scaleTensor
#define ACLSIM_QUANT_OFFSETS const LocalTensor<ACLSIM_QUANT_SRC>& offsetTensor
#define ACLSIM_QUANT_CHANNELS                                                                   \
  ACLSIM_QUANT_TWICE((ACLSIM_QUANT_SCALES, const ACLSIM_QUANT_SRC offset,                       \
                      const uint32_t scaleCount, const uint32_t calCount),                      \
                     scaleTensor, offset,                                                       \
                     channels_of(ACLSIM_QUANT_CONFIG, scaleCount, scaleCount, calCount))        \
  ACLSIM_QUANT_TWICE((ACLSIM_QUANT_SCALES, const ACLSIM_QUANT_SRC offset), scaleTensor, offset, \
                     channels_of(ACLSIM_QUANT_CONFIG, scaleTensor.GetSize(),                    \
                                 scaleTensor.GetSize(), srcTensor.GetSize()))                   \
  ACLSIM_QUANT_TWICE((ACLSIM_QUANT_SCALES, ACLSIM_QUANT_OFFSETS, const uint32_t scaleCount,     \
                      const uint32_t offsetCount, const uint32_t calCount),                     \
                     scaleTensor, offsetTensor,                                                 \
                     channels_of(ACLSIM_QUANT_CONFIG, scaleCount, offsetCount, calCount))       \
  ACLSIM_QUANT_TWICE((ACLSIM_QUANT_SCALES, ACLSIM_QUANT_OFFSETS), scaleTensor, offsetTensor,    \
                     channels_of(ACLSIM_QUANT_CONFIG, scaleTensor.GetSize(),                    \
                                 offsetTensor.GetSize(), srcTensor.GetSize()))

#define ACLSIM_QUANT_GROUPS false
#define ACLSIM_QUANT_HEAD                           \
  template <typename T, bool isReuseSource = false, \
            const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
#define ACLSIM_QUANT_DST int8_t
#define ACLSIM_QUANT_SRC T
#define ACLSIM_QUANT_CONFIG config
ACLSIM_QUANT_VALUES
ACLSIM_QUANT_CHANNELS
#undef ACLSIM_QUANT_HEAD
#undef ACLSIM_QUANT_DST
#undef ACLSIM_QUANT_SRC
#undef ACLSIM_QUANT_CONFIG

#if defined(__NPU_ARCH__) && __NPU_ARCH__ == 3510
#define ACLSIM_QUANT_HEAD template <typename dstT, typename srcT, bool isReuseSource = false>
#define ACLSIM_QUANT_DST dstT
#define ACLSIM_QUANT_SRC srcT
#define ACLSIM_QUANT_CONFIG ASCEND_QUANT_DEFAULT_CFG
ACLSIM_QUANT_VALUES
ACLSIM_QUANT_CHANNELS
#undef ACLSIM_QUANT_HEAD
#undef ACLSIM_QUANT_CONFIG

/* A scale for each row, or for each group of rows or columns. */
#undef ACLSIM_QUANT_GROUPS
#define ACLSIM_QUANT_GROUPS (policy == AscendQuantPolicy::PER_GROUP)
#define ACLSIM_QUANT_HEAD                                                              \
  template <typename dstT, typename srcT, typename scaleT, bool isReuseSource = false, \
            const AscendQuantConfig& config, const AscendQuantPolicy& policy>
ACLSIM_QUANT_TWICE((const LocalTensor<scaleT>& scaleTensor, const LocalTensor<scaleT>& offsetTensor,
                    const AscendQuantParam& para),
                   scaleTensor, offsetTensor,
                   quant_policy<dstT, srcT, scaleT, config, policy>(para))
ACLSIM_QUANT_TWICE((const LocalTensor<scaleT>& scaleTensor, const scaleT offset,
                    const AscendQuantParam& para),
                   scaleTensor, offset, quant_policy<dstT, srcT, scaleT, config, policy>(para))
#undef ACLSIM_QUANT_HEAD
#undef ACLSIM_QUANT_DST
#undef ACLSIM_QUANT_SRC
#endif
#undef ACLSIM_QUANT_GROUPS
#undef ACLSIM_QUANT_CHANNELS
#undef ACLSIM_QUANT_OFFSETS
#undef ACLSIM_QUANT_SCALES
#undef ACLSIM_QUANT_VALUES
#undef ACLSIM_QUANT_TWICE
#undef ACLSIM_QUANT_FORM

/* ---- AscendDequant: dst = src * deqScale ---- */

#define ACLSIM_DEQUANT_FORM(tmp, PARAMETERS, ...)                                                  \
  template <typename dstT, typename scaleT,                                                        \
            DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>                               \
  ACLSIM_API void AscendDequant(const LocalTensor<dstT>& dstTensor,                                \
                                const LocalTensor<int32_t>& srcTensor, ACLSIM_UNWRAP PARAMETERS) { \
    ACLSIM_QUANT_TYPES(AscendDequant, (aclsim_quantize::dequants<dstT, scaleT>(                    \
                                          aclsim_quantize::is_tensor<decltype(deqScale)>())));     \
    ACLSIM_QUANT_ISSUE(AscendDequant, false, dstTensor, srcTensor, deqScale,                       \
                       aclsim_quantize::kNone, tmp, __VA_ARGS__);                                  \
  }
#define ACLSIM_DEQUANT_SCALES const LocalTensor<scaleT>& deqScale
ACLSIM_DEQUANT_FORM(&sharedTmpBuffer,
                    (ACLSIM_DEQUANT_SCALES, ACLSIM_QUANT_TMP, DequantParams params),
                    rows_of<dstT>(params, mode))
ACLSIM_DEQUANT_FORM(nullptr, (ACLSIM_DEQUANT_SCALES, DequantParams params),
                    rows_of<dstT>(params, mode))
ACLSIM_DEQUANT_FORM(&sharedTmpBuffer,
                    (const scaleT deqScale, ACLSIM_QUANT_TMP, DequantParams params),
                    rows_of<dstT>(params, mode))
ACLSIM_DEQUANT_FORM(nullptr, (const scaleT deqScale, DequantParams params),
                    rows_of<dstT>(params, mode))
/* The older forms: each row has as many elements as deqScale. */
ACLSIM_DEQUANT_FORM(&sharedTmpBuffer,
                    (ACLSIM_DEQUANT_SCALES, ACLSIM_QUANT_TMP, const uint32_t calCount),
                    flat(deqScale.GetSize(), calCount))
ACLSIM_DEQUANT_FORM(nullptr, (ACLSIM_DEQUANT_SCALES, const uint32_t calCount),
                    flat(deqScale.GetSize(), calCount))
ACLSIM_DEQUANT_FORM(&sharedTmpBuffer, (ACLSIM_DEQUANT_SCALES, ACLSIM_QUANT_TMP),
                    flat(deqScale.GetSize(), srcTensor.GetSize()))
ACLSIM_DEQUANT_FORM(nullptr, (ACLSIM_DEQUANT_SCALES), flat(deqScale.GetSize(), srcTensor.GetSize()))
#undef ACLSIM_DEQUANT_SCALES
#undef ACLSIM_DEQUANT_FORM

/* ---- AscendAntiQuant: dst = (src + offset) * scale ---- */

#define ACLSIM_ANTIQUANT_FORM(tmp, PARAMETERS, scale, offset)                                      \
  template <typename InputDataType, typename OutputDataType, bool isTranspose>                     \
  ACLSIM_API void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,                          \
                                  const LocalTensor<InputDataType>& src, ACLSIM_UNWRAP PARAMETERS, \
                                  const uint32_t k, const AntiQuantShapeInfo& shapeInfo = {}) {    \
    ACLSIM_LIBRARY_TYPES(AscendAntiQuant, InputDataType);                                          \
    ACLSIM_QUANT_TYPES(AscendAntiQuant, (!aclsim_quantize::is_four<InputDataType>() &&             \
                                         (std::is_same_v<OutputDataType, half> ||                  \
                                          std::is_same_v<OutputDataType, bfloat16_t>)));           \
    ACLSIM_QUANT_ISSUE(                                                                            \
        AscendAntiQuant, false, dst, src, scale, offset, tmp,                                      \
        weights_of<OutputDataType>(isTranspose, src.GetSize(), k, shapeInfo, scale, offset));      \
  }
#define ACLSIM_ANTIQUANT_FORMS(TYPE)                                                          \
  ACLSIM_ANTIQUANT_FORM(&sharedTmpBuffer, (TYPE offset, TYPE scale, ACLSIM_QUANT_TMP), scale, \
                        offset)                                                               \
  ACLSIM_ANTIQUANT_FORM(nullptr, (TYPE offset, TYPE scale), scale, offset)                    \
  ACLSIM_ANTIQUANT_FORM(&sharedTmpBuffer, (TYPE scale, ACLSIM_QUANT_TMP), scale,              \
                        aclsim_quantize::kNone)
ACLSIM_ANTIQUANT_FORMS(const LocalTensor<OutputDataType>&)
ACLSIM_ANTIQUANT_FORMS(const OutputDataType)
#undef ACLSIM_ANTIQUANT_FORMS
#undef ACLSIM_ANTIQUANT_FORM

#if defined(__NPU_ARCH__) && __NPU_ARCH__ == 3510
/* Weights of 4 bits. */
#define ACLSIM_ANTIQUANT_FOUR(tmp, TMP)                                                      \
  template <typename InputDataType, typename OutputDataType, bool isTranspose>               \
  ACLSIM_API void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,                    \
                                  const LocalTensor<InputDataType>& src,                     \
                                  const LocalTensor<fp8_e8m0_t>& scale ACLSIM_UNWRAP TMP,    \
                                  const uint32_t k, const AntiQuantShapeInfo& = {}) {        \
    ACLSIM_QUANT_TYPES(                                                                      \
        AscendAntiQuant,                                                                     \
        (aclsim_quantize::is_four<InputDataType>() &&                                        \
         aclsim_quantize::antiquants<OutputDataType, InputDataType, fp8_e8m0_t, true>()));   \
    ACLSIM_QUANT_ISSUE(AscendAntiQuant, false, dst, src, scale, aclsim_quantize::kNone, tmp, \
                       weights_of_four(isTranspose, src.GetSize(), k));                      \
  }
ACLSIM_ANTIQUANT_FOUR(&sharedTmpBuffer, (, ACLSIM_QUANT_TMP))
ACLSIM_ANTIQUANT_FOUR(nullptr, ())
#undef ACLSIM_ANTIQUANT_FOUR

/* ---- AscendDequant and AscendAntiQuant by rows or groups ---- */

#define ACLSIM_QUANT_BY_POLICY(Name, Config, Policy, Param, tmp, TMP, scale, offset, ...)          \
  template <typename dstT, typename srcT, typename scaleT, const Config& config,                   \
            const Policy& policy>                                                                  \
  ACLSIM_API void Name(const LocalTensor<dstT>& dstTensor, const LocalTensor<srcT>& srcTensor,     \
                       const LocalTensor<scaleT>& scaleTensor,                                     \
                       [[maybe_unused]] const LocalTensor<scaleT>& offsetTensor ACLSIM_UNWRAP TMP, \
                       const Param& para) {                                                        \
    ACLSIM_LIBRARY_TYPES(Name, srcT);                                                              \
    ACLSIM_QUANT_ISSUE(Name, false, dstTensor, srcTensor, scale, offset, tmp, __VA_ARGS__);        \
  }
#define ACLSIM_DEQUANT_BY_POLICY(tmp, TMP)                                                  \
  ACLSIM_QUANT_BY_POLICY(AscendDequant, AscendDeQuantConfig, AscendDeQuantPolicy,           \
                         AscendDeQuantParam, tmp, TMP, scaleTensor, aclsim_quantize::kNone, \
                         dequant_policy<dstT, scaleT, config, policy>(para))
ACLSIM_DEQUANT_BY_POLICY(&sharedTmpBuffer, (, ACLSIM_QUANT_TMP))
ACLSIM_DEQUANT_BY_POLICY(nullptr, ())
#undef ACLSIM_DEQUANT_BY_POLICY
#define ACLSIM_ANTIQUANT_BY_POLICY(tmp, TMP)                                            \
  ACLSIM_QUANT_BY_POLICY(AscendAntiQuant, AscendAntiQuantConfig, AscendAntiQuantPolicy, \
                         AscendAntiQuantParam, tmp, TMP, scaleTensor, offsetTensor,     \
                         antiquant_policy<dstT, srcT, scaleT, config, policy>(para))
ACLSIM_ANTIQUANT_BY_POLICY(&sharedTmpBuffer, (, ACLSIM_QUANT_TMP))
ACLSIM_ANTIQUANT_BY_POLICY(nullptr, ())
#undef ACLSIM_ANTIQUANT_BY_POLICY
#undef ACLSIM_QUANT_BY_POLICY
#endif

/* ---- Quantize, Dequantize, AntiQuantize: the same by the policy of a configuration ---- */

#define ACLSIM_QUANT_CONFIGURED(Name, tmp, PARAMETERS)                                         \
  template <const Name##Config& config, typename DstT, typename SrcT, typename ScaleT,         \
            typename OffsetT>                                                                  \
  ACLSIM_API void Name(const LocalTensor<DstT>& dstTensor, const LocalTensor<SrcT>& srcTensor, \
                       ACLSIM_UNWRAP PARAMETERS, const Name##Params& params) {                 \
    ACLSIM_LIBRARY_TYPES(Name, SrcT);                                                          \
    aclsim_quantize::require_##Name<config.policy, DstT, SrcT, ScaleT, OffsetT,                \
                                    config.hasOffset>();                                       \
    ACLSIM_QUANT_ISSUE(Name, false, dstTensor, srcTensor, scale, offset, tmp,                  \
                       configured(config, params));                                            \
  }
#define ACLSIM_QUANT_BOTH const ScaleT &scale, const OffsetT &offset
ACLSIM_QUANT_CONFIGURED(Quantize, &sharedTmpBuffer, (ACLSIM_QUANT_TMP, ACLSIM_QUANT_BOTH))
ACLSIM_QUANT_CONFIGURED(Quantize, nullptr, (ACLSIM_QUANT_BOTH))
ACLSIM_QUANT_CONFIGURED(Dequantize, &sharedTmpBuffer, (ACLSIM_QUANT_BOTH, ACLSIM_QUANT_TMP))
ACLSIM_QUANT_CONFIGURED(Dequantize, nullptr, (ACLSIM_QUANT_BOTH))
ACLSIM_QUANT_CONFIGURED(AntiQuantize, &sharedTmpBuffer, (ACLSIM_QUANT_BOTH, ACLSIM_QUANT_TMP))
ACLSIM_QUANT_CONFIGURED(AntiQuantize, nullptr, (ACLSIM_QUANT_BOTH))
#undef ACLSIM_QUANT_BOTH
#undef ACLSIM_QUANT_CONFIGURED
#undef ACLSIM_UNWRAP
#undef ACLSIM_QUANT_TMP
#undef ACLSIM_QUANT_ISSUE

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_QUANTIZATION_H_ */
