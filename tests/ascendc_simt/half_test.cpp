// SPDX-License-Identifier: Apache-2.0
// Functions of half and bfloat16_t in SIMT code, against wider arithmetic that is rounded by
// search.
#include <random>
#include <vector>

#include "ascendc/simt_api/asc_bf16.h"
#include "ascendc/simt_api/asc_fp16.h"
#include "tests/ascendc_simt/reference.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"

namespace simt_test {
namespace {

__extension__ typedef __float128 Quad;

template <class T>
constexpr Shape kShape = std::is_same_v<T, half> ? kHalf : kBfloat16;
template <class T>
const Numbers& numbers() {
  return std::is_same_v<T, half> ? halves() : bfloats();
}
template <class T>
T of_bits(unsigned bits) {
  return T::aclsim_from_bits(static_cast<uint16_t>(bits));
}
template <class T>
double value(T x) {
  return decoded(x.aclsim_bits, kShape<T>);
}
template <class T, class Wide>
double nearest(Wide x) {
  if (x != x) return NAN;
  return numbers<T>().rounded(x, Mode::nearest);
}

template <class T, class Pair>
void check_arithmetic(Pair (*join)(T, T)) {
  std::mt19937 random(static_cast<unsigned>(support::first_seed()));
  std::vector<T> all;
  for (int i = 0; i < 3000; ++i) {
    T x = of_bits<T>(static_cast<unsigned>(random()) & 0xffffU);
    if (i % 2 == 0) x = T(static_cast<float>(static_cast<int>(random() % 4000) - 2000) / 64);
    if (std::isfinite(value(x))) all.push_back(x);
  }
  for (std::size_t i = 0; i + 2 < all.size(); ++i) {
    const T x = all[i], y = all[i + 1], z = all[i + 2];
    const Quad a = value(x), b = value(y), c = value(z);
    INFO(value(x) << " " << value(y) << " " << value(z));
    CHECK(same(value(__hadd(x, y)), nearest<T>(a + b)));
    CHECK(same(value(__hsub(x, y)), nearest<T>(a - b)));
    CHECK(same(value(__hmul(x, y)), nearest<T>(a * b)));
    if (value(y) != 0) CHECK(same(value(__hdiv(x, y)), nearest<T>(a / b)));
    // Sums that the wide type does not hold are below.
    const double far = 0x1p80 * std::fabs(value(z));
    if (value(z) != 0 && std::fabs(value(x) * value(y)) > far) continue;
    if (value(x) != 0 && std::fabs(value(y) * value(z)) > 0x1p80 * std::fabs(value(x))) continue;
    const double fused = nearest<T>(a * b + c);
    CHECK(same(value(__hfma(x, y, z)), fused));
    CHECK(same(value(__hfma_relu(x, y, z)), fused > 0 ? fused : 0));
    CHECK(same(value(__hfmax2(join(x, y), join(y, x), join(z, z)).y), fused));
    CHECK(same(value(__haddx2(join(z, x), join(z, y)).y), nearest<T>(a + b)));
    CHECK(value(__habs(x)) == std::fabs(value(x)));
    CHECK(value(__hneg(x)) == -value(x));
    const Pair product = __hcmadd(join(x, y), join(y, z), join(z, x));
    CHECK(same(value(product.x), nearest<T>(-b * c + Quad(nearest<T>(a * b + c)))));
  }
}

/// Compares numbers, infinities and NaN in each form.
template <class T, class Pair, class Holds>
void check_order(const char* name, Pair (*join)(T, T), bool (*ordered)(T, T),
                 bool (*unordered)(T, T), bool (*both)(Pair, Pair), Pair (*flags)(Pair, Pair),
                 unsigned (*mask)(Pair, Pair), const Holds& holds) {
  const std::vector<T> all = {T(0.0F),     T(-0.0F),     T(1.0F), T(-2.5F),
                              T(INFINITY), T(-INFINITY), T(NAN),  T(100.0F)};
  for (const T x : all) {
    for (const T y : all) {
      INFO(name << " of " << value(x) << " and " << value(y));
      const bool nan = std::isnan(value(x)) || std::isnan(value(y));
      const bool expected = holds(value(x), value(y));
      CHECK(ordered(x, y) == expected);
      CHECK(unordered(x, y) == (nan || expected));
      const T one = T(1.0F);
      const bool ones = holds(1.0, 1.0);
      CHECK(both(join(x, one), join(y, one)) == (expected && ones));
      CHECK(value(flags(join(one, x), join(one, y)).y) == (expected ? 1 : 0));
      CHECK(mask(join(one, x), join(one, y)) ==
            ((ones ? 0xffffU : 0U) | (expected ? 0xffff0000U : 0U)));
    }
  }
}
#define CHECK_ORDER(NAME, op, T, PAIR, JOIN)                                                \
  check_order<T, PAIR>(#NAME, JOIN, __h##NAME, __h##NAME##u, __hb##NAME##x2, __h##NAME##x2, \
                       __h##NAME##x2_mask, [](double a, double b) { return a op b; });
#define CHECK_ORDERS(T, PAIR, JOIN)  \
  CHECK_ORDER(eq, ==, T, PAIR, JOIN) \
  CHECK_ORDER(ne, !=, T, PAIR, JOIN) \
  CHECK_ORDER(le, <=, T, PAIR, JOIN) \
  CHECK_ORDER(ge, >=, T, PAIR, JOIN) \
  CHECK_ORDER(lt, <, T, PAIR, JOIN)  \
  CHECK_ORDER(gt, >, T, PAIR, JOIN)

template <class T>
void check_greatest() {
  const T nan = T(NAN), one = T(1.0F), two = T(2.0F);
  CHECK(value(__hmax(one, two)) == 2);
  CHECK(value(__hmin(one, two)) == 1);
  CHECK(value(__hmax(nan, two)) == 2);
  CHECK(value(__hmin(one, nan)) == 1);
  CHECK(std::isnan(value(__hmax_nan(nan, two))));
  CHECK(std::isnan(value(__hmin_nan(one, nan))));
  CHECK(!std::signbit(value(__hmax(T(0.0F), T(-0.0F)))));
  CHECK(!std::signbit(value(__hmax(T(-0.0F), T(0.0F)))));
  CHECK(std::signbit(value(__hmin(T(0.0F), T(-0.0F)))));
  CHECK(__hisnan(nan));
  CHECK(!__hisnan(one));
  CHECK(__hisinf(T(-INFINITY)));
  CHECK(!__hisinf(two));
}

template <class T>
void check_functions() {
  struct Function {
    const char* name;
    T (*given)(T);
    long double (*exact)(long double);
  };
#define ROW(NAME, VALUE)                                            \
  {                                                                 \
#NAME, NAME, [](long double x) -> long double { return VALUE; } \
  }
  const Function functions[] = {
      ROW(hcos, std::cos(x)),     ROW(hsin, std::sin(x)),        ROW(htanh, std::tanh(x)),
      ROW(hexp, std::exp(x)),     ROW(hexp2, std::exp2(x)),      ROW(hexp10, std::pow(10.0L, x)),
      ROW(hlog, std::log(x)),     ROW(hlog2, std::log2(x)),      ROW(hlog10, std::log10(x)),
      ROW(hsqrt, std::sqrt(x)),   ROW(hrsqrt, 1 / std::sqrt(x)), ROW(hrcp, 1 / x),
      ROW(hfloor, std::floor(x)), ROW(hrint, std::rint(x)),      ROW(hceil, std::ceil(x)),
      ROW(htrunc, std::trunc(x))};
#undef ROW
  for (const Function& function : functions) {
    for (unsigned bits = 0; bits < 0x10000U; bits += 7) {
      const T x = of_bits<T>(bits);
      INFO(function.name << " of " << value(x));
      const double result = value(function.given(x));
      const double expected = nearest<T>(function.exact(value(x)));
      if (!same(result, expected)) CHECK(result == expected);
    }
  }
}

}  // namespace
}  // namespace simt_test

using namespace simt_test;

TEST_CASE("arithmetic of half and bfloat16_t is rounded once", "[simt]") {
  check_arithmetic<half, half2>(make_half2);
  check_arithmetic<bfloat16_t, bfloat162>(make_bfloat162);
  // A tie that only the third operand decides.
  const half tiny = __ushort_as_half(1);
  CHECK(value(__hfma(half(33), half(65), tiny)) == 2146);
  CHECK(value(__hfma(half(33), half(65), -tiny)) == 2144);
  const bfloat16_t less = bfloat16_t(0x1p-120F);
  CHECK(value(__hfma(bfloat16_t(7), bfloat16_t(37), less)) == 260);
  CHECK(value(__hfma(bfloat16_t(7), bfloat16_t(37), -less)) == 258);
}

TEST_CASE("comparisons of half and bfloat16_t treat a NaN as their names say", "[simt]") {
  CHECK_ORDERS(half, half2, make_half2)
  CHECK_ORDERS(bfloat16_t, bfloat162, make_bfloat162)
  check_greatest<half>();
  check_greatest<bfloat16_t>();
  const half2 some = make_half2(half(NAN), half(1));
  CHECK(value(__isnanx2(some).x) == 1);
  CHECK(value(__isnanx2(some).y) == 0);
  CHECK(std::isnan(value(__hmaxx2(some, some).x)));
  CHECK(value(__hminx2_nan(some, make_half2(half(0), half(-3))).y) == -3);
  CHECK(__hbequx2(some, some));
  CHECK_FALSE(__hbeqx2(some, some));
}

TEST_CASE("functions of half and bfloat16_t are those of the wider type, rounded", "[simt]") {
  check_functions<half>();
  check_functions<bfloat16_t>();
  CHECK(value(h2sqrt(make_half2(half(4), half(9))).y) == 3);
  CHECK(value(h2rcp(make_bfloat162(bfloat16_t(4), bfloat16_t(8))).x) == 0.25);
}
