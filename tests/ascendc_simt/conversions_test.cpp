// SPDX-License-Identifier: Apache-2.0
// Conversions of SIMT code by name, against a search among all numbers of the result's type.
#include <cstring>
#include <random>
#include <vector>

#include "ascendc/simt_api/asc_simt.h"
#include "tests/ascendc/rows.h"
#include "tests/ascendc_simt/reference.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"

namespace simt_test {
namespace {

template <class T>
std::vector<T> samples() {
  std::mt19937_64 random(support::first_seed());
  std::vector<T> made = {T(0), T(1), T(2049), T(2051), T(257), T(65504), T(65505), T(65535)};
  if constexpr (std::is_integral_v<T>) {
    made.insert(made.end(), {std::numeric_limits<T>::max(), std::numeric_limits<T>::min()});
    for (int i = 0; i < 400; ++i) {
      made.push_back(static_cast<T>(random() >> random() % (sizeof(T) * 8)));
      if (std::is_signed_v<T>) made.push_back(static_cast<T>(T(0) - made.back()));
    }
  } else {
    for (int i = 0; i < 400; ++i) {
      const auto bits = static_cast<uint32_t>(random());
      float any = 0;
      std::memcpy(&any, &bits, sizeof any);
      made.insert(made.end(), {T(any), T(std::ldexp(1.0F + static_cast<float>(bits % 4096) / 4096,
                                                    static_cast<int>(bits >> 12) % 20))});
    }
    for (const float x : {0.5F, 1.5F, 2.5F, 0.4999F, 4194304.5F, INFINITY, NAN, 3e38F, 1e-40F}) {
      made.insert(made.end(), {T(x), T(-x)});
    }
  }
  return made;
}

template <class T>
long double exact(T x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<long double>(x);
  else
    return static_cast<long double>(static_cast<float>(x));
}
template <class D>
double expected(long double x, Mode mode) {
  if (std::isnan(x)) return NAN;
  if (std::isinf(x)) return static_cast<double>(x);
  if constexpr (std::is_same_v<D, half>) return halves().rounded(x, mode);
  if constexpr (std::is_same_v<D, bfloat16_t>) return bfloats().rounded(x, mode);
  return rounded_to_float(x, mode);
}

template <class D, class S>
void check(const char* name, D (*function)(S), Mode mode) {
  for (const S x : samples<S>()) {
    const double value = static_cast<double>(exact(x));
    INFO(name << " of " << value);
    if constexpr (std::is_integral_v<D>) {
      CHECK(function(x) == limited<D>(whole(value, mode)));
    } else if constexpr (std::is_same_v<D, S>) {
      CHECK(same(static_cast<double>(static_cast<float>(function(x))),
                 std::isinf(value) ? value : whole(value, mode)));
    } else {
      CHECK(
          same(static_cast<double>(static_cast<float>(function(x))), expected<D>(exact(x), mode)));
    }
  }
}

#define CHECK_MODES(NAME, D, S)                       \
  check<D, S>(#NAME "_rn", NAME##_rn, Mode::nearest); \
  check<D, S>(#NAME "_rz", NAME##_rz, Mode::zero);    \
  check<D, S>(#NAME "_rd", NAME##_rd, Mode::down);    \
  check<D, S>(#NAME "_ru", NAME##_ru, Mode::up);      \
  check<D, S>(#NAME "_rna", NAME##_rna, Mode::away);
#define CHECK_INTEGERS(NAME, T)                      \
  CHECK_MODES(__##NAME##2int, int, T)                \
  CHECK_MODES(__##NAME##2uint, unsigned, T)          \
  CHECK_MODES(__##NAME##2ll, long long, T)           \
  CHECK_MODES(__##NAME##2ull, unsigned long long, T) \
  CHECK_MODES(__int2##NAME, T, int)                  \
  CHECK_MODES(__uint2##NAME, T, unsigned)            \
  CHECK_MODES(__ll2##NAME, T, long long)             \
  CHECK_MODES(__ull2##NAME, T, unsigned long long)

/// Results in a kernel whose control register has bit 60 or not, and bit 48 or not.
template <int together, int nothing>
struct Controlled {
  static void convert(float* x) {
    x[0] = static_cast<float>(__float2half_rn(1e6F));
    x[1] = static_cast<float>(__float2half_rn_sat(1e6F));
    x[2] = static_cast<float>(__float2half_rz_sat(-INFINITY));
    x[3] = static_cast<float>(__float2half_rn_sat(NAN));
    x[4] = static_cast<float>(__half2bfloat16_rn(__ushort_as_half(0x7c00)));
    x[5] = static_cast<float>(__int2half_rn(70000));
    x[6] = static_cast<float>(__hadd(half(65504), half(65504)));
    x[7] = static_cast<float>(__hadd(bfloat16_t(3e38F), bfloat16_t(3e38F)));
    x[8] = static_cast<float>(hlog(half(-1)));
    x[9] = static_cast<float>(hlog(bfloat16_t(0)));
    x[10] = static_cast<float>(__hneg(half(INFINITY)));
    x[11] = static_cast<float>(__float22hif82_rna(make_float2(1e6F, 1.0F)).x);
  }
  static void kernel(GM_ADDR x) {
    AscendC::SetCtrlSpr<60, 60>(together);
    AscendC::SetCtrlSpr<48, 48>(nothing);
    asc_vf_call<convert>(dim3{1, 1, 1}, reinterpret_cast<float*>(x));
  }
  static std::vector<float> results() {
    const auto words = first_words<kernel>(12);
    std::vector<float> made(words.size());
    std::memcpy(made.data(), words.data(), words.size() * sizeof(float));
    return made;
  }
};

}  // namespace
}  // namespace simt_test

using namespace simt_test;

TEST_CASE("conversions of float, half and bfloat16_t round as their names say", "[simt]") {
  CHECK_INTEGERS(float, float)
  CHECK_INTEGERS(half, half)
  CHECK_INTEGERS(bfloat16, bfloat16_t)
  CHECK_MODES(__float2float, float, float)
  CHECK_MODES(__half2half, half, half)
  CHECK_MODES(__bfloat162bfloat16, bfloat16_t, bfloat16_t)
  CHECK_MODES(__float2half, half, float)
  CHECK_MODES(__float2bfloat16, bfloat16_t, float)
  CHECK_MODES(__half2bfloat16, bfloat16_t, half)
  CHECK_MODES(__bfloat162half, half, bfloat16_t)
  check<half, float>("__float2half", __float2half, Mode::nearest);
  check<half, float>("__float2half_ro", __float2half_ro, Mode::odd);
  check<bfloat16_t, float>("__float2bfloat16", __float2bfloat16, Mode::nearest);
}

TEST_CASE("Simt::Cast is the conversion of its mode", "[simt]") {
  using AscendC::RoundMode;
  using namespace AscendC::Simt;
  check<int, half>("Cast", Cast<int, half, RoundMode::CAST_CEIL>, Mode::up);
  check<half, float>("Cast", Cast<half, float, RoundMode::CAST_ODD>, Mode::odd);
  check<float, long long>("Cast", Cast<float, long long, RoundMode::CAST_ROUND>, Mode::away);
  check<bfloat16_t, half>("Cast", Cast<bfloat16_t, half, RoundMode::CAST_FLOOR>, Mode::down);
}

TEST_CASE("pairs are converted, split and joined element by element", "[simt]") {
  const half2 pair = __float22half2_rz(make_float2(2049.5F, -2049.5F));
  CHECK(static_cast<float>(pair.x) == 2048);
  CHECK(static_cast<float>(pair.y) == -2048);
  CHECK(__half22float2(__lowhigh2highlow(pair)).x == -2048);
  CHECK(__low2float(pair) == 2048);
  CHECK(__high2float(pair) == -2048);
  const half2 other = __floats2half2_rn(1, 2);
  CHECK(__half22float2(__lows2half2(pair, other)).y == 1);
  CHECK(__half22float2(__highs2half2(pair, other)).y == 2);
  CHECK(__half22float2(__low2half2(other)).y == 1);
  CHECK(__half22float2(__high2half2(other)).x == 2);
  CHECK(static_cast<float>(__high2half(__halves2half2(half(3), half(4)))) == 4);
  const bfloat162 wide = __float22bfloat162_ru(make_float2(257, -257));
  CHECK(__bfloat1622float2(wide).x == 258);
  CHECK(__bfloat1622float2(wide).y == -256);
  CHECK(__bfloat1622float2(__bfloat162bfloat162(bfloat16_t(5))).y == 5);
  CHECK(__bfloat1622float2(__float2bfloat162_rn(7)).x == 7);
  CHECK(static_cast<float>(__low2bfloat16(__floats2bfloat162_rn(8, 9))) == 8);
}

TEST_CASE("bits are the same as another type", "[simt]") {
  CHECK(__float_as_uint(-1.0F) == 0xbf800000U);
  CHECK(__float_as_int(1.0F) == 0x3f800000);
  CHECK(__uint_as_float(0x40490fdbU) == 3.14159274F);
  CHECK(__int_as_float(0x3f000000) == 0.5F);
  CHECK(static_cast<float>(__ushort_as_half(0x3c00)) == 1);
  CHECK(static_cast<float>(__ushort_as_bfloat16(0x4000)) == 2);
}

TEST_CASE("numbers of 8 bits are converted in pairs", "[simt]") {
  // Numbers of the pages: 448 and 57344 are the largest ones, 0x7f is the NaN of e4m3.
  const auto e4m3 = [](float x, __asc_saturation_t saturate) {
    return __asc_cvt_float2_to_fp8x2(make_float2(x, 1.0F), saturate, __ASC_E4M3);
  };
  CHECK(e4m3(1.0F, __ASC_NOSAT) == 0x3838);
  CHECK(e4m3(1e6F, __ASC_NOSAT) == 0x387f);
  CHECK(__asc_cvt_float2_to_fp8x2(make_float2(1.0F, -1e6F), __ASC_NOSAT, __ASC_E5M2) == 0xfc3c);
  float8_e4m3x2_t pair;
  pair.x = float8_e4m3_t(448.0F);
  pair.y = float8_e4m3_t(-2.5F);
  CHECK(__e4m3x22float2(pair).x == 448);
  CHECK(__e4m3x22float2(pair).y == -2.5F);
  float8_e5m2x2_t other;
  other.x = float8_e5m2_t(57344.0F);
  other.y = float8_e5m2_t(-0.5F);
  CHECK(__e5m2x22float2(other).x == 57344);
  CHECK(__e5m2x22float2(other).y == -0.5F);
  const hifloat8x2_t tapered = __half22hif82_rna(make_half2(half(1.75F), half(-3.0F)));
  CHECK(__hif822float2(tapered).x == 1.75F);
  CHECK(static_cast<float>(__hif822half2(tapered).y) == -3);
  CHECK(std::isinf(__hif822float2(__float22hif82_rna(make_float2(1e6F, 0))).x));
}

TEST_CASE("bits 60 and 48 of the control register say which results saturate", "[simt]") {
  const float most = 65504;
  const float infinity = INFINITY;
  // Each function by its name.
  auto x = Controlled<0, 1>::results();
  CHECK(std::vector<float>(x.begin(), x.begin() + 8) ==
        std::vector<float>{infinity, most, -most, 0, infinity, infinity, infinity, infinity});
  CHECK(std::isnan(x[8]));
  CHECK(x[9] == -infinity);
  CHECK(x[10] == -infinity);
  CHECK(std::isinf(x[11]));
  // All together: none.
  x = Controlled<1, 1>::results();
  CHECK(x[1] == infinity);
  CHECK(x[2] == -infinity);
  CHECK(std::isnan(x[3]));
  // All together: all, save sums of bfloat16_t.
  x = Controlled<1, 0>::results();
  CHECK(x[0] == most);
  CHECK(x[3] == 0);
  CHECK(x[4] == 0x1.fep127F);
  CHECK(x[5] == most);
  CHECK(x[6] == most);
  CHECK(x[7] == infinity);
  CHECK(x[8] == 0);
  CHECK(x[9] == -0x1.fep127F);
  CHECK(x[10] == -most);
  CHECK(x[11] == 32768);
}
