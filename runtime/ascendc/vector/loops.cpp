// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/vector/loops.h"

#include "ascendc/impl/vector_rows.h"

namespace ascendc::vector {

Loop find_loop(std::uint16_t opcode, std::uint8_t dst, std::uint8_t src) {
  if (opcode == ACLSIM_OP_Cast) {
    if (const Loop found = narrow::find_cast(dst, src)) return found;
  }
#if defined(ACLSIM_VECTOR_AVX2)
  static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
  if (wide) return avx2::find(opcode, dst, src);
#endif
  return plain::find(opcode, dst, src);
}

}  // namespace ascendc::vector
