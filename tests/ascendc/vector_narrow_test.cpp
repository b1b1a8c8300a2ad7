// SPDX-License-Identifier: Apache-2.0
// Numbers of 8 and 4 bits: every code, and the numbers around each. The expected values come from
// the fields of the formats, the expected codes from a search among all values.
#include "ascendc/impl/narrow.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "tests/support/catch.h"

namespace {

namespace nr = aclsim_narrow;
constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

struct Small {
  const char* name;
  nr::Format format;
  int bits;
  int digits;
  int least;        // the exponent of the least number: least = 1 unit
  unsigned finite;  // codes of one sign below this number are finite
};
constexpr Small kSmall[] = {
    {"fp8_e4m3fn_t", nr::kE4M3, 8, 3, -9, 0x7f},
    {"fp8_e5m2_t", nr::kE5M2, 8, 2, -16, 0x7c},
    {"fp4x2_e2m1_t", nr::kE2M1, 4, 1, -1, 8},
    {"fp4x2_e1m2_t", nr::kE1M2, 4, 2, -2, 8},
};

/// The value of a code without its sign, also of the code after the largest number.
double size_of(const Small& small, unsigned code) {
  const unsigned field = code >> small.digits;
  const double mantissa = code & ((1U << small.digits) - 1U);
  if (field == 0) return std::ldexp(mantissa, small.least);
  return std::ldexp(mantissa + (1 << small.digits), small.least + static_cast<int>(field) - 1);
}

/// The numbers of HiFloat8 by the paper's table: dot field, digits of the exponent, mantissa.
double hifloat8_of(unsigned code) {
  if (code == 0x80) return kNan;
  if ((code & 0x7f) == 0x6f) return (code & 0x80) != 0 ? -kInf : kInf;
  if (code == 0) return 0;
  const double sign = (code & 0x80) != 0 ? -1 : 1;
  struct Row {
    unsigned dot, dot_bits;
    int exponent_bits, mantissa_bits;
  };
  for (const Row row : {Row{3, 2, 4, 1}, Row{2, 2, 3, 2}, Row{1, 2, 2, 3}, Row{1, 3, 1, 3},
                        Row{1, 4, 0, 3}, Row{0, 4, 0, 3}}) {
    if ((code & 0x7f) >> (7 - row.dot_bits) != row.dot) continue;
    const double mantissa = code & ((1U << row.mantissa_bits) - 1U);
    if (row.dot == 0) return sign * std::ldexp(1.0, static_cast<int>(mantissa) - 23);
    int exponent = 0;
    if (row.exponent_bits > 0) {
      const unsigned field = code >> row.mantissa_bits & ((1U << row.exponent_bits) - 1U);
      const unsigned one = 1U << (row.exponent_bits - 1);
      exponent = static_cast<int>(one | (field & (one - 1U)));
      if ((field & one) != 0) exponent = -exponent;
    }
    return sign * std::ldexp(1 + std::ldexp(mantissa, -row.mantissa_bits), exponent);
  }
  return kNan;
}

/// Between `low` and `high` of one sign: whether the number `at` (0 to 1) becomes `high`.
bool up(int mode, bool negative, bool odd, double at) {
  switch (mode) {
    case nr::kFloor:
      return negative && at > 0;
    case nr::kCeil:
      return !negative && at > 0;
    case nr::kRound:
      return at >= 0.5;
    case nr::kTrunc:
      return false;
    case nr::kOdd:
      return at > 0 && !odd;
    default:
      return at > 0.5 || (at == 0.5 && odd);
  }
}

TEST_CASE("codes of 8 and 4 bits have the values of their fields, and come back", "[narrow]") {
  for (const Small& small : kSmall) {
    const unsigned sign = 1U << (small.bits - 1);
    for (unsigned code = 0; code < 2 * sign; ++code) {
      const unsigned size = code & (sign - 1U);
      double wanted = size < small.finite ? size_of(small, size) : kNan;
      if (small.bits == 8 && small.digits == 2 && size == 0x7c) wanted = kInf;
      if ((code & sign) != 0) wanted = -wanted;
      INFO(small.name << ", code " << code);
      const float value = nr::decode(small.format, static_cast<std::uint8_t>(code));
      REQUIRE(same(value, wanted));
      for (int mode = nr::kNone; mode <= nr::kOdd && size < small.finite; ++mode) {
        REQUIRE(nr::encode(small.format, value, mode, false) == code);
        REQUIRE(nr::encode(small.format, value, mode, true) == code);
      }
    }
  }
  CHECK(nr::decode(nr::kE4M3, 0x7e) == 448);
  CHECK(nr::decode(nr::kE5M2, 0x7b) == 57344);
  CHECK(nr::decode(nr::kE2M1, 7) == 6);
  CHECK(nr::decode(nr::kE1M2, 0xf) == -1.75F);
}

/// Numbers in and around the interval from `low` to `high`.
std::vector<float> around(double low, double high) {
  std::vector<float> all;
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const auto x = static_cast<float>(low + (high - low) * part);
    all.insert(all.end(), {x, std::nextafterf(x, 0), std::nextafterf(x, 1e30F)});
  }
  return all;
}

