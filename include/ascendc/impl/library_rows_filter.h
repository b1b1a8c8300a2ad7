/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the library that choose elements by a mask, count, or draw random numbers.
 */
#ifndef ASCENDC_IMPL_LIBRARY_ROWS_FILTER_H_
#define ASCENDC_IMPL_LIBRARY_ROWS_FILTER_H_

#define ACLSIM_IN_S16_F16_S32_F32_S64(F, N) F(S16) N(F16) N(S32) N(F32) N(S64)
#define ACLSIM_IN_S32_U32_F32(F, N) F(S32) N(U32) N(F32)

#define ACLSIM_LIBRARY_FILTER_ROWS(R)                                                      \
  R(600, DropOut, CUSTOM, "dst,src,mask,tmp?", F16_F32, F16_BF_F32, 2, ACLSIM_IN_PLACE)    \
  R(601, Select, CUSTOM, "dst,src0?,src1?,mask,tmp", F16_F32, F16_F32, 3, ACLSIM_IN_PLACE) \
  R(602, Arange, CUSTOM, "dst", S16_F16_S32_F32, S16_F16_S32_F32_S64, 0, 0)                \
  R(603, PhiloxRandom, CUSTOM, "dst", NONE, S32_U32_F32, 0, 0)

#endif /* ASCENDC_IMPL_LIBRARY_ROWS_FILTER_H_ */
