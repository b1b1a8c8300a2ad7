// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/loops/exp_rows.h"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/catch.h"

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// How far a result is from the true one, in units of its last place.
double ulps(float got, double truth) {
  if (truth > static_cast<double>(std::numeric_limits<float>::max())) {
    return std::isinf(got) || got == std::numeric_limits<float>::max() ? 0 : 1e9;
  }
  int exponent = 0;
  std::frexp(truth, &exponent);
  const double last = std::ldexp(1.0, std::max(exponent, -125) - 24);
  return std::abs(static_cast<double>(got) - truth) / last;
}

}  // namespace

TEST_CASE("exp of floats of all ranges is about 1 ulp off at most") {
  constexpr std::int64_t kRow = 4099;
  constexpr std::uint32_t kStep = 1009;  // through all 2^32 floats
  std::vector<float> from(kRow), to(kRow);
  double worst = 0;
  for (std::uint64_t first = 0; first < std::uint64_t{1} << 32;
       first += kRow * std::uint64_t{kStep}) {
    for (std::int64_t i = 0; i < kRow; ++i) {
      from[static_cast<std::size_t>(i)] = std::bit_cast<float>(
          static_cast<std::uint32_t>(first + static_cast<std::uint64_t>(i) * kStep));
    }
    aclnn::exp_row(from.data(), to.data(), kRow);
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (std::isnan(from[i])) {
        REQUIRE(std::isnan(to[i]));
        continue;
      }
      worst = std::max(worst, ulps(to[i], std::exp(static_cast<double>(from[i]))));
    }
  }
  INFO("worst " << worst);
  CHECK(worst <= 1.01);
}

TEST_CASE("exp of special numbers, in place") {
  std::vector<float> row{0.0F,          -0.0F,    kInfinity, -kInfinity,
                         std::nanf(""), -1000.0F, 1000.0F,   1.0F};
  aclnn::exp_row(row.data(), row.data(), static_cast<std::int64_t>(row.size()));
  CHECK(row[0] == 1.0F);
  CHECK(row[1] == 1.0F);
  CHECK(row[2] == kInfinity);
  CHECK(row[3] == 0.0F);
  CHECK(std::isnan(row[4]));
  CHECK(row[5] == 0.0F);
  CHECK(row[6] == kInfinity);
  CHECK(std::abs(row[7] - 2.7182817F) < 3e-7F);
}

TEST_CASE("rows of exp are shifted and summed, with and without results") {
  for (const std::int64_t count : {0, 1, 7, 31, 32, 33, 255, 256, 257, 1000, 100000}) {
    std::vector<float> from(static_cast<std::size_t>(count)), to(from.size());
    double expected = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      from[i] = static_cast<float>(i * 37 % 1000) * -0.01F + 3.0F;
      expected += std::exp(static_cast<double>(from[i] - 2.0F));
    }
    const double sum = aclnn::exp_row(from.data(), 2.0F, to.data(), count);
    INFO("count " << count);
    CHECK(std::abs(sum - expected) <= 5e-7 * expected);
    CHECK(aclnn::exp_sum(from.data(), 2.0F, count) == sum);
    for (std::size_t i = 0; i < from.size(); ++i) {
      REQUIRE(ulps(to[i], std::exp(static_cast<double>(from[i] - 2.0F))) <= 1.01);
    }
  }
}
