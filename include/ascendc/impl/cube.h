/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structures that the Matmul object passes to the emulator. Plain C, as in instruction.h.
 */
#ifndef ASCENDC_IMPL_CUBE_H_
#define ASCENDC_IMPL_CUBE_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum aclsimMatrixFormat {
  ACLSIM_MATRIX_ROWS = 0,    /* row after row; `stride`: elements from one to the next */
  ACLSIM_MATRIX_FRACTALS = 1 /* columns of fractals: 32 bytes (float results: 16 elements) of a row,
                                then the next row; `stride`: rows of a column of fractals */
};

typedef struct aclsimMatrix {
  uint32_t format;     /* aclsimMatrixFormat */
  uint32_t transposed; /* stored with rows and columns swapped */
  uint64_t stride;
  uint32_t fractal; /* elements of a row of a fractal */
  uint32_t reserved;
} aclsimMatrix;

/* C = A x B, plus a bias for each column: operand 0 is C, 1 A, 2 B, 3 the bias, which may be
 * missing. */
typedef struct aclsimMatmul {
  uint32_t size; /* of this structure */
  uint32_t rows;
  uint32_t cols;
  uint32_t depth;
  aclsimMatrix a;
  aclsimMatrix b;
  aclsimMatrix c;  /* not transposed */
  uint32_t atomic; /* 0 store, 1 add, 2 maximum, 3 minimum */
  uint32_t relu;
  const char* called; /* the function that the program called, for messages */
} aclsimMatmul;

#ifdef __cplusplus
}
#endif

#endif /* ASCENDC_IMPL_CUBE_H_ */
