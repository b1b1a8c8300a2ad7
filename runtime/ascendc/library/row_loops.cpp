// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/library/row_loops.h"

namespace ascendc::library {

const RowLoops& row_loops() noexcept {
#if defined(ACLSIM_LIBRARY_AVX2)
  static const bool wide = __builtin_cpu_supports("avx2");
  if (wide) return avx2::kRowLoops;
#endif
  return plain::kRowLoops;
}

}  // namespace ascendc::library
