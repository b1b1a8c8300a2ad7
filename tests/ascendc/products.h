// SPDX-License-Identifier: Apache-2.0
// Products of small integers, which are exact in any order, and their plain loops.
#pragma once

#include <cstddef>
#include <functional>
#include <random>
#include <vector>

#include "ascendc/lib/matmul_intf.h"

namespace products {

/// Rows and columns of an operand or a result: where element (row, col) of matrix `index` lies.
using Place = std::function<std::size_t(int index, int row, int col)>;

struct Sizes {
  int m, n, k;
};

inline std::vector<int> numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> values(count);
  for (int& value : values) value = static_cast<int>(random() % 5) - 2;
  return values;
}

template <class T>
std::vector<T> stored(const std::vector<int>& values) {
  std::vector<T> made;
  for (const int value : values) made.push_back(T(value));
  return made;
}

inline TCubeTiling tiling_of(const Sizes& sizes, int base_m, int base_n) {
  TCubeTiling t{};
  t.M = t.singleCoreM = sizes.m;
  t.N = t.singleCoreN = sizes.n;
  t.Ka = t.Kb = t.singleCoreK = sizes.k;
  t.baseM = base_m;
  t.baseN = base_n;
  t.usedCoreNum = 1;
  return t;
}

inline int sum_of(const std::vector<int>& a, const std::vector<int>& b, const Sizes& sizes,
                  const Place& at_a, const Place& at_b, int index_a, int index_b, int row,
                  int col) {
  int sum = 0;
  for (int k = 0; k < sizes.k; ++k) {
    sum += a[at_a(index_a, row, k)] * b[at_b(index_b, k, col)];
  }
  return sum;
}

/// Row-major matrices one after the other.
inline Place rows_of(int rows, int cols) {
  return [rows, cols](int index, int row, int col) {
    return static_cast<std::size_t>((index * rows + row) * cols + col);
  };
}
/// The same, transposed.
inline Place cols_of(int rows, int cols) {
  return [rows, cols](int index, int row, int col) {
    return static_cast<std::size_t>((index * cols + col) * rows + row);
  };
}

}  // namespace products
