/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structures that the cube unit's instructions and the Matmul object pass to the emulator.
 * Plain C, as in instruction.h.
 */
#ifndef ASCENDC_IMPL_CUBE_H_
#define ASCENDC_IMPL_CUBE_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes of a fractal in L0A, L0B and L1, and its rows. */
#define ACLSIM_FRACTAL_BYTES 512
#define ACLSIM_FRACTAL_ROWS 16

enum aclsimMatrixFormat {
  ACLSIM_MATRIX_ROWS = 0,     /* row after row; `stride`: elements from one to the next */
  ACLSIM_MATRIX_FRACTALS = 1, /* columns of fractals: 32 bytes (float results: 16 elements) of a
                                 row, then the next row; `stride`: rows of a column of fractals */
  ACLSIM_MATRIX_BANDS = 2     /* rows of fractals, the Zz format; `stride`: elements of a row of
                                 fractals */
};

typedef struct aclsimMatrix {
  uint32_t format;     /* aclsimMatrixFormat */
  uint32_t transposed; /* stored with rows and columns swapped */
  uint64_t stride;
  uint32_t fractal; /* elements of a row of a fractal */
  uint32_t reserved;
} aclsimMatrix;

/* The scales of an MX matrix. Two that follow each other along the depth are neighbours. */
typedef struct aclsimScales {
  uint64_t row;  /* bytes from a row of A, or a column of B, to the next */
  uint64_t pair; /* bytes from a pair to the next along the depth */
  uint64_t band; /* bytes from 16 rows to the next 16 rows; 0: as `row` has it */
} aclsimScales;

/* C = A x B, plus a bias for each column: operand 0 is C, 1 A, 2 B, 3 the bias, 4 and 5 are the
 * scales of A and of B. Bias and scales may be missing: their addresses are NULL. A sparse B has 2
 * of 4 numbers along the depth, and operand 5 is its index: a byte for 4 of its numbers, in
 * fractals of 16 columns and 8 bytes. */
typedef struct aclsimMatmul {
  uint32_t size; /* of this structure */
  uint32_t rows;
  uint32_t cols;
  uint32_t depth;
  aclsimMatrix a;
  aclsimMatrix b;
  aclsimMatrix c;
  uint32_t atomic; /* 0 store, 1 add, 2 maximum, 3 minimum */
  uint32_t relu;
  const char* called; /* the function that the program called, for messages */
  aclsimScales a_scales;
  aclsimScales b_scales;
  uint64_t
      index_stride; /* bytes from a column of fractals of the index to the next; 0: B is dense */
} aclsimMatmul;

/*
 * A load of squares of fractals that transposes each (LoadDataWithTranspose, LoadData with
 * ifTranspose): operand 0 is in L0A or L0B, 1 in L1. A square has as many elements in a row as in a
 * column: 4 fractals below each other for 4 bits, 2 for 8 bits, 1 for 16 bits, 2 beside each other
 * for 32 bits.
 */
typedef struct aclsimSquares {
  uint32_t size; /* of this structure */
  uint32_t bits; /* of an element */
  const char* called;
  uint32_t count[2];    /* squares: two nested loops */
  int64_t from_step[2]; /* bytes between squares */
  int64_t to_step[2];
  int64_t from_next; /* bytes from a fractal of a square to the next */
  int64_t to_next;
} aclsimSquares;

/*
 * A load of a part of the matrix that a feature map becomes by image to column (LoadData with
 * LoadData3DParamsV2): a row for each position of the filter, a column for each of its points and
 * channels. Operand 0 is in L0A or L0B, 1 in L1 (NC1HWC0).
 */
typedef struct aclsimImage {
  uint32_t size; /* of this structure */
  uint32_t bits; /* of an element */
  const char* called;
  uint32_t height;
  uint32_t width;
  uint32_t pad[4]; /* left, right, top, bottom */
  uint32_t channels;
  uint32_t filter_height;
  uint32_t filter_width;
  uint32_t stride_height;
  uint32_t stride_width;
  uint32_t dilation_height;
  uint32_t dilation_width;
  uint32_t first_row; /* of the part of the matrix */
  uint32_t first_col;
  uint32_t rows;
  uint32_t cols;
  uint32_t transposed; /* in L0A; in L0B it always is */
  uint32_t to_l0b;
  uint32_t bands;      /* L0A has rows of fractals (2201), otherwise columns (3510) */
  uint32_t dst_stride; /* fractals from one column of fractals to the next; 0: without gaps */
  uint32_t boundary;   /* bytes of L1 that the feature map uses in a circle; 0: all */
  uint64_t pad_value;  /* bits of an element */
  uint64_t offset;     /* of operand 1 in L1 */
} aclsimImage;

/* Rows become columns of blocks (DataCopy with Dn2NzParams): operand 0 is in L1, 1 in global
 * memory. */
typedef struct aclsimColumns {
  uint32_t size;  /* of this structure */
  uint32_t bytes; /* of an element */
  const char* called;
  uint32_t matrices;
  uint32_t rows; /* of the matrix as L1 has it: elements of a stored row */
  uint32_t cols;
  uint32_t reserved;
  int64_t from_matrix; /* bytes */
  int64_t from_col;
  int64_t to_matrix;
  int64_t to_row;
  int64_t to_block; /* from 32 bytes of a row to the next 32 bytes */
} aclsimColumns;

/* Blocks with one value (Fill, InitConstValue): operand 0 is in L1, L0A or L0B. */
typedef struct aclsimBlocks {
  uint32_t size; /* of this structure */
  uint32_t times;
  const char* called;
  uint64_t value; /* bits of an element */
  uint32_t width; /* bytes of an element */
  uint32_t bytes; /* of each run of blocks */
  int64_t step;   /* bytes between runs */
} aclsimBlocks;

