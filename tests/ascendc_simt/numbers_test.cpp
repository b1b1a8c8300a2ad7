// SPDX-License-Identifier: Apache-2.0
// Functions of integers and of float in SIMT code, against plain formulas and known values.
#include <cmath>
#include <limits>
#include <random>

#include "ascendc/simt_api/asc_simt.h"
#include "ascendc/simt_api/vector_functions.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"

namespace {

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

/// Whether a is within some units in the last place of b.
bool near(float a, long double b, int units = 2) {
  const auto rounded = static_cast<float>(b);
  if (std::isnan(rounded)) return std::isnan(a);
  if (std::isinf(rounded) || rounded == 0) return a == rounded;
  const float step = std::nextafter(std::fabs(rounded), INFINITY) - std::fabs(rounded);
  return std::fabs(static_cast<long double>(a) - b) <= units * static_cast<long double>(step);
}
constexpr long double kPi = 3.14159265358979323846264338327950288L;

}  // namespace

TEST_CASE("functions of bits look at each bit of integers of 4 and 8 bytes", "[simt]") {
  std::mt19937_64 random(support::first_seed());
  for (int trial = 0; trial < 500; ++trial) {
    const unsigned long long x = random() >> random() % 64;
    const auto low = static_cast<unsigned>(x);
    int ones = 0, low_ones = 0, first = 0, low_first = 0, zeros = 64, low_zeros = 32;
    unsigned long long turned = 0;
    unsigned low_turned = 0;
    for (int i = 0; i < 64; ++i) {
      if ((x >> i & 1) == 0) continue;
      ++ones;
      zeros = 63 - i;
      turned |= 1ULL << (63 - i);
      if (first == 0) first = i + 1;
      if (i >= 32) continue;
      ++low_ones;
      low_zeros = 31 - i;
      low_turned |= 1U << (31 - i);
      if (low_first == 0) low_first = i + 1;
    }
    INFO(x);
    CHECK(__popc(x) == ones);
    CHECK(__popc(low) == low_ones);
    CHECK(__clz(static_cast<long long>(x)) == zeros);
    CHECK(__clz(static_cast<int>(low)) == low_zeros);
    CHECK(__ffs(static_cast<long>(x)) == first);
    CHECK(__ffs(static_cast<int>(low)) == low_first);
    CHECK(__brev(x) == turned);
    CHECK(__brev(low) == low_turned);
    CHECK(AscendC::Simt::Clz(low) == low_zeros);
    CHECK(AscendC::Simt::Popc(x) == ones);
    CHECK(AscendC::Simt::Ffs(x) == first);
    CHECK(AscendC::Simt::Brev(low) == low_turned);
  }
  CHECK(__byte_perm(0x44332211, 0x88776655, 0x7531) == 0x88664422);
  CHECK(__byte_perm(0x44332211, 0x88776655, 0x0426) == 0x11553377);
}

