/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reductions of the library: sums and means of rows, and reductions along one of two axes.
 */
#ifndef ASCENDC_IMPL_LIBRARY_ROWS_REDUCTION_H_
#define ASCENDC_IMPL_LIBRARY_ROWS_REDUCTION_H_

#define ACLSIM_IN_F32_ONLY(F, N) F(F32)
#define ACLSIM_IN_S16_ONLY(F, N) F(S16)
#define ACLSIM_IN_U8_F32(F, N) F(U8) N(F32)
#define ACLSIM_IN_F32_B32_B64(F, N) F(F32) N(S32) N(U32) N(S64) N(U64)

/* The temporary memory depends on the shape: library_sizes_reduction.h. */
#define ACLSIM_LIBRARY_REDUCTION_ROWS(R)                                  \
  R(300, Sum, CUSTOM, "dst,src,tmp?", F16_F32, F16_F32, 0, 0)             \
  R(301, Mean, CUSTOM, "dst,src,tmp?", F16_F32, F16_F32, 0, 0)            \
  R(302, ReduceSum, PATTERN, "dst,src,tmp?", F32_ONLY, F32_B32_B64, 0, 0) \
  R(303, ReduceMax, PATTERN, "dst,src,tmp?", F16_F32, ALL, 0, 0)          \
  R(304, ReduceMin, PATTERN, "dst,src,tmp?", F16_F32, ALL, 0, 0)          \
  R(305, ReduceProd, PATTERN, "dst,src,tmp?", F32_ONLY, F32_ONLY, 0, 0)   \
  R(306, ReduceMean, PATTERN, "dst,src,tmp?", F32_ONLY, F32_ONLY, 0, 0)   \
  R(307, ReduceAny, PATTERN, "dst,src,tmp?", U8_F32, U8_F32, 0, 0)        \
  R(308, ReduceAll, PATTERN, "dst,src,tmp?", U8_F32, U8_F32, 0, 0)        \
  R(309, ReduceXorSum, CUSTOM, "dst,src0,src1,tmp?", S16_ONLY, S16_ONLY, 0, 0)

#endif /* ASCENDC_IMPL_LIBRARY_ROWS_REDUCTION_H_ */
