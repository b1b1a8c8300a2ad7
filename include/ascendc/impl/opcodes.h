/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instructions by number. A kernel that was built with an older header keeps its numbers: new
 * ones go to the end of their group.
 */
#ifndef ASCENDC_IMPL_OPCODES_H_
#define ASCENDC_IMPL_OPCODES_H_

#include <stdint.h>

/* The vector unit: 1 to 999. Its rows: vector_rows.h. */
enum aclsimVectorOpcode { ACLSIM_OP_NONE = 0, ACLSIM_VECTOR_FIRST = 1, ACLSIM_VECTOR_LAST = 999 };

/* Copies between memories, and the synchronisation of pipes: 1000 to 1999. */
enum aclsimMoveOpcode {
  ACLSIM_MOVE_FIRST = 1000,
  ACLSIM_MOVE_COPY = 1000,   /* DataCopy; `more` is an aclsimMove, operand 0 to, operand 1 from */
  ACLSIM_MOVE_PADDED = 1001, /* DataCopyPad, the same */
  ACLSIM_MOVE_LOAD = 1002,   /* LoadData without a transposition, the same */
  ACLSIM_MOVE_AXES = 1003,   /* DataCopy of several axes; `more` is an aclsimAxes */
  ACLSIM_MOVE_LAST = 1999
};

#define ACLSIM_MOVE_LOOPS 4

/*
 * A copy of rows of bytes from one tensor to another: nested loops, the outermost first, each with
 * a step in bytes on both sides. Padding applies to the destination: a row begins after `left`
 * bytes of padding and is filled up to `padded` bytes.
 */
typedef struct aclsimMove {
  uint32_t size; /* of this structure */
  uint32_t row;  /* bytes */
  uint32_t tail; /* bytes of the last row of the innermost loop; 0: as the others */
  uint32_t left;
  uint32_t padded;    /* 0: as the row */
  uint32_t pad_bytes; /* of one value of the padding; 0: it keeps what it has */
  uint64_t pad_value;
  uint32_t pad_with_first; /* not 0: with the first element of the row */
  uint32_t loops;
  uint32_t count[ACLSIM_MOVE_LOOPS];
  int64_t from_step[ACLSIM_MOVE_LOOPS];
  int64_t to_step[ACLSIM_MOVE_LOOPS];
  uint32_t dropped;   /* elements that the kernel gave and that no row contains */
  uint32_t sub_block; /* the vector core whose unified buffer a cube core fills */
} aclsimMove;

#define ACLSIM_AXES 5

/* One axis of a copy of elements: `before` and `behind` count elements of padding. */
typedef struct aclsimAxis {
  uint64_t from_step; /* bytes from an element to the next one */
  uint64_t to_step;
  uint32_t count;
  uint32_t before;
  uint32_t behind;
  uint32_t reserved;
} aclsimAxis;

/* A copy of elements along several axes, the innermost first. Padding has one value, or the value
 * of the nearest element of its axis. */
typedef struct aclsimAxes {
  uint32_t size;  /* of this structure */
  uint32_t width; /* bytes of an element */
  uint32_t axes;
  uint32_t nearest;
  uint64_t pad_value;
  aclsimAxis axis[ACLSIM_AXES];
} aclsimAxes;

/* The cube unit: 2000 to 2999. */
enum aclsimCubeOpcode {
  ACLSIM_CUBE_FIRST = 2000,
  ACLSIM_CUBE_MATMUL = 2000,  /* `more` is an aclsimMatmul (cube.h) */
  ACLSIM_CUBE_SQUARES = 2001, /* aclsimSquares, and so on */
  ACLSIM_CUBE_IMAGE = 2002,
  ACLSIM_CUBE_COLUMNS = 2003,
  ACLSIM_CUBE_BLOCKS = 2004,
  ACLSIM_CUBE_MMAD = 2005,
  ACLSIM_CUBE_FIXPIPE = 2006,
  ACLSIM_CUBE_BIAS = 2007,
  ACLSIM_CUBE_LAST = 2999
};

/* The high-level library: 3000 to 3999. The rows: library_rows.h; `more` is an aclsimLibraryCall
 * (library.h). */
enum aclsimLibraryOpcode { ACLSIM_LIBRARY_FIRST = 3000, ACLSIM_LIBRARY_LAST = 3999 };

#endif /* ASCENDC_IMPL_OPCODES_H_ */
