// SPDX-License-Identifier: Apache-2.0
// Numbers of 8 and 4 bits: every code, and the numbers around each. The expected values come from
// the fields of the formats, the expected codes from a search among all values.
#include "ascendc/impl/narrow.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "ascendc/impl/vector_rows.h"
#include "runtime/ascendc/vector/loops.h"
#include "runtime/ascendc/vector/rows.h"
#include "tests/ascendc/narrow_reference.h"
#include "tests/support/catch.h"

namespace {

using namespace narrowtest;

TEST_CASE("codes of 8 and 4 bits have the values of their fields, and come back", "[narrow]") {
  for (const Small& small : kSmall) {
    const unsigned sign = 1U << (small.bits - 1);
    for (unsigned code = 0; code < 2 * sign; ++code) {
      const unsigned size = code & (sign - 1U);
      const double wanted = value_of(small, code);
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
    const double wanted = to_hifloat8(x, nr::kHybrid, false);
    INFO(x << ", bits " << bits);
    REQUIRE(same(nr::decode_hifloat8(nr::encode_hifloat8(x, nr::kHybrid, false)), wanted));
  }
}

TEST_CASE("every half becomes a HiFloat8, in both modes", "[narrow]") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto pattern = static_cast<std::uint16_t>(bits);
    for (const int mode : {nr::kRound, nr::kHybrid}) {
      for (const bool saturate : {false, true}) {
        const double wanted = half_to_hifloat8(pattern, mode, saturate);
        const auto code = nr::encode_hifloat8_half(pattern, mode, saturate);
        if (same(nr::decode_hifloat8(code), wanted)) continue;
        FAIL("half " << bits << ", mode " << mode << " gives " << int(code) << ", expected "
                     << wanted);
      }
    }
  }
}

// ---- the loops of Cast ----

namespace unit = ascendc::vector;

/// The loop's result for `from`. The loop must not write more than `results` elements.
template <class To, class From>
std::vector<To> cast(std::uint8_t dst, std::uint8_t src, const std::vector<From>& from,
                     std::size_t lanes, std::size_t results, unit::Setting setting) {
  std::vector<To> to(results + 1, static_cast<To>(0x5a));
  std::uint8_t* const at[] = {reinterpret_cast<std::uint8_t*>(to.data()),
                              reinterpret_cast<std::uint8_t*>(const_cast<From*>(from.data()))};
  const unit::Loop loop = unit::find_loop(ACLSIM_OP_Cast, dst, src);
  REQUIRE(loop != nullptr);
  loop(at, lanes, setting);
  REQUIRE(to.back() == static_cast<To>(0x5a));
  to.pop_back();
  return to;
}

unit::Setting setting_of(int mode, bool saturate) {
  unit::Setting setting;
  setting.mode = mode;
  setting.saturate = saturate;
  return setting;
}

std::vector<float> floats() {
  std::vector<float> all = {0.0F, -0.0F, INFINITY, -INFINITY, NAN, 1e30F, -1e30F, 1e-30F};
  for (const Small& small : kSmall) {
    for (unsigned code = 0; code <= small.finite; ++code) {
      for (const float x : around(size_of(small, code), size_of(small, code + 1))) {
        all.push_back(x);
        all.push_back(-x);
      }
    }
  }
  const std::vector<double> steps = ladder();
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    for (const float x : around(steps[i], steps[i + 1])) all.push_back(i % 2 == 0 ? x : -x);
  }
  return all;
}

TEST_CASE("Cast makes numbers of 8 bits of floats, and floats of them", "[narrow]") {
  const std::vector<float> from = floats();
  std::vector<std::uint8_t> codes(256);
  for (unsigned code = 0; code < 256; ++code) codes[code] = static_cast<std::uint8_t>(code);
  for (const std::uint8_t dst : {ACLSIM_FP8_E4M3FN, ACLSIM_FP8_E5M2, ACLSIM_HIFLOAT8}) {
    const Small& small = kSmall[dst == ACLSIM_FP8_E5M2 ? 1 : 0];
    const bool is_hifloat8 = dst == ACLSIM_HIFLOAT8;
    const auto value = [&](unsigned code) {
      return is_hifloat8 ? hifloat8_of(code) : value_of(small, code);
    };
    for (const int mode : {nr::kRint, nr::kRound, nr::kHybrid}) {
      if ((unit::pair_of(ACLSIM_OP_Cast, dst, ACLSIM_FLOAT)->new_modes >> mode & 1U) == 0) continue;
      for (const bool saturate : {false, true}) {
        const auto to = cast<std::uint8_t>(dst, ACLSIM_FLOAT, from, from.size(), from.size(),
                                           setting_of(mode, saturate));
        for (std::size_t i = 0; i < from.size(); ++i) {
          const double wanted = is_hifloat8 ? to_hifloat8(from[i], mode, saturate)
                                            : converted(small, from[i], mode, saturate);
          INFO("type " << int(dst) << ", mode " << mode << ", from " << from[i]);
          REQUIRE(same(value(to[i]), wanted));
        }
      }
    }
    const auto back = cast<float>(ACLSIM_FLOAT, dst, codes, 256, 256, setting_of(0, true));
    for (unsigned code = 0; code < 256; ++code) REQUIRE(same(back[code], value(code)));
  }
}

