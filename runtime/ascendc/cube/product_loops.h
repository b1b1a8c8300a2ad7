// SPDX-License-Identifier: Apache-2.0
// The product, built once per instruction set (ACLSIM_LOOPS); everything is local to the file that
// includes it, for the reason that runtime/ascendc/vector/README.md gives.
#pragma once

#include <cstdlib>
#include <cstring>
#include <new>

#include "ascendc/impl/instruction.h"
#include "runtime/ascendc/cube/product.h"
#include "runtime/ascendc/vector/loop_formats.h"

namespace ascendc::cube::ACLSIM_LOOPS {
namespace {

namespace formats = ascendc::vector::ACLSIM_LOOPS;

constexpr std::uint32_t kHigh = 6;   // rows of a panel of A
constexpr std::uint32_t kWide = 16;  // columns of a panel of B
constexpr std::uint32_t kRows = 96;  // at once: their panels stay in the second cache
constexpr std::uint32_t kCols = 256;
constexpr std::uint32_t kDepth = 256;

constexpr std::uint32_t least(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }
constexpr std::uint32_t up_to(std::uint32_t value, std::uint32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// Memory that is not looked after by the library's vectors: their code is no function of this
/// file.
template <typename T>
class Scratch {
 public:
  explicit Scratch(std::size_t count)
      : data_(static_cast<T*>(std::aligned_alloc(64, (count * sizeof(T) + 63) / 64 * 64))) {
    if (!data_) throw std::bad_alloc();
  }
  ~Scratch() { std::free(data_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  T* data() const { return data_; }

 private:
  T* data_;
};

inline void load(std::uint8_t element, const void* from, std::uint32_t count, float* to) {
  if (element == ACLSIM_HALF) {
    formats::Half::load(static_cast<const std::uint16_t*>(from), to, count);
  } else if (element == ACLSIM_BFLOAT16) {
    formats::Bfloat16::load(static_cast<const std::uint16_t*>(from), to, count);
  } else {
    std::memcpy(to, from, count * sizeof *to);
  }
}
inline void load(std::uint8_t element, const void* from, std::uint32_t count, std::int32_t* to) {
  if (element == ACLSIM_INT8) {
    const auto* const bytes = static_cast<const std::int8_t*>(from);
    for (std::uint32_t i = 0; i < count; ++i) to[i] = bytes[i];
  } else {
    std::memcpy(to, from, count * sizeof *to);
  }
}

inline std::uint32_t size_of(std::uint8_t element) {
  return element == ACLSIM_INT8                                 ? 1U
         : element == ACLSIM_HALF || element == ACLSIM_BFLOAT16 ? 2U
                                                                : 4U;
}

/// `count` numbers of a row of the matrix as it is stored, from `col` on.
template <typename Sum>
void fetch(const Source& source, std::uint64_t row, std::uint64_t col, std::uint32_t count,
           Sum* to) {
  const std::uint32_t bytes = size_of(source.element);
  const auto* const data = static_cast<const std::byte*>(source.data);
  if (source.layout.format == ACLSIM_MATRIX_ROWS) {
    return load(source.element, data + (row * source.layout.stride + col) * bytes, count, to);
  }
  const std::uint32_t width = source.layout.fractal != 0 ? source.layout.fractal : 32 / bytes;
  constexpr std::uint64_t kFractalRows = ACLSIM_FRACTAL_ROWS;
  const bool bands = source.layout.format == ACLSIM_MATRIX_BANDS;
  const std::uint64_t first =
      bands ? row / kFractalRows * source.layout.stride + row % kFractalRows * width : row * width;
  const std::uint64_t next = (bands ? kFractalRows : source.layout.stride) * width;
  while (count != 0) {
    const auto within = static_cast<std::uint32_t>(col % width);
    const std::uint32_t here = least(count, width - within);
    const std::uint64_t at = first + (col / width) * next + within;
    load(source.element, data + at * bytes, here, to);
    col += here;
    to += here;
    count -= here;
  }
}

/// Panels of `width` lanes each, depth after depth; missing lanes are 0. A lane is a row of A or a
/// column of B. `along`: neighbouring lanes are neighbours in the stored matrix.
template <typename Sum>
void pack(const Source& source, bool along, std::uint64_t lane, std::uint32_t lanes,
          std::uint64_t first, std::uint32_t depth, std::uint32_t width, Sum* to) {
  Sum row[kDepth > kCols ? kDepth : kCols];
  if (lanes % width != 0) {
    Sum* const last = to + std::size_t{lanes / width} * width * depth;
    for (std::size_t i = 0; i < std::size_t{width} * depth; ++i) last[i] = 0;
  }
  if (along) {
    for (std::uint32_t k = 0; k < depth; ++k) {
      fetch(source, first + k, lane, lanes, row);
      for (std::uint32_t i = 0; i < lanes; i += width) {
        Sum* const panel = to + std::size_t{i} * depth + std::size_t{k} * width;
        const std::uint32_t here = least(width, lanes - i);
        for (std::uint32_t j = 0; j < here; ++j) panel[j] = row[i + j];
      }
    }
    return;
  }
  for (std::uint32_t i = 0; i < lanes; ++i) {
    fetch(source, lane + i, first, depth, row);
    Sum* const panel = to + std::size_t{i / width} * width * depth + i % width;
    for (std::uint32_t k = 0; k < depth; ++k) panel[std::size_t{k} * width] = row[k];
  }
}

template <typename Sum>
struct Lanes;
template <>
struct Lanes<float> {
  typedef float Type __attribute__((vector_size(32)));
};
template <>
struct Lanes<std::int32_t> {
  typedef std::uint32_t Type __attribute__((vector_size(32)));  // wraps
};

/// Adds the product of a panel of A and one of B.
template <typename Sum>
inline void multiply_panels(const Sum* a, const Sum* b, std::uint32_t depth, Sum* to,
                            std::size_t stride) {
  using V = typename Lanes<Sum>::Type;
  V sums[kHigh][2];
  for (std::uint32_t i = 0; i < kHigh; ++i) {
    std::memcpy(&sums[i][0], to + i * stride, sizeof(V));
    std::memcpy(&sums[i][1], to + i * stride + 8, sizeof(V));
  }
  for (std::uint32_t k = 0; k < depth; ++k, a += kHigh, b += kWide) {
    V left;
    V right;
    std::memcpy(&left, b, sizeof left);
    std::memcpy(&right, b + 8, sizeof right);
#pragma GCC unroll 6
    for (std::uint32_t i = 0; i < kHigh; ++i) {
      const V factor = V{} + static_cast<std::remove_reference_t<decltype(left[0])>>(a[i]);
      sums[i][0] += factor * left;
      sums[i][1] += factor * right;
    }
  }
  for (std::uint32_t i = 0; i < kHigh; ++i) {
    std::memcpy(to + i * stride, &sums[i][0], sizeof(V));
    std::memcpy(to + i * stride + 8, &sums[i][1], sizeof(V));
  }
}

inline void store(const float* from, std::uint32_t count, std::uint8_t element, std::byte* to) {
  if (element == ACLSIM_HALF) {
    formats::Half::store(from, reinterpret_cast<std::uint16_t*>(to), count);
  } else if (element == ACLSIM_BFLOAT16) {
    formats::Bfloat16::store(from, reinterpret_cast<std::uint16_t*>(to), count);
  } else {
    std::memcpy(to, from, count * sizeof *from);
  }
}
inline void store(const std::int32_t* from, std::uint32_t count, std::uint8_t, std::byte* to) {
  std::memcpy(to, from, count * sizeof *from);
}

/// Rows [row, row + rows) and columns [col, col + cols) of the product.
template <typename Sum>
void multiply_part(const Problem& problem, std::uint32_t row, std::uint32_t rows, std::uint32_t col,
                   std::uint32_t cols, const Scratch<Sum>& a, const Scratch<Sum>& b,
                   const Scratch<Sum>& sums, std::byte* to) {
  const std::uint32_t stride = up_to(cols, kWide);
  Sum bias[kCols] = {};
  if (problem.bias) {
    const std::uint32_t bytes = size_of(problem.bias_element);
    load(problem.bias_element,
         static_cast<const std::byte*>(problem.bias) + std::size_t{col} * bytes, cols, bias);
  }
  for (std::uint32_t r = 0; r < up_to(rows, kHigh); ++r) {
    std::memcpy(sums.data() + std::size_t{r} * stride, bias, stride * sizeof(Sum));
  }
  for (std::uint32_t r = 0; problem.sums && r < rows; ++r) {
    const Sum* const old =
        static_cast<const Sum*>(problem.sums) + std::size_t{row + r} * problem.cols + col;
    std::memcpy(sums.data() + std::size_t{r} * stride, old, cols * sizeof(Sum));
  }
  for (std::uint32_t first = 0; first < problem.depth; first += kDepth) {
    const std::uint32_t depth = least(kDepth, problem.depth - first);
    pack(problem.b, problem.b.layout.transposed == 0, col, cols, first, depth, kWide, b.data());
    pack(problem.a, problem.a.layout.transposed != 0, row, rows, first, depth, kHigh, a.data());
    for (std::uint32_t r = 0; r < rows; r += kHigh) {
      for (std::uint32_t c = 0; c < cols; c += kWide) {
        multiply_panels(a.data() + std::size_t{r} * depth, b.data() + std::size_t{c} * depth, depth,
                        sums.data() + std::size_t{r} * stride + c, stride);
      }
    }
  }
  const std::uint32_t bytes = size_of(problem.result);
  for (std::uint32_t r = 0; r < rows; ++r) {
    Sum* const from = sums.data() + std::size_t{r} * stride;
    if (problem.relu) {
      for (std::uint32_t c = 0; c < cols; ++c) from[c] = from[c] > 0 ? from[c] : Sum{0};
    }
    store(from, cols, problem.result, to + (std::size_t{row + r} * problem.cols + col) * bytes);
  }
}

template <typename Sum>
void multiply_all(const Problem& problem, std::byte* to) {
  const std::uint32_t depth = least(kDepth, problem.depth);
  const Scratch<Sum> a(std::size_t{kRows} * depth + 64);
  const Scratch<Sum> b(std::size_t{kCols} * depth + 64);
  const Scratch<Sum> sums(std::size_t{kRows} * kCols);
  for (std::uint32_t col = 0; col < problem.cols; col += kCols) {
    for (std::uint32_t row = 0; row < problem.rows; row += kRows) {
      multiply_part(problem, row, least(kRows, problem.rows - row), col,
                    least(kCols, problem.cols - col), a, b, sums, to);
    }
  }
}

}  // namespace

void multiply(const Problem& problem, std::byte* to) {
  if (problem.result == ACLSIM_INT32) return multiply_all<std::int32_t>(problem, to);
  multiply_all<float>(problem, to);
}

}  // namespace ascendc::cube::ACLSIM_LOOPS
