/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the library that move elements: repetition, padding, transposition, blocked layouts.
 */
#ifndef ASCENDC_IMPL_LIBRARY_ROWS_SHAPES_H_
#define ASCENDC_IMPL_LIBRARY_ROWS_SHAPES_H_

#define ACLSIM_IN_B16(F, N) F(S16) N(U16) N(F16) N(BF)

/* The temporary memory depends on the shape: library_sizes_shapes.h. Transpose moves in place in
 * some of its scenes. */
#define ACLSIM_LIBRARY_SHAPES_ROWS(R)                                                      \
  R(500, Broadcast, CUSTOM, "dst,src,tmp?", B8_B16_B32, ALL, 0, 0)                         \
  R(501, Pad, CUSTOM, "dst,src,tmp?", B16_B32_NO_BF, B16_B32_NO_BF, 0, 0)                  \
  R(502, UnPad, CUSTOM, "dst,src,tmp?", B16_B32_NO_BF, B16_B32_NO_BF, 0, 0)                \
  R(503, Transpose, CUSTOM, "dst,src,tmp?", B16_B32_NO_BF, B8_B16_B32, 0, ACLSIM_IN_PLACE) \
  R(504, TransData, CUSTOM, "dst,src,tmp?", B16, B16, 0, 0)

#endif /* ASCENDC_IMPL_LIBRARY_ROWS_SHAPES_H_ */
