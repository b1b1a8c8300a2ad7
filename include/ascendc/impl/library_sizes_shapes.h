/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The temporary memory of functions that move elements, in bytes. C++11.
 */
#ifndef ASCENDC_IMPL_LIBRARY_SIZES_SHAPES_H_
#define ASCENDC_IMPL_LIBRARY_SIZES_SHAPES_H_

#include <stdint.h>

#include "ascendc/impl/library_sizes_reduction.h"

namespace aclsim_library {

/* Along the last axis, `rows` elements become a block each, and then rows of `last` elements, which
 * are rounded up to blocks if they are no whole ones. The least is for 8 rows. Other axes are
 * copied. */
inline uint64_t broadcast_temporary(bool along_last, uint64_t rows, uint64_t last,
                                    uint64_t type_size) {
  if (!along_last) return 0;
  const uint64_t row = whole_blocks(last * type_size);
  return rows * (32 + (row == last * type_size ? 0 : row));
}
/* 16 rows of whole blocks, and their transposition. */
inline uint64_t pad_temporary(uint64_t rows, uint64_t width, uint64_t type_size) {
  return 2 * ((rows + 15) / 16 * 16) * whole_blocks(width * type_size);
}
/* One column of squares of 16 * 16 elements for scenes 1 and 2 of Transpose, two for 3 to 6. */
inline uint64_t transpose_temporary(uint64_t type, uint64_t s, uint64_t type_size) {
  const uint64_t column = s * 16 * type_size;
  return type >= 1 && type <= 2 ? column : type >= 3 && type <= 6 ? 2 * column : 0;
}

/* A tensor in the layout NCDHW, in memory as n, c, d and rows of h * w elements in whole blocks. */
struct Ncdhw {
  uint64_t n, c, d, h, w;
  uint64_t blocks(uint64_t extent) const { return (extent + 15) / 16; }
  uint64_t row() const { return blocks(h * w) * 16; }
};
/* Sources and results with whole blocks of n and c, of elements of 2 bytes. */
inline uint64_t transdata_temporary(const Ncdhw& of, bool fractal, bool from_ncdhw) {
  const uint64_t blocked = of.d * of.blocks(of.c) * 16 * of.row();
  const uint64_t all_n = of.blocks(of.n) * 16;
  uint64_t elements = 0;
  if (fractal && from_ncdhw) {
    elements = of.c * of.d * of.row() + all_n * blocked;
  } else if (fractal) {
    const bool whole = of.c % 16 == 0 && of.n % 16 == 0;
    elements = all_n * blocked * (whole ? 1 : 2);
  } else {
    elements = (from_ncdhw ? of.d * of.row() : 512) + blocked;
  }
  return whole_blocks(elements * 2);
}

}  // namespace aclsim_library

#endif /* ASCENDC_IMPL_LIBRARY_SIZES_SHAPES_H_ */
