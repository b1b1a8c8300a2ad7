// SPDX-License-Identifier: Apache-2.0
// half and bfloat16_t as scalars: all 65536 patterns.
#include "ascendc/impl/half.h"

#include <random>

#include "tests/ascendc/vector_reference.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"

namespace {

using namespace vectortest;

const Type& kHalf = type_of(ACLSIM_HALF);
const Type& kBfloat16 = type_of(ACLSIM_BFLOAT16);

bool same(float a, double b) {
  if (std::isnan(b)) return std::isnan(a);
  return static_cast<double>(a) == b && std::signbit(a) == std::signbit(b);
}

TEST_CASE("every pattern has the value that its fields say, and comes back", "[half]") {
  for (std::uint32_t bits = 0; bits < 1U << 16; ++bits) {
    const auto pattern = static_cast<std::uint16_t>(bits);
    const half h = half::aclsim_from_bits(pattern);
    const bfloat16_t b = bfloat16_t::aclsim_from_bits(pattern);
    if (!same(h, decode(bits, kHalf).real)) FAIL("half " << bits);
    if (!same(static_cast<float>(b), decode(bits, kBfloat16).real)) FAIL("bfloat16_t " << bits);
    if (is_nan(bits, kHalf) ? !is_nan(half(static_cast<float>(h)).aclsim_bits, kHalf)
                            : half(static_cast<float>(h)).aclsim_bits != bits) {
      FAIL("half and back " << bits);
    }
    if (!is_nan(bits, kBfloat16) && bfloat16_t(static_cast<float>(b)).aclsim_bits != bits) {
      FAIL("bfloat16_t and back " << bits);
    }
  }
}

TEST_CASE("floats between two numbers of 16 bits go to the nearest, ties to even", "[half]") {
  for (std::uint32_t bits = 0; bits + 1 < 0x7c00; ++bits) {
    const double low = decode(bits, kHalf).real;
    const double high = decode(bits + 1, kHalf).real;
    const auto middle = static_cast<float>((low + high) / 2);
    for (const float x :
         {middle, std::nextafter(middle, 0.0F), std::nextafter(middle, 1e9F), -middle}) {
      Value wanted;
      wanted.real = rounded(x, kHalf);
      if (half(x).aclsim_bits != encode(wanted, kHalf)) FAIL(x);
    }
  }
  CHECK(half(65519.996F).aclsim_bits == 0x7bff);
  CHECK(half(65520.0F).aclsim_bits == 0x7c00);
  CHECK(half(0x1p-25F).aclsim_bits == 0);
  CHECK(half(0x1.000002p-25F).aclsim_bits == 1);
}

TEST_CASE("doubles and integers are rounded once", "[half]") {
  // Just above a tie: by way of a float it would be the tie.
  CHECK(half(1 + 0x1p-11 + 0x1p-40).aclsim_bits == 0x3c01);
  CHECK(half(1 + 0x1p-11).aclsim_bits == 0x3c00);
  CHECK(half(1 - 0x1p-12 - 0x1p-40).aclsim_bits == 0x3bff);
  CHECK(half(2049).aclsim_bits == half(2048).aclsim_bits);
  CHECK(half(2051).aclsim_bits == half(2052).aclsim_bits);
  CHECK(half(-1).aclsim_bits == 0xbc00);
  CHECK(half(1e-300).aclsim_bits == 0);
  CHECK(half(-1e300).aclsim_bits == 0xfc00);
  CHECK(bfloat16_t(257 + 0x1p-30).aclsim_bits == bfloat16_t(258).aclsim_bits);
  CHECK(half(true).aclsim_bits == 0x3c00);
}

TEST_CASE("arithmetic of scalars rounds each step", "[half]") {
  std::mt19937_64 random(support::first_seed());
  for (unsigned i = 0; i < 20000; ++i) {
    const auto x = static_cast<std::uint16_t>(random());
    const auto y = static_cast<std::uint16_t>(random());
    const half a = half::aclsim_from_bits(x);
    const half b = half::aclsim_from_bits(y);
    const double p = decode(x, kHalf).real;
    const double q = decode(y, kHalf).real;
    INFO("ACLSIM_TEST_SEED=" << support::first_seed() << " " << p << " " << q);
    const bool right = same(a + b, rounded(p + q, kHalf)) && same(a - b, rounded(p - q, kHalf)) &&
                       same(a * b, rounded(p * q, kHalf)) && same(a / b, rounded(p / q, kHalf));
    if (!right) FAIL("one of + - * /");
    if ((a < b) != (p < q) || (a == b) != (p == q) || (a >= b) != (p >= q)) FAIL("a comparison");
  }
  half sum = 1;
  sum += 0.5F;
  sum = sum * 2;
  CHECK(static_cast<float>(sum) == 3.0F);
  static_assert(std::is_same_v<decltype(sum + 1.0F), float>, "float wins");
  static_assert(std::is_same_v<decltype(sum + 1), half>, "an integer does not widen");
  static_assert(half(1.5F).aclsim_bits == 0x3e00, "a constant expression");
  CHECK(static_cast<float>(-bfloat16_t(3)) == -3.0F);
  CHECK(static_cast<int>(bfloat16_t(7)) == 7);
}

}  // namespace
