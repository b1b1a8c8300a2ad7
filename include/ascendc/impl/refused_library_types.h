/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parameter types of functions of the high-level library that are not emulated
 * (refused_library.h). With these types the compiler understands a kernel up to the call, and its
 * error names the function. Constructors ignore their values.
 */
#ifndef ASCENDC_IMPL_REFUSED_LIBRARY_TYPES_H_
#define ASCENDC_IMPL_REFUSED_LIBRARY_TYPES_H_

#include "ascendc/impl/refused_cube_types.h"
#include "ascendc/impl/refused_tilings.h"

namespace AscendC {

#define ACLSIM_USING(NAME) using tiling::NAME;
ACLSIM_REFUSED_TILINGS(ACLSIM_USING)
#undef ACLSIM_USING

/* A structure with members of one type. */
#define ACLSIM_PARAMS(NAME, ...) \
  struct NAME {                  \
    ACLSIM_ANY_VALUES(NAME)      \
    uint32_t __VA_ARGS__;        \
  };
ACLSIM_PARAMS(SoftMaxShapeInfo, srcM = 0, srcK = 0, oriSrcM = 0, oriSrcK = 0)
ACLSIM_PARAMS(SoftMaxParams, srcM = 0, srcK = 0, oriSrcM = 0, oriSrcK = 0, loopCnt = 0,
              splitMeanCnt = 0)
ACLSIM_PARAMS(LayerNormPara, aLength = 0, rLength = 0, rLengthWithPadding = 0)
ACLSIM_PARAMS(NormalizePara, aLength = 0, rLength = 0, rLengthWithPadding = 0)
ACLSIM_PARAMS(WelfordUpdateParam, rnLength = 0, abLength = 0, abComputeLength = 0, nRec = 0)
ACLSIM_PARAMS(WelfordFinalizePara, rnLength = 0, abLength = 0, headCount = 0, headCountLength = 0,
              tailCount = 0, tailCountLength = 0, abRec = 0, rRec = 0)
ACLSIM_PARAMS(AntiQuantShapeInfo, offsetHeight = 0, offsetWidth = 0, scaleHeight = 0,
              scaleWidth = 0)
ACLSIM_PARAMS(DequantParams, m = 0, n = 0, calCount = 0)
ACLSIM_PARAMS(LayerNormGradShapeInfo, dataFormat = 0)
#undef ACLSIM_PARAMS

/* Structures whose members are not known here. */
#define ACLSIM_UNKNOWN(NAME) \
  struct NAME {              \
    ACLSIM_ANY_VALUES(NAME)  \
  };
ACLSIM_UNKNOWN(AntiQuantizeConfig)
ACLSIM_UNKNOWN(AntiQuantizeParams)
ACLSIM_UNKNOWN(AscendAntiQuantConfig)
ACLSIM_UNKNOWN(AscendAntiQuantParam)
ACLSIM_UNKNOWN(AscendDeQuantConfig)
ACLSIM_UNKNOWN(AscendDeQuantParam)
ACLSIM_UNKNOWN(AscendQuantConfig)
ACLSIM_UNKNOWN(AscendQuantParam)
ACLSIM_UNKNOWN(DequantizeConfig)
ACLSIM_UNKNOWN(DequantizeParams)
ACLSIM_UNKNOWN(LayerNormConfig)
ACLSIM_UNKNOWN(NormalizeConfig)
ACLSIM_UNKNOWN(QuantizeConfig)
ACLSIM_UNKNOWN(QuantizeParams)
ACLSIM_UNKNOWN(SoftmaxConfig)
ACLSIM_UNKNOWN(WelfordFinalizeConfig)
ACLSIM_UNKNOWN(WelfordUpdateConfig)
#undef ACLSIM_UNKNOWN

inline constexpr AscendQuantConfig ASCEND_QUANT_DEFAULT_CFG;
inline constexpr LayerNormConfig LNCFG_NORM;
inline constexpr NormalizeConfig NLCFG_NORM;
inline constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG;
inline constexpr WelfordFinalizeConfig WFFINALIZE_DEFAULT_CFG;
inline constexpr WelfordUpdateConfig WFUPDATE_DEFAULT_CFG;

}  // namespace AscendC

#endif /* ASCENDC_IMPL_REFUSED_LIBRARY_TYPES_H_ */
