/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sorts of the library that are no single instruction (those: vector_sort.h).
 */
#ifndef ASCENDC_IMPL_LIBRARY_ROWS_SORT_H_
#define ASCENDC_IMPL_LIBRARY_ROWS_SORT_H_

/* The temporary memory depends on the arguments: library_sizes_sort.h. */
#define ACLSIM_LIBRARY_SORT_ROWS(R)                                         \
  R(400, Sort, CUSTOM, "dst,dstIndex?,src,srcIndex?,tmp?", NONE, ALL, 0, 0) \
  R(401, TopK, CUSTOM, "dstValue,dstIndex,src,srcIndex?,finish?,tmp?", F16_F32, ALL, 0, 0)

#endif /* ASCENDC_IMPL_LIBRARY_ROWS_SORT_H_ */
