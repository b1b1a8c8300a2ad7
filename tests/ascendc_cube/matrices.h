// SPDX-License-Identifier: Apache-2.0
// Matrices with small whole numbers, and the orders in which the cube unit's memories store them.
// The functions here are written from the documentation's drawings of the formats, element by
// element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "ascendc/kernel_operator.h"

namespace cube_test {

template <AscendC::HardEvent event>
void order() {
  AscendC::SetFlag<event>(EVENT_ID0);
  AscendC::WaitFlag<event>(EVENT_ID0);
}

struct Matrix {
  uint32_t rows = 0;
  uint32_t cols = 0;
  std::vector<int> values;

  Matrix(uint32_t r, uint32_t c) : rows(r), cols(c), values(std::size_t{r} * c) {}
  int& at(uint32_t row, uint32_t col) { return values[std::size_t{row} * cols + col]; }
  int at(uint32_t row, uint32_t col) const { return values[std::size_t{row} * cols + col]; }
};

inline Matrix random_matrix(uint32_t rows, uint32_t cols, std::mt19937& random, int most = 4) {
  Matrix made(rows, cols);
  std::uniform_int_distribution<int> number(-most, most);
  for (int& value : made.values) value = number(random);
  return made;
}

inline Matrix product(const Matrix& a, const Matrix& b) {
  Matrix made(a.rows, b.cols);
  for (uint32_t i = 0; i < a.rows; ++i) {
    for (uint32_t j = 0; j < b.cols; ++j) {
      for (uint32_t k = 0; k < a.cols; ++k) made.at(i, j) += a.at(i, k) * b.at(k, j);
    }
  }
  return made;
}

inline Matrix transposed(const Matrix& from) {
  Matrix made(from.cols, from.rows);
  for (uint32_t i = 0; i < from.rows; ++i) {
    for (uint32_t j = 0; j < from.cols; ++j) made.at(j, i) = from.at(i, j);
  }
  return made;
}

inline uint32_t up(uint32_t value, uint32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// An element of a matrix in columns of fractals with rows of `wide` elements: N outside, Z inside.
inline std::size_t nz(uint32_t row, uint32_t col, uint32_t rows, uint32_t wide) {
  const std::size_t fractal = std::size_t{col / wide} * (up(rows, 16) / 16) + row / 16;
  return fractal * 16 * wide + (row % 16) * wide + col % wide;
}
/// In rows of fractals: Z outside, Z inside.
inline std::size_t zz(uint32_t row, uint32_t col, uint32_t cols, uint32_t wide) {
  const std::size_t fractal = std::size_t{row / 16} * (up(cols, wide) / wide) + col / wide;
  return fractal * 16 * wide + (row % 16) * wide + col % wide;
}
/// In rows of fractals that are stored column by column: Z outside, N inside.
inline std::size_t zn(uint32_t row, uint32_t col, uint32_t cols, uint32_t high) {
  const std::size_t fractal = std::size_t{row / high} * (up(cols, 16) / 16) + col / 16;
  return fractal * 16 * high + (col % 16) * high + row % high;
}
/// The order of L0A.
inline std::size_t l0a(uint32_t row, uint32_t col, uint32_t rows, uint32_t cols, uint32_t wide) {
  return ACLSIM_NPU_ARCH == 3510 ? nz(row, col, rows, wide) : zz(row, col, cols, wide);
}

/// The values of a matrix, row by row, as a program stores them.
template <class T>
std::vector<T> stored(const Matrix& matrix) {
  std::vector<T> made;
  for (const int value : matrix.values) made.push_back(static_cast<T>(static_cast<float>(value)));
  return made;
}
template <>
inline std::vector<int8_t> stored(const Matrix& matrix) {
  return {matrix.values.begin(), matrix.values.end()};
}
template <>
inline std::vector<int32_t> stored(const Matrix& matrix) {
  return {matrix.values.begin(), matrix.values.end()};
}

}  // namespace cube_test
