// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/cube/product.h"

#include "ascendc/impl/instruction.h"
#include "runtime/ascendc/cube/narrow_sources.h"

namespace ascendc::cube {

std::uint32_t bytes_of(std::uint8_t element) noexcept {
  switch (element) {
    case ACLSIM_INT8:
      return 1;
    case ACLSIM_HALF:
    case ACLSIM_BFLOAT16:
      return 2;
    case ACLSIM_INT32:
    case ACLSIM_FLOAT:
      return 4;
    default:
      return 0;
  }
}

bool multiplies(std::uint8_t a, std::uint8_t b, std::uint8_t result, bool scaled) noexcept {
  const Narrow narrow = narrow_of(a);
  if (narrow == Narrow::none ? a != b : narrow != narrow_of(b)) return false;
  const bool mx = narrow == Narrow::bits8 || narrow == Narrow::bits4;
  if (scaled ? !mx : narrow == Narrow::bits4) return false;
  if (a == ACLSIM_INT8 || a == ACLSIM_INT4) return result == ACLSIM_INT32;
  if (narrow == Narrow::none && a != ACLSIM_HALF && a != ACLSIM_BFLOAT16 && a != ACLSIM_FLOAT) {
    return false;
  }
  return result == ACLSIM_FLOAT || result == ACLSIM_HALF || result == ACLSIM_BFLOAT16;
}

std::uint64_t place(const aclsimMatrix& layout, std::uint32_t bytes, std::uint64_t row,
                    std::uint64_t col) noexcept {
  if (layout.format == ACLSIM_MATRIX_ROWS) return row * layout.stride + col;
  const std::uint64_t width = layout.fractal != 0 ? layout.fractal : 32 / bytes;
  if (layout.format == ACLSIM_MATRIX_BANDS) {
    constexpr std::uint64_t kHigh = ACLSIM_FRACTAL_ROWS;
    return row / kHigh * layout.stride + (col / width * kHigh + row % kHigh) * width + col % width;
  }
  return (col / width) * layout.stride * width + row * width + col % width;
}

std::vector<std::byte> product(const Problem& problem) {
  std::vector<std::byte> result(std::size_t{problem.rows} * problem.cols *
                                bytes_of(problem.result));
  if (result.empty()) return result;
#if defined(ACLSIM_CUBE_AVX2)
  static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                           __builtin_cpu_supports("f16c");
  if (wide) {
    avx2::multiply(problem, result.data());
    return result;
  }
#endif
  plain::multiply(problem, result.data());
  return result;
}

}  // namespace ascendc::cube