std::uint8_t wanted_code(const Small& small, float x, int mode, bool saturate) {
  const unsigned sign = std::signbit(x) ? 1U << (small.bits - 1) : 0;
  const double size = std::fabs(static_cast<double>(x));
  const bool bounded = saturate || small.bits == 4;
  unsigned code = 0;
  while (code < small.finite && size_of(small, code + 1) <= size) ++code;
  if (code < small.finite) {
    const double low = size_of(small, code), high = size_of(small, code + 1);
    code += up(mode, sign != 0, (code & 1U) != 0, (size - low) / (high - low)) ? 1 : 0;
  }
  const bool inward = mode == nr::kTrunc || mode == nr::kOdd || (mode == nr::kFloor && sign == 0) ||
                      (mode == nr::kCeil && sign != 0);
  const bool back = code == small.finite && (bounded || inward);
  return static_cast<std::uint8_t>(sign | (back ? code - 1 : code));
}

TEST_CASE("numbers between two codes go to the one that the mode names", "[narrow]") {
  for (const Small& small : kSmall) {
    for (unsigned code = 0; code <= small.finite; ++code) {
      for (const float size : around(size_of(small, code), size_of(small, code + 1))) {
        for (const float x : {size, -size}) {
          for (int mode = nr::kNone; mode <= nr::kOdd; ++mode) {
            for (const bool saturate : {false, true}) {
              const auto got = nr::encode(small.format, x, mode, saturate);
              const auto wanted = wanted_code(small, x, mode, saturate);
              if (got == wanted) continue;
              FAIL(small.name << ", mode " << mode << ", saturate " << saturate << ": " << x
                              << " gives " << int(got) << ", expected " << int(wanted));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("NaN, infinities and tiny numbers become the documented codes", "[narrow]") {
  const auto inf = static_cast<float>(kInf), nan = static_cast<float>(kNan);
  CHECK(nr::encode(nr::kE4M3, inf, nr::kRint, false) == 0x7f);
  CHECK(nr::encode(nr::kE4M3, inf, nr::kRint, true) == 0x7e);
  CHECK(nr::encode(nr::kE4M3, -inf, nr::kRint, true) == 0xfe);
  CHECK(nr::encode(nr::kE5M2, inf, nr::kRint, false) == 0x7c);
  CHECK(nr::encode(nr::kE5M2, -inf, nr::kRint, false) == 0xfc);
  CHECK(nr::encode(nr::kE5M2, -inf, nr::kRint, true) == 0xfb);
  CHECK(nr::encode(nr::kE2M1, inf, nr::kRint, false) == 7);
  CHECK(nr::encode(nr::kE1M2, -inf, nr::kRint, false) == 0xf);
  for (const float x : {nan, -nan}) {
    CHECK(std::isnan(nr::decode(nr::kE4M3, nr::encode(nr::kE4M3, x, nr::kRint, false))));
    CHECK(std::isnan(nr::decode(nr::kE5M2, nr::encode(nr::kE5M2, x, nr::kRint, false))));
    CHECK(nr::encode(nr::kE4M3, x, nr::kRint, true) == 0);
    CHECK(nr::encode(nr::kE5M2, x, nr::kRint, true) == 0);
    CHECK(nr::encode(nr::kE2M1, x, nr::kRint, false) == 0);
    CHECK(nr::encode(nr::kE1M2, x, nr::kRint, false) == 0);
  }
  for (const Small& small : kSmall) {
    const auto sign = static_cast<std::uint8_t>(1U << (small.bits - 1));
    for (const float tiny : {0x1p-149F, 0x1p-126F, 0x1p-60F, 0x1p-30F}) {
      CHECK(nr::encode(small.format, tiny, nr::kRint, false) == 0);
      CHECK(nr::encode(small.format, -tiny, nr::kRint, false) == sign);
      CHECK(nr::encode(small.format, tiny, nr::kCeil, false) == 1);
      CHECK(nr::encode(small.format, -tiny, nr::kCeil, false) == sign);
      CHECK(nr::encode(small.format, -tiny, nr::kFloor, false) == (sign | 1));
      CHECK(nr::encode(small.format, tiny, nr::kOdd, false) == 1);
    }
    CHECK(nr::encode(small.format, 0.0F, nr::kCeil, false) == 0);
    CHECK(nr::encode(small.format, -0.0F, nr::kFloor, false) == sign);
  }
}

TEST_CASE("scales are powers of two, made from the exponent alone", "[narrow]") {
  for (unsigned code = 0; code < 255; ++code) {
    const auto byte = static_cast<std::uint8_t>(code);
    const double scale = std::ldexp(1.0, static_cast<int>(code) - 127);
    REQUIRE(nr::decode_e8m0(byte) == scale);
    for (const double part : {1.0, 1.25, 1.9921875}) {
      const auto x = static_cast<float>(scale * part);
      const auto wanted = static_cast<std::uint8_t>(scale * part < 0x1p-126 ? 0 : code);
      REQUIRE(nr::encode_e8m0(x) == wanted);
      REQUIRE(nr::encode_e8m0(-x) == wanted);
    }
  }
  CHECK(std::isnan(nr::decode_e8m0(255)));
  CHECK(nr::encode_e8m0(static_cast<float>(kInf)) == 254);
  CHECK(nr::encode_e8m0(static_cast<float>(-kInf)) == 254);
  CHECK(nr::encode_e8m0(static_cast<float>(kNan)) == 255);
  CHECK(nr::encode_e8m0(0.0F) == 0);
}

TEST_CASE("codes of HiFloat8 have the values of the format's table, and come back", "[narrow]") {
  unsigned distinct = 0;
  double before = -1;
  for (unsigned code = 0; code < 256; ++code) {
    const auto byte = static_cast<std::uint8_t>(code);
    const double wanted = hifloat8_of(code);
    INFO("code " << code);
    const float value = nr::decode_hifloat8(byte);
    REQUIRE(same(value, wanted));
    REQUIRE(nr::encode_hifloat8(value, nr::kRound, false) == code);
    if (!std::isnan(wanted)) {
      REQUIRE(nr::encode_hifloat8_half(half(value).aclsim_bits, nr::kRound, false) == code);
    }
    if (!std::isfinite(wanted)) continue;
    REQUIRE(nr::encode_hifloat8(value, nr::kRound, true) == code);
  }
  std::vector<double> sizes;
  for (unsigned code = 0; code < 0x80; ++code) sizes.push_back(hifloat8_of(code));
  std::sort(sizes.begin(), sizes.end());
  for (const double size : sizes) {
    distinct += size != before ? 1 : 0;
    before = size;
  }
  CHECK(distinct == 128);
  CHECK(nr::decode_hifloat8(0x6e) == 32768);
  CHECK(nr::decode_hifloat8(0x7e) == 0x1p-15F);
  CHECK(nr::decode_hifloat8(0x01) == 0x1p-22F);
  CHECK(nr::decode_hifloat8(0x07) == 0x1p-16F);
  // The example of the page of data types: sign 0, dot field 01, exponent 3, mantissa 110.
  CHECK(nr::decode_hifloat8(0x2e) == 14);
}

/// The numbers of HiFloat8 from 0 to the infinity in order, this as the number that its code would
/// have, and one more.
std::vector<double> ladder() {
  std::vector<double> all;
  for (unsigned code = 0; code < 0x80; ++code) {
    all.push_back(code == 0x6f ? 1.5 * 32768 : hifloat8_of(code));
  }
  std::sort(all.begin(), all.end());
  return all;
}

template <class Up>
double hifloat8_near(double x, bool saturate, Up goes_up) {
  static const std::vector<double> steps = ladder();
  const double size = std::fabs(x);
  const auto high = std::upper_bound(steps.begin(), steps.end(), size);
  double result = kInf;
  if (high != steps.end()) {
    const double low = *(high - 1);
    result = goes_up((size - low) / (*high - low)) ? *high : low;
  }
  if (result > 32768) result = saturate ? 32768 : kInf;
  return result == 0 ? 0 : std::copysign(result, x);
}

TEST_CASE("floats become the nearest HiFloat8, ties away from zero", "[narrow]") {
  const std::vector<double> steps = ladder();
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    for (const float size : around(steps[i], steps[i + 1])) {
      for (const float x : {size, -size}) {
        for (const bool saturate : {false, true}) {
          const double wanted = hifloat8_near(x, saturate, [](double at) { return at >= 0.5; });
          INFO(x);
          REQUIRE(same(nr::decode_hifloat8(nr::encode_hifloat8(x, nr::kRound, saturate)), wanted));
        }
      }
    }
  }
  for (const float x : {65536.0F, 1e30F, static_cast<float>(kInf)}) {
    CHECK(nr::encode_hifloat8(x, nr::kRound, false) == 0x6f);
    CHECK(nr::encode_hifloat8(-x, nr::kHybrid, false) == 0xef);
    CHECK(nr::encode_hifloat8(x, nr::kHybrid, true) == 0x6e);
  }
  CHECK(nr::encode_hifloat8(static_cast<float>(kNan), nr::kRound, false) == 0x80);
  CHECK(nr::encode_hifloat8(static_cast<float>(kNan), nr::kRound, true) == 0);
  CHECK(nr::encode_hifloat8(-0.0F, nr::kRound, false) == 0);
  CHECK(nr::encode_hifloat8(-0x1p-30F, nr::kRound, false) == 0);
}

TEST_CASE("the hybrid mode compares dropped digits with the last digits of the source",
          "[narrow]") {
  std::uint32_t state = 1;
  for (int i = 0; i < 200000; ++i) {
    state = state * 1664525U + 1013904223U;
    const std::uint32_t exponent = 127 - 25 + (state >> 8) % 44;  // 2^-25 to 2^18
    const std::uint32_t bits = (state & 0x80000000U) | exponent << 23 | (state * 2654435761U) >> 9;
    const float x = aclsim_half::bits_float(bits);
    const int power = static_cast<int>(exponent) - 127;
    const double wanted = hifloat8_near(x, false, [&](double at) {
      if (power >= -3 && power <= 3) return at >= 0.5;
      return power >= -23 && std::floor(at * 16384) >= (bits & 0x3fff);
    });
    INFO(x << ", bits " << bits);
    REQUIRE(same(nr::decode_hifloat8(nr::encode_hifloat8(x, nr::kHybrid, false)), wanted));
  }
}

TEST_CASE("every half becomes a HiFloat8, in both modes", "[narrow]") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto pattern = static_cast<std::uint16_t>(bits);
    const double x = half::aclsim_from_bits(pattern);
    for (const int mode : {nr::kRound, nr::kHybrid}) {
      for (const bool saturate : {false, true}) {
        const int power = x == 0 ? -99 : std::ilogb(x);
        double wanted = std::isnan(x) ? (saturate ? 0.0 : kNan) : 0.0;
        if (!std::isnan(x)) {
          wanted = hifloat8_near(x, saturate, [&](double at) {
            if (mode == nr::kRound || (power >= -3 && power <= 3)) return at >= 0.5;
            return power >= -23 && std::floor(at * 4) >= ((bits & 1) != 0 ? 3 : 1);
          });
        }
        const auto code = nr::encode_hifloat8_half(pattern, mode, saturate);
        if (same(nr::decode_hifloat8(code), wanted)) continue;
        FAIL(x << ", mode " << mode << " gives " << int(code) << ", expected " << wanted);
      }
    }
  }
}

TEST_CASE("types of 8 bits are made from floats and become floats, also at compile time",
          "[narrow]") {
  static_assert(static_cast<float>(fp8_e4m3fn_t(1e9F)) == 448);
  static_assert(static_cast<float>(fp8_e5m2_t(-1e9F)) == -57344);
  static_assert(static_cast<float>(hifloat8_t(14.2F)) == 14);
  static_assert(static_cast<float>(fp8_e8m0_t(3.0F)) == 2);
  static_assert(fp8_e4m3fn_t(0.0F) == fp8_e4m3fn_t(-0.0F));
  static_assert(sizeof(fp8_e8m0_t) == 1 && sizeof(fp4x2_e1m2_t) == 1 && sizeof(int4x2_t) == 1);
  static_assert(std::is_same_v<float8_e4m3_t, fp8_e4m3fn_t> &&
                std::is_same_v<float4_e2m1x2_t, fp4x2_e2m1_t>);
  static_assert(nr::half_byte(0x52, 0) == 2 && nr::half_byte(0x52, 1) == 5);
  CHECK(hifloat8_t::aclsim_from_bits(0x2e).aclsim_bits == 0x2e);
}

}  // namespace
