// SPDX-License-Identifier: Apache-2.0
// Matrices for tests of softmax: plain loops in f64 give the expected values. Results are computed
// in f32: 40 last places for elements, whose exponents are up to 16, and one in half.
#pragma once

#include <algorithm>
#include <cmath>

#include "tests/ascendc_library/bench.h"

namespace library_test {

using AscendC::SoftmaxMode;
using AscendC::SoftMaxShapeInfo;
using AscendC::SoftMaxTiling;

constexpr double kUnits = 40;
template <typename T>
constexpr double kUnitsOf = std::is_same_v<T, float> ? kUnits : 1;

/// A matrix on the host in rows. Its layout in the core may be another.
struct Plain {
  std::uint32_t rows, columns, originals;
  std::vector<double> values;
  double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

/// The index in the core of an element: fractals of 16 columns, one after the other.
inline std::size_t place(const Plain& m, bool nz, std::size_t row, std::size_t column) {
  return nz ? (column / 16 * m.rows + row) * 16 + column % 16 : row * m.columns + column;
}

template <typename T>
std::vector<T> placed(const Plain& m, bool nz) {
  std::vector<T> values(m.values.size());
  for (std::size_t i = 0; i < m.rows; ++i)
    for (std::size_t k = 0; k < m.columns; ++k)
      values[place(m, nz, i, k)] = T(static_cast<float>(m.at(i, k)));
  return values;
}

template <typename T>
Plain matrix(std::uint32_t rows, std::uint32_t columns, std::uint32_t originals, unsigned seed = 1,
             double most = 8) {
  Plain made{rows, columns, originals, {}};
  for (const T value : random<T>(std::size_t{rows} * columns, -most, most, seed)) {
    made.values.push_back(number(value));
  }
  return made;
}

/// The maximum and the sum of exponentials of a row, without its padding.
struct Reduced {
  double most, sum;
};
inline Reduced reduced(const Plain& m, std::size_t row, double before = -1e300) {
  double most = before;
  for (std::size_t k = 0; k < m.originals; ++k) most = std::max(most, m.at(row, k));
  double sum = 0;
  for (std::size_t k = 0; k < m.originals; ++k) sum += std::exp(m.at(row, k) - most);
  return {most, sum};
}

template <typename T>
void check_matrix(const Plain& m, bool nz, const std::vector<T>& got,
                  const std::function<double(std::size_t, std::size_t)>& expected) {
  for (std::size_t i = 0; i < m.rows; ++i) {
    for (std::size_t k = 0; k < m.columns; ++k) {
      const double value = number(got[place(m, nz, i, k)]);
      if (is_near(got[place(m, nz, i, k)], expected(i, k), kUnitsOf<T>)) continue;
      CAPTURE(i, k, value, expected(i, k));
      CHECK(false);
      return;
    }
  }
}
/// One value a row, in a block of 32 bytes or alone.
template <typename T>
void check_ones(const std::vector<T>& got, std::size_t block,
                const std::function<double(std::size_t)>& expected) {
  check_each(
      got, [&](std::size_t i) { return expected(i / block); }, kUnitsOf<T>);
}
template <typename T>
std::vector<T> ones(std::uint32_t rows, std::size_t block, const std::vector<double>& of) {
  std::vector<T> values;
  for (std::uint32_t i = 0; i < rows; ++i)
    values.insert(values.end(), block, T(static_cast<float>(of[i])));
  return values;
}

}  // namespace library_test