/* A copy of biases that become floats (DataCopy from L1 into the bias table with other types):
 * operand 0 is in the bias table, 1 in L1. */
typedef struct aclsimBias {
  uint32_t size;  /* of this structure */
  uint32_t count; /* elements of a block */
  const char* called;
  uint32_t blocks;
  uint32_t reserved;
  int64_t from_step; /* bytes from a block to the next */
  int64_t to_step;
} aclsimBias;

enum aclsimMmadStart {
  ACLSIM_MMAD_ZERO = 0, /* C = A x B */
  ACLSIM_MMAD_ADD = 1,  /* C += A x B */
  ACLSIM_MMAD_BIAS = 2  /* C = bias + A x B */
};
enum aclsimRounding {
  ACLSIM_HF32_OFF = 0,
  ACLSIM_HF32_NEAREST_ZERO = 1, /* to nearest, ties to zero */
  ACLSIM_HF32_NEAREST_EVEN = 2
};

/* Positions that TPosition does not name: the scales of L0A and of L0B (3510), at the offset of
 * their matrix divided by 16, and the index of a sparse L0B (2201), at its offset divided by 4. */
enum aclsimPosition {
  ACLSIM_POSITION_SCALES_A = 32,
  ACLSIM_POSITION_SCALES_B = 33,
  ACLSIM_POSITION_INDEX = 34
};

/* A product of L0A and L0B (Mmad): operand 0 is C in L0C, 1 A, 2 B, 3 the bias, which may be
 * missing, 4 and 5 the scales of A and of B (MmadMx), or
 * 5 the index of B (MmadWithSparse). */
typedef struct aclsimMmad {
  uint32_t size; /* of this structure */
  uint32_t rows;
  const char* called;
  uint32_t cols;
  uint32_t depth;
  uint32_t start; /* aclsimMmadStart */
  uint32_t unit_flag;
  uint32_t bands;      /* L0A has rows of fractals (2201), otherwise columns (3510) */
  uint32_t vector;     /* A is a vector without fractals */
  uint32_t wide_depth; /* float: the fractals of L0A are filled up to a depth of 16 */
  uint32_t rounding;   /* aclsimRounding, of float sources */
  uint32_t hf32_bits;  /* bits of the mantissa that remain */
  uint32_t sparse;     /* B has 2 of 4 numbers along the depth, and an index of 2 bits for each */
  uint32_t scaled;     /* 32 elements along the depth have a scale */
  uint32_t reserved;
} aclsimMmad;

enum aclsimFixpipeLayout {
  ACLSIM_FIXPIPE_FRACTALS = 0,
  ACLSIM_FIXPIPE_ROWS = 1,
  ACLSIM_FIXPIPE_COLUMNS = 2
};

/* A copy of results out of L0C (Fixpipe): operand 0 is the destination, 1 in L0C, 2 the parameters
 * of each column, which may be missing. */
/* The halves of a result that the unified buffers of two vector cores get. */
enum aclsimFixpipeDual {
  ACLSIM_FIXPIPE_ONE,
  ACLSIM_FIXPIPE_DUAL_ROWS,
  ACLSIM_FIXPIPE_DUAL_COLUMNS
};
typedef struct aclsimFixpipe {
  uint32_t size; /* of this structure */
  uint32_t rows;
  const char* called;
  uint32_t cols;
  uint32_t matrices;
  int64_t src_stride; /* bytes from a column of fractals of L0C to the next */
  int64_t src_row;    /* bytes from a row to the next */
  int64_t src_matrix;
  int64_t dst_stride; /* bytes from a row, a column or a column of fractals to the next */
  int64_t dst_matrix;
  uint64_t scale;  /* a parameter of all columns */
  uint32_t layout; /* aclsimFixpipeLayout */
  uint32_t quant;  /* QuantMode_t */
  uint32_t relu;
  uint32_t unit_flag;
  uint32_t split; /* columns of fractals with 8 floats of a row */
  uint16_t dual;  /* aclsimFixpipeDual */
  uint16_t sub_block;
} aclsimFixpipe;

/* The registers of a cube core that functions of kernels set for later instructions. */
typedef struct aclsimCubeRegisters {
  uint32_t size; /* of this structure */
  uint32_t hf32; /* aclsimRounding */
  uint32_t hf32_mode;
  uint32_t nd_num;
  uint32_t src_nd_stride;
  uint32_t dst_nd_stride;
  uint64_t pre_quant;
  void* quant_address; /* in the fixpipe buffer */
  uint64_t quant_bytes;
  uint64_t quant_tensor;
  uint64_t padding_value;
  uint32_t image_height[2]; /* of the left and of the right matrix */
  uint32_t image_width[2];
  uint8_t image_pad[2][4];
  uint32_t repeat_stride;
  uint32_t repeat_times;
  uint32_t repeat_mode;
  uint32_t dst_stride;
  uint32_t boundary;
  uint32_t reserved;
  uint64_t nz_para;      /* of copies of the C interface that make fractals */
  uint64_t quant_config; /* what its function has set as quant_address */
  uint64_t unit_flag_config;
  uint64_t channel_para;
} aclsimCubeRegisters;

/* The registers of the core that the calling kernel runs on. */
aclsimCubeRegisters* aclsimCubeRegistersOfCore(void);

#ifdef __cplusplus
}
#endif

#endif /* ASCENDC_IMPL_CUBE_H_ */
