// SPDX-License-Identifier: Apache-2.0
// The hot loops of the library against plain loops in double, and the loops for AVX2 against those
// for any machine.
#include "runtime/ascendc/library/row_loops.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "tests/ascendc_library/bench.h"
#include "tests/support/catch.h"

namespace {

using ascendc::library::RowLoops;
using Floats = std::vector<float>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::size_t kLengths[] = {0, 1, 7, 15, 16, 31, 32, 33, 63, 64, 100, 1000, 1024, 4099};

Floats numbers(std::size_t count, unsigned seed = 1) {
  return library_test::random<float>(count, -3, 3, seed);
}

/// All results of a set of loops for one length.
struct Results {
  Results(const RowLoops& loops, std::size_t count) {
    const Floats from = numbers(count);
    const float* const values = from.data();
    greatest = loops.greatest(values, count);
    sum = loops.sum(values, count);
    in_double = loops.sum_in_double(values, count);
    squares = loops.squares(values, count, 0.25F);
    const auto in_place = [&](auto&& loop) {
      rows.push_back(from);
      loop(rows.back().data());
    };
    const Floats gamma = numbers(count, 2), beta = numbers(count, 3);
    Floats powers = numbers(count, 4);
    for (float& power : powers) power = std::abs(power);
    in_place([&](float* row) { loops.subtract(row, count, 1.5F); });
    in_place([&](float* row) { loops.divide(row, count, 3.0F); });
    in_place(
        [&](float* row) { loops.normalise(row, count, 0.5F, 2.5F, gamma.data(), beta.data()); });
    in_place([&](float* row) { loops.scale(row, count, -1.7F, row); });
    in_place([&](float* row) { loops.scale_cubic(row, count, -1.6F, 0.04F, row); });
    in_place([&](float* row) { loops.swish(row, count, powers.data()); });
  }
  float greatest, sum, squares;
  double in_double;
  std::vector<Floats> rows;
};

bool same(const Floats& a, const Floats& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

}  // namespace

TEST_CASE("the loops of rows compute sums, maxima and products as plain loops in double do") {
  for (const std::size_t count : kLengths) {
    CAPTURE(count);
    const Results got(ascendc::library::row_loops(), count);
    const Floats from = numbers(count), gamma = numbers(count, 2), beta = numbers(count, 3),
                 powers = numbers(count, 4);
    double sum = 0, size = 0, squares = 0;
    float greatest = -kInfinity;
    for (const float value : from) {
      sum += value;
      size += std::abs(value);
      squares += (value - 0.25) * (value - 0.25);
      greatest = std::max(greatest, value);
    }
    CHECK(got.greatest == greatest);
    CHECK(std::abs(got.in_double - sum) <= 1e-14 * size);
    // Errors grow with the additions of a partial result, of which there are 32.
    const double units = 0x1p-23 * (8.0 + static_cast<double>(count) / 32);
    CHECK(std::abs(got.sum - sum) <= units * size);
    CHECK(std::abs(got.squares - squares) <= units * squares);
    const auto check = [&](std::size_t row, auto&& expected) {
      CAPTURE(row);
      library_test::check_each(got.rows[row], expected, 4);
    };
    check(0, [&](std::size_t i) { return from[i] - 1.5; });
    check(1, [&](std::size_t i) { return from[i] / 3.0; });
    check(3, [&](std::size_t i) { return double{from[i]} * double{-1.7F}; });
    check(4, [&](std::size_t i) {
      const double x = from[i];
      return double{-1.6F} * (x + double{0.04F} * x * x * x);
    });
    check(5, [&](std::size_t i) { return from[i] / (1.0 + std::abs(powers[i])); });
    // Beta may cancel the product: the error is relative to the greater of them.
    for (std::size_t i = 0; i < count; ++i) {
      const double product = (from[i] - 0.5) * 2.5 * gamma[i];
      const double error = std::abs(got.rows[2][i] - (product + beta[i]));
      if (error <= 0x1p-22 * (std::abs(product) + std::abs(beta[i]))) continue;
      CAPTURE(i);
      CHECK(error == 0);
    }
  }
}

TEST_CASE("NaN is no maximum of a row, and a row without numbers has -infinity") {
  const auto& loops = ascendc::library::row_loops();
  for (const std::size_t count : {1U, 31U, 32U, 33U, 100U}) {
    Floats values(count, std::nanf(""));
    CHECK(loops.greatest(values.data(), count) == -kInfinity);
    values[count / 2] = -2;
    CHECK(loops.greatest(values.data(), count) == -2);
    values[count - 1] = kInfinity;
    CHECK(loops.greatest(values.data(), count) == kInfinity);
  }
}

#if defined(__x86_64__)
TEST_CASE("the loops for AVX2 compute the same bits as the loops for any machine") {
  if (!__builtin_cpu_supports("avx2")) return;
  for (const std::size_t count : kLengths) {
    CAPTURE(count);
    const Results wide(ascendc::library::avx2::kRowLoops, count);
    const Results any(ascendc::library::plain::kRowLoops, count);
    CHECK(wide.greatest == any.greatest);
    CHECK(wide.sum == any.sum);
    CHECK(wide.in_double == any.in_double);
    CHECK(wide.squares == any.squares);
    for (std::size_t i = 0; i < any.rows.size(); ++i) {
      CAPTURE(i);
      CHECK(same(wide.rows[i], any.rows[i]));
    }
  }
}
#endif
