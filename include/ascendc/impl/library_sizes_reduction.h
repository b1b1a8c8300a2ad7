/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The temporary memory of reductions, in bytes. The greatest useful size is the least one. C++11.
 */
#ifndef ASCENDC_IMPL_LIBRARY_SIZES_REDUCTION_H_
#define ASCENDC_IMPL_LIBRARY_SIZES_REDUCTION_H_

#include <stdint.h>

namespace aclsim_library {

inline uint64_t whole_blocks(uint64_t bytes) { return (bytes + 31) / 32 * 32; }

/* One partial result for each repeat of 256 bytes of a row. */
inline uint64_t sum_temporary(uint64_t n, uint64_t type_size) {
  const uint64_t repeats = (n * type_size + 255) / 256;
  return whole_blocks((repeats == 0 ? 1 : repeats) * type_size);
}

/* A row in the type of the accumulation, if that is another one, and its partial results. */
inline uint64_t mean_temporary(uint64_t n, uint64_t type_size, uint64_t acc_size) {
  const uint64_t copy = acc_size == type_size ? 0 : whole_blocks(n * acc_size);
  return copy + sum_temporary(n, acc_size);
}

/* A copy of the source, unless the function may change it. */
inline uint64_t pattern_temporary(uint64_t rows, uint64_t cols, uint64_t type_size, bool reuses) {
  return reuses ? 0 : rows * whole_blocks(cols * type_size);
}

/* The values before their sum, unless they replace a source; partial sums of 4 bytes. */
inline uint64_t xor_sum_temporary(uint64_t count, uint64_t type_size, bool reuses) {
  return sum_temporary(count, 4) + (reuses ? 0 : whole_blocks(count * type_size));
}

}  // namespace aclsim_library

#endif /* ASCENDC_IMPL_LIBRARY_SIZES_REDUCTION_H_ */