TEST_CASE("products, averages and distances of integers do not overflow", "[simt]") {
  std::mt19937_64 random(support::first_seed());
  for (int trial = 0; trial < 500; ++trial) {
    const auto x = static_cast<long long>(random()), y = static_cast<long long>(random());
    const auto a = static_cast<int>(x), b = static_cast<int>(y);
    const auto u = static_cast<unsigned>(a), v = static_cast<unsigned>(b);
    const auto p = static_cast<unsigned long long>(x), q = static_cast<unsigned long long>(y);
    INFO(x << " " << y);
    CHECK(__mul64hi(x, y) == static_cast<long long>(Wide(x) * y >> 64));
    CHECK(__umul64hi(p, q) == static_cast<unsigned long long>(UnsignedWide(p) * q >> 64));
    CHECK(__mulhi(a, b) == static_cast<int>(Wide(a) * b >> 32));
    CHECK(__umulhi(u, v) == static_cast<unsigned>(UnsignedWide(u) * v >> 32));
    CHECK(AscendC::Simt::MulHi(u, v) == static_cast<unsigned>(UnsignedWide(u) * v >> 32));
    CHECK(AscendC::Simt::MulHi(x, y) == static_cast<long long>(Wide(x) * y >> 64));
    CHECK(__mul_i32toi64(a, b) == static_cast<long long>(a) * b);
    CHECK(__mul_i32toi64(u, v) == static_cast<unsigned long long>(u) * v);
    CHECK(__umul24(u, v) == static_cast<unsigned>((u % 0x1000000) * (v % 0x1000000ULL)));
    CHECK(__hadd(a, b) == static_cast<int>(std::floor((static_cast<double>(a) + b) / 2)));
    CHECK(__rhadd(a, b) == static_cast<int>(std::ceil((static_cast<double>(a) + b) / 2)));
    CHECK(__uhadd(u, v) == static_cast<unsigned>((static_cast<double>(u) + v) / 2));
    CHECK(__urhadd(u, v) == static_cast<unsigned>((static_cast<double>(u) + v + 1) / 2));
    CHECK(__sad(a, b, 7) == static_cast<unsigned>(std::llabs(static_cast<long long>(a) - b) + 7));
    CHECK(__usad(u, v, 9) == static_cast<unsigned>(std::llabs(static_cast<long long>(u) - v) + 9));
    CHECK(llmax(x, y) == (x > y ? x : y));
    CHECK(ullmin(p, q) == (p < q ? p : q));
    CHECK(umax(u, v) == (u > v ? u : v));
    CHECK(max(static_cast<short>(a), static_cast<short>(b)) ==
          std::max<short>(static_cast<short>(a), static_cast<short>(b)));
    CHECK(min(static_cast<unsigned char>(u), static_cast<unsigned char>(v)) ==
          std::min(u % 256, v % 256));
    const unsigned divisor = v >> static_cast<unsigned>(random() % 32);
    if (divisor == 0) continue;
    uint32_t magic = 0, shift = 0;
    AscendC::GetUintDivMagicAndShift(magic, shift, divisor);
    CHECK(AscendC::Simt::UintDiv<uint32_t>(u, magic, shift) == u / divisor);
  }
  CHECK(__mul24(-3, 5) == -15);
  CHECK(__mul24(0x01000002, 0x7f000003) == 6);
  CHECK(__mul24(0x00800000, 1) == -0x800000);
}

TEST_CASE("functions of float that the C library lacks have the values of their formulas",
          "[simt]") {
  std::mt19937 random(static_cast<unsigned>(support::first_seed()));
  for (int trial = 0; trial < 2000; ++trial) {
    const float x = std::uniform_real_distribution<float>(-40, 40)(random);
    const float y = std::uniform_real_distribution<float>(-1, 1)(random);
    const long double wide = x;
    INFO(x << " " << y);
    const long double rest = wide - 2 * std::floor(wide / 2);
    CHECK(std::fabs(sinpif(x) - std::sin(kPi * rest)) < 1e-7L);
    CHECK(std::fabs(cospif(x) - std::cos(kPi * rest)) < 1e-7L);
    float s = 0, c = 0;
    sincospif(x, &s, &c);
    CHECK(s == sinpif(x));
    CHECK(c == cospif(x));
    CHECK(near(rsqrtf(std::fabs(x)), 1 / std::sqrt(std::fabs(wide))));
    CHECK(near(rcbrtf(x), 1 / std::cbrt(wide)));
    CHECK(near(exp10f(y), std::pow(10.0L, static_cast<long double>(y))));
    CHECK(near(rhypotf(x, y), 1 / std::hypot(wide, static_cast<long double>(y))));
    CHECK(near(norm3df(x, y, 3), std::hypot(wide, y, 3.0L)));
    CHECK(near(rnorm3df(x, y, 3), 1 / std::hypot(wide, y, 3.0L)));
    CHECK(near(norm4df(x, y, 3, 4), std::hypot(wide, y, 5.0L)));
    CHECK(near(rnorm4df(x, y, 3, 4), 1 / std::hypot(wide, y, 5.0L)));
    const float all[] = {x, y, 3, 4};
    CHECK(normf(4, all) == norm4df(x, y, 3, 4));
    CHECK(near(rnormf(2, all), 1 / std::hypot(wide, static_cast<long double>(y))));
    CHECK(normf(0, all) == std::fabs(x));
    // The inverse functions, by the functions that they invert.
    CHECK(near(y, std::erf(static_cast<long double>(erfinvf(y))), 8));
    CHECK(near(1 + y, std::erfc(static_cast<long double>(erfcinvf(1 + y))), 8));
    CHECK(near(normcdff(x / 10), std::erfc(-wide / 10 / std::sqrt(2.0L)) / 2, 8));
    const float chance = (1 + y) / 2;
    CHECK(near(chance, std::erfc(-normcdfinvf(chance) / std::sqrt(2.0L)) / 2, 16));
    if (x > -8) CHECK(near(erfcxf(x / 8), std::exp(wide * wide / 64) * std::erfc(wide / 8)));
    CHECK(near(cyl_bessel_i0f(x), std::cyl_bessel_i(0.0L, std::fabs(wide))));
    CHECK(near(std::fabs(cyl_bessel_i1f(x)), std::cyl_bessel_i(1.0L, std::fabs(wide))));
    CHECK(fdividef(x, y) == x / y);
    CHECK(__saturatef(y) == (y > 0 ? y : 0));
  }
}

