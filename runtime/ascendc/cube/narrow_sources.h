// SPDX-License-Identifier: Apache-2.0
// Sources of products whose elements have 8 bits or less, as numbers in which products compute.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "runtime/ascendc/cube/product.h"

namespace ascendc::cube {

/// The kinds of elements that are converted to float.
enum class Narrow : std::uint8_t { none, bits8, hifloat8, bits4 };
Narrow narrow_of(std::uint8_t element) noexcept;

/// The type in which a product computes, for an element that is stored differently.
std::uint8_t computed(std::uint8_t element) noexcept;

/// The number of each code of an element that is converted to float.
std::array<float, 256> numbers_of(std::uint8_t element);

constexpr std::uint32_t kScaled = 32;  // elements along the depth with one scale

/// The scales of an MX matrix, and the bytes between them.
struct Scales {
  const std::uint8_t* data = nullptr;
  aclsimScales layout{};
};
/// The offset of the scale of elements 32 * group to 32 * group + 31 of a row of A, or of a column
/// of B.
std::uint64_t place(const aclsimScales& layout, std::uint64_t row, std::uint64_t group) noexcept;

/// A stored matrix of rows x cols. If its elements are narrow, `source` has them converted, row by
/// row; else it is the matrix itself.
class Widened {
 public:
  /// `by_row`: the depth of the product goes along the rows, as in A. Without scales: null.
  Widened(const Source& from, std::uint32_t rows, std::uint32_t cols, bool by_row,
          const Scales* scales);
  Widened(const Widened&) = delete;
  Widened& operator=(const Widened&) = delete;

  Source source;

 private:
  std::vector<std::int8_t> small_;
  std::vector<float> floats_;
};

/// The offset of the byte with the index of a number of a sparse B. Its lower bits belong to the
/// first of 4 numbers; fractals have 16 columns with 32 numbers of each.
std::uint64_t place_of_index(std::uint64_t stride, std::uint64_t col,
                             std::uint64_t number) noexcept;

/// A sparse B of `depth` / 2 x cols numbers (int8_t) as a dense matrix of `depth` x cols. The first
/// index of a pair selects one of the first 3 of 4 elements, and the second one of the last 3.
std::vector<std::int8_t> dense_of_sparse(const Source& from, std::uint32_t depth,
                                         std::uint32_t cols, const std::uint8_t* index,
                                         std::uint64_t stride);

}  // namespace ascendc::cube