TEST_CASE("Cast makes a HiFloat8 of each half, and halves of them", "[narrow]") {
  std::vector<std::uint16_t> halves(0x10000);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
  std::vector<std::uint8_t> codes(256);
  for (unsigned code = 0; code < 256; ++code) codes[code] = static_cast<std::uint8_t>(code);
  for (const bool saturate : {false, true}) {
    for (const int mode : {nr::kRound, nr::kHybrid}) {
      const auto to = cast<std::uint8_t>(ACLSIM_HIFLOAT8, ACLSIM_HALF, halves, 0xffff, 0xffff,
                                         setting_of(mode, saturate));
      for (std::size_t i = 0; i < to.size(); ++i) {
        if (same(hifloat8_of(to[i]), half_to_hifloat8(halves[i], mode, saturate))) continue;
        FAIL("half " << i << ", mode " << mode << " gives " << int(to[i]));
      }
    }
    const auto back =
        cast<std::uint16_t>(ACLSIM_HALF, ACLSIM_HIFLOAT8, codes, 256, 256, setting_of(0, saturate));
    for (unsigned code = 0; code < 256; ++code) {
      double wanted = hifloat8_of(code);
      if (saturate && std::isnan(wanted)) wanted = 0;
      if (saturate && std::isinf(wanted)) wanted = std::copysign(65504.0, wanted);
      REQUIRE(same(half::aclsim_from_bits(back[code]), wanted));
    }
  }
}

TEST_CASE("Cast makes numbers of 4 bits of each bfloat16, two in a byte, and bfloat16 of them",
          "[narrow]") {
  std::vector<std::uint16_t> from(0x10000);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::uint16_t>(i * 0x9e37);
  std::vector<std::uint8_t> codes(256);
  for (unsigned code = 0; code < 256; ++code) codes[code] = static_cast<std::uint8_t>(code);
  for (const std::uint8_t dst : {ACLSIM_FP4_E2M1, ACLSIM_FP4_E1M2}) {
    const Small& small = kSmall[dst == ACLSIM_FP4_E2M1 ? 2 : 3];
    for (int mode = nr::kRint; mode <= nr::kTrunc; ++mode) {
      const bool saturate = mode % 2 == 0;
      const auto to = cast<std::uint8_t>(dst, ACLSIM_BFLOAT16, from, 0xfffe, 0x7fff,
                                         setting_of(mode, saturate));
      for (std::size_t i = 0; i < 0xfffe; ++i) {
        const float x = aclsim_half::bfloat16_value(from[i]);
        const unsigned code = to[i / 2] >> i % 2 * 4 & 0xf;
        if (same(value_of(small, code), converted(small, x, mode, saturate))) continue;
        FAIL(small.name << ", mode " << mode << ": " << x << " gives " << code);
      }
    }
    // 1, 1.5 and -1 with bits of a byte that is half written.
    const std::vector<std::uint16_t> three = {0x3f80, 0x3fc0, 0xbf80};
    const auto odd = cast<std::uint8_t>(dst, ACLSIM_BFLOAT16, three, 3, 2, setting_of(1, true));
    CHECK(odd == (dst == ACLSIM_FP4_E2M1 ? std::vector<std::uint8_t>{0x32, 0x5a}
                                         : std::vector<std::uint8_t>{0x64, 0x5c}));
    const auto back =
        cast<std::uint16_t>(ACLSIM_BFLOAT16, dst, codes, 512, 512, setting_of(0, true));
    for (unsigned i = 0; i < 512; ++i) {
      const unsigned code = i / 2 >> i % 2 * 4 & 0xf;
      REQUIRE(same(aclsim_half::bfloat16_value(back[i]), value_of(small, code)));
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
