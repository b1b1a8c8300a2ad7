/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parameters of the library's sorts, which host code and kernels share, and their temporary
 * memory in bytes. C++11.
 */
#ifndef ASCENDC_IMPL_LIBRARY_SIZES_SORT_H_
#define ASCENDC_IMPL_LIBRARY_SIZES_SORT_H_

#include <stdint.h>

#include "ascendc/impl/library_sizes_reduction.h"

namespace AscendC {

enum class SortType { RADIX_SORT, MERGE_SORT };
/* hasSrcIndex and hasDstIndex matter to host code only. */
struct SortConfig {
  SortType type = SortType::RADIX_SORT;
  bool isDescend = false;
  bool hasSrcIndex = false;
  bool hasDstIndex = false;
};

enum class TopKMode { TOPK_NORMAL, TOPK_NSMALL };
enum class TopKAlgo { RADIX_SELECT, MERGE_SORT };
enum class TopKOrder { UNSET, LARGEST, SMALLEST };
struct TopKConfig {
  TopKAlgo algo = TopKAlgo::MERGE_SORT;
  TopKOrder order = TopKOrder::UNSET;
  bool sorted = true;
};

}  // namespace AscendC

namespace aclsim_library {

/* Counters of a pass over one digit of 8 bits. */
inline uint64_t radix_counters() { return 256 * 4; }

/* A merge sort needs records of 8 bytes; a radix sort needs second copies of indices and, unless it
 * may change the source, of values. */
inline uint64_t sort_temporary(uint64_t count, uint64_t value_size, uint64_t index_size,
                               bool merges, bool reuses) {
  if (merges) return whole_blocks(count * 8);
  const uint64_t values = reuses ? 0 : whole_blocks(count * (value_size < 4 ? 4 : value_size));
  return values + whole_blocks(count * index_size) + radix_counters();
}

/* One row (all rows if it is small) with its indices; `radix`: by digits instead of records. */
inline uint64_t topk_temporary(uint64_t inner, uint64_t outter, uint64_t value_size, bool small,
                               bool radix, bool makes_index, bool largest, bool reuses) {
  const uint64_t count = inner * (small ? outter : 1);
  const uint64_t index = makes_index ? whole_blocks(count * 4) : 0;
  if (radix) {
    return sort_temporary(count, value_size, 4, false, reuses) + index;
  }
  const uint64_t negated = largest || reuses ? 0 : whole_blocks(count * value_size);
  return 2 * whole_blocks(count * 8) + index + negated;
}

}  // namespace aclsim_library

#endif /* ASCENDC_IMPL_LIBRARY_SIZES_SORT_H_ */