TEST_CASE("functions of float have the documented values at their ends", "[simt]") {
  const float infinity = INFINITY;
  CHECK(__saturatef(NAN) == 0);
  CHECK(__saturatef(7) == 1);
  CHECK(erfcxf(0) == 1);
  CHECK(erfcxf(infinity) == 0);
  CHECK(erfcxf(-infinity) == infinity);
  CHECK(near(erfcxf(100), 0.00564161378298943290355645700695L));  // tables
  CHECK(normcdfinvf(0) == -infinity);
  CHECK(normcdfinvf(1) == infinity);
  CHECK(std::isnan(normcdfinvf(1.5F)));
  CHECK(near(normcdfinvf(0.975F), 1.959964L, 40));
  CHECK(erfinvf(1) == infinity);
  CHECK(erfcinvf(2) == -infinity);
  CHECK(near(erfcinvf(1e-30F), 8.148618L, 40));
  CHECK(std::isnan(sinpif(infinity)));
  CHECK(sinpif(1e30F) == 0);
  CHECK(cospif(0.5F) == 0);
  CHECK(tanpif(0.25F) == 1);
  const float some[] = {NAN, -infinity};
  CHECK(normf(2, some) == infinity);
  CHECK(rnormf(2, some) == 0);
  CHECK(std::isnan(normf(1, some)));
  const float zeros[] = {0, 0};
  CHECK(rnormf(2, zeros) == infinity);
  CHECK(__fdividef(1, 0) == infinity);
  CHECK(cyl_bessel_i1f(-infinity) == -infinity);
  CHECK(std::isnan(AscendC::Simt::Jn(-1, 1.0F)));
  CHECK(isfinite(1.0F));
  CHECK(isnan(NAN));
  CHECK(isinf(-infinity));
  CHECK(signbit(-0.0F));
}

TEST_CASE("Simt's functions are those of float, rounded to the type", "[simt]") {
  using namespace AscendC::Simt;
  CHECK(Sin(0.5F) == std::sin(0.5F));
  CHECK(static_cast<float>(Sqrt(half(9))) == 3);
  CHECK(Atan2(1.0F, -1.0F) == std::atan2(1.0F, -1.0F));
  CHECK(Pow(2.0F, 10.0F) == 1024);
  CHECK(Norm3d(2.0F, 3.0F, 6.0F) == 7);
  CHECK(Mod(7.5F, 2.0F) == 1.5F);
  CHECK(Remainder(7.5F, 2.0F) == -0.5F);
  CHECK(Fdim(1.0F, 3.0F) == 0);
  CHECK(ScaLbn(3.0F, 4) == 48);
  int quotient = 0;
  CHECK(RemQuo(7.5F, 2.0F, &quotient) == -0.5F);
  CHECK(quotient == 4);
  int exponent = 0;
  CHECK(Frexp(48.0F, exponent) == 0.75F);
  CHECK(exponent == 6);
  CHECK(Ldexp(0.75F, 6) == 48);
  CHECK(Ilogb(48.0F) == 5);
  float s = 0, c = 0;
  Sincos(1.0F, s, c);
  CHECK(s == std::sin(1.0F));
  CHECK(c == std::cos(1.0F));
  CHECK(Abs(-3) == 3);
  CHECK(Fma(2.0F, 3.0F, 1.0F) == 7);
  CHECK(IsNan(NAN));
  CHECK(IsInf(half(INFINITY)));
  CHECK(CopySign(2.0F, -1.0F) == -2);
  CHECK(BytePerm(0x44332211U, 0x88776655U, 0x7531U) == 0x88664422U);
}

TEST_CASE("short vectors hold their elements in a row", "[simt]") {
  const float4 four = make_float4(1, 2, 3, 4);
  CHECK(four.w == 4);
  CHECK(sizeof four == 16);
  CHECK(alignof(float4) == 16);
  const short3 three = make_short3(1, -2, 3);
  CHECK(three.z == 3);
  CHECK(sizeof three == 6);
  CHECK(alignof(ulonglong4) == 32);
  CHECK(make_uchar2(200, 100).x == 200);
  CHECK(sizeof(hifloat8x2_t) == 2);
  CHECK(alignof(float8_e4m3x2_t) == 2);
}
