/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of normalisations (library_rows.h describes the columns). The intermediate tensors have
 * one row of the matrix. The third result of LayerNorm is the variance or the reciprocal of the
 * standard deviation.
 */
#ifndef ASCENDC_IMPL_LIBRARY_ROWS_NORMALIZATION_H_
#define ASCENDC_IMPL_LIBRARY_ROWS_NORMALIZATION_H_

#define ACLSIM_IN_F32_ONLY(F, N) F(F32)

#define ACLSIM_LIBRARY_NORMALIZATION_ROWS(R)                                                      \
  R(200, LayerNorm, CUSTOM, "output,outputMean,outputVariance,inputX,gamma?,beta?,tmp?", F16_F32, \
    F16_BF_F32, 2, 0)                                                                             \
  R(201, Normalize, CUSTOM, "output,outputRstd,inputMean,inputVariance,inputX,gamma?,beta?,tmp?", \
    F16_F32, F16_BF_F32, 1, 0)                                                                    \
  R(202, RmsNorm, CUSTOM, "dst,src,gamma,tmp?", F16_F32, F16_F32, 1, 0)                           \
  R(203, DeepNorm, CUSTOM, "dst,mean,rstd,src,gx,beta,gamma,tmp?", F16_F32, F16_F32, 2, 0)        \
  R(204, BatchNorm, CUSTOM, "output,outputMean,outputVariance,inputX,gamm,beta,tmp?", F16_F32,    \
    F16_F32, 2, 0)                                                                                \
  R(205, GroupNorm, CUSTOM, "output,outputMean,outputVariance,inputX,gamma,beta,tmp?", F16_F32,   \
    F16_F32, 2, 0)                                                                                \
  R(206, LayerNormGrad, CUSTOM,                                                                   \
    "outputPdX,resForGamma,inputDy,inputX,inputVariance,inputMean,inputGamma,tmp?", F16_F32,      \
    F16_F32, 3, 0)                                                                                \
  R(207, LayerNormGradBeta, CUSTOM, "outputPdGamma,outputPdBeta,resForGamma,inputDy,tmp?",        \
    F16_F32, F16_F32, 2, 0)                                                                       \
  R(208, WelfordUpdate, CUSTOM, "outputMean,outputVariance,inputMean,inputVariance,inputX,tmp?",  \
    F16_F32, F16_BF_F32, 1, 0)                                                                    \
  R(209, WelfordFinalize, CUSTOM,                                                                 \
    "outputMean,outputVariance,inputMean,inputVariance,counts?,tmp?", F32_ONLY, F32_ONLY, 1, 0)

#endif /* ASCENDC_IMPL_LIBRARY_ROWS_NORMALIZATION_H_ */
