/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of the activation functions and of softmax (library_rows.h describes the columns). The
 * intermediate tensors of the functions of softmax have one row of the matrix.
 */
#ifndef ASCENDC_IMPL_LIBRARY_ROWS_ACTIVATION_H_
#define ASCENDC_IMPL_LIBRARY_ROWS_ACTIVATION_H_

#define ACLSIM_IN_F16_ONLY(F, N) F(F16)

#define ACLSIM_LIBRARY_SOFTMAX_ROWS(R)                                                             \
  R(100, SoftMax, CUSTOM, "dst,sum?,max?,src,tmp?", F16_F32, F16_F32, 1, 0)                        \
  R(101, SimpleSoftMax, CUSTOM, "dst,inSum,inMax,src,tmp?", F16_F32, F16_F32, 1, 0)                \
  R(102, SoftmaxFlash, CUSTOM, "dst,sum,max,src,expMax?,inSum?,inMax?,tmp?", F16_F32, F16_F32, 2,  \
    0)                                                                                             \
  R(103, SoftmaxFlashV2, CUSTOM, "dst,expSum,max,src,expMax?,inExpSum?,inMax?,tmp?,outReduceMax?", \
    F16_F32, F16_F32, 1, 0)                                                                        \
  R(104, SoftmaxFlashV3, CUSTOM, "dst,expSum,max,src,expMax?,inExpSum?,inMax?,tmp?,mean,inMean?",  \
    F16_ONLY, F16_ONLY, 2, 0)                                                                      \
  R(105, SoftmaxGrad, CUSTOM, "dst,grad,src,tmp?", F16_F32, F16_F32, 2, 0)                         \
  R(106, SoftmaxGradFront, CUSTOM, "dst,grad,src,tmp?", F16_F32, F16_F32, 1, 0)                    \
  R(107, LogSoftMax, CUSTOM, "dst,sum,max,src,tmp?", F16_F32, F16_F32, 1, 0)                       \
  R(108, AdjustSoftMaxRes, CUSTOM, "softMaxRes,maxTensor", F16_F32, F16_F32, 0, 0)

#define ACLSIM_LIBRARY_ACTIVATION_ONE_ROWS(R)                                      \
  R(110, Gelu, GELU, "dst,src,tmp?", F16_F32, F16_F32, 2, ACLSIM_IN_PLACE)         \
  R(111, FasterGelu, GELU, "dst,src,tmp?", F16_F32, F16_F32, 1, ACLSIM_IN_PLACE)   \
  R(112, FasterGeluV2, GELU, "dst,src,tmp?", F16_F32, F16_F32, 2, ACLSIM_IN_PLACE) \
  R(113, Silu, CUSTOM, "dst,src", F16_F32, F16_F32, 1, 0)                          \
  R(114, Swish, CUSTOM, "dst,src", F16_F32, F16_F32, 1, 0)                         \
  R(115, Sigmoid, UNARY, "dst,src,tmp?", F16_F32, F16_F32, 1, 0)                   \
  R(116, GeGLU, BINARY, "dst,src0,src1,tmp?", F16_F32, F16_F32, 2, 0)              \
  R(117, SwiGLU, CUSTOM, "dst,src0,src1,tmp?", F16_F32, F16_F32, 2, 0)             \
  R(118, ReGlu, CUSTOM, "dst,src0,src1,tmp?", F16_BF_F32, F16_BF_F32, 1, 0)

#define ACLSIM_LIBRARY_ACTIVATION_ROWS(R) \
  ACLSIM_LIBRARY_SOFTMAX_ROWS(R)          \
  ACLSIM_LIBRARY_ACTIVATION_ONE_ROWS(R)

#endif /* ASCENDC_IMPL_LIBRARY_ROWS_ACTIVATION_H_ */
