// SPDX-License-Identifier: Apache-2.0
// The product of two matrices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ascendc/impl/cube.h"

namespace ascendc::cube {

/// A matrix as it is stored.
struct Source {
  const void* data = nullptr;
  std::uint8_t element = 0;
  aclsimMatrix layout{};
};

struct Problem {
  std::uint32_t rows = 0;
  std::uint32_t cols = 0;
  std::uint32_t depth = 0;
  Source a;
  Source b;
  const void* bias = nullptr;  // of each column; null: none
  std::uint8_t bias_element = 0;
  /// The numbers to which the product is added, row by row, in the type of the sums (float or
  /// int32_t); null: none.
  const void* sums = nullptr;
  std::uint8_t result = 0;  // element
  bool relu = false;
};

/// Whether there is a product of such elements. `scaled`: A and B have scales.
bool multiplies(std::uint8_t a, std::uint8_t b, std::uint8_t result, bool scaled) noexcept;

/// Bytes of an element; 0 for one that no matrix has.
std::uint32_t bytes_of(std::uint8_t element) noexcept;

/// The offset of element (row, col) of a stored matrix, in elements.
std::uint64_t place(const aclsimMatrix& layout, std::uint32_t bytes, std::uint64_t row,
                    std::uint64_t col) noexcept;

/// rows x cols of `result`, row after row.
std::vector<std::byte> product(const Problem& problem);

namespace plain {
void multiply(const Problem& problem, std::byte* to);
}
namespace avx2 {
void multiply(const Problem& problem, std::byte* to);
}

}  // namespace ascendc::cube
