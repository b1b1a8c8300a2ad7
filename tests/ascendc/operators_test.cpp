// SPDX-License-Identifier: Apache-2.0
// Operators between tensors, other views of the same bytes, and conversions of single values.
#include <cmath>
#include <limits>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/rows.h"
#include "tests/support/catch.h"

namespace {

using namespace AscendC;

// 64 floats with a tail (37 are assigned), 0, infinity and NaN.
constexpr uint32_t kAll = 64;
constexpr uint32_t kSome = 37;
const float kNan = std::numeric_limits<float>::quiet_NaN();

float left(uint32_t i) { return i == 5 ? kNan : static_cast<float>(i % 7) - 3.0F; }
float right(uint32_t i) { return i == 6 ? kNan : static_cast<float>(i % 5) - 2.0F; }

template <class T>
void load(const LocalTensor<T>& t, T (*value)(uint32_t)) {
  for (uint32_t i = 0; i < kAll; ++i) t.SetValue(i, value(i));
}

int32_t bits(float value) {
  int32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
bool same(int32_t got, float wanted) {
  return std::isnan(wanted) ? (got & 0x7fffffff) > 0x7f800000 : got == bits(wanted);
}

/// out[i]: the operator's result for lane i, or -77 if nothing was assigned.
template <char op>
void float_operator(GM_ADDR x) {
  LocalTensor<float> a(TPosition::VECCALC, 0, kAll), b(TPosition::VECCALC, 256, kAll);
  LocalTensor<float> dst(TPosition::VECCALC, 512, kAll);
  load(a, left);
  load(b, right);
  Duplicate(dst, -77.0F, kAll);
  PipeBarrier<PIPE_ALL>();
  LocalTensor<float> some = dst;
  some.SetSize(kSome);
  if constexpr (op == '+') some = a + b;
  if constexpr (op == '-') some = a - b;
  if constexpr (op == '*') some = a * b;
  if constexpr (op == '/') some = a / b;
  PipeBarrier<PIPE_ALL>();
  for (uint32_t i = 0; i < kAll; ++i) reinterpret_cast<int32_t*>(x)[i] = bits(dst.GetValue(i));
}

template <void (*kernel)(GM_ADDR)>
void check_floats(float (*wanted)(float, float)) {
  const std::vector<int32_t> got = first_words<kernel>(kAll);
  for (uint32_t i = 0; i < kAll; ++i) {
    CAPTURE(i, got[i]);
    REQUIRE(same(got[i], i < kSome ? wanted(left(i), right(i)) : -77.0F));
  }
}

uint16_t left_bits(uint32_t i) { return static_cast<uint16_t>(i * 0x1357U); }
uint16_t right_bits(uint32_t i) { return static_cast<uint16_t>(i * 0x2461U + 0x8001U); }

void bit_operators(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  LocalTensor<uint16_t> a(TPosition::VECCALC, 0, kAll), b(TPosition::VECCALC, 128, kAll);
  LocalTensor<uint16_t> either(TPosition::VECCALC, 256, kAll), both(TPosition::VECCALC, 384, kAll);
  load(a, left_bits);
  load(b, right_bits);
  PipeBarrier<PIPE_ALL>();
  either = a | b;
  both = a & b;
  PipeBarrier<PIPE_ALL>();
  for (uint32_t i = 0; i < kAll; ++i) out[i] = either.GetValue(i) | both.GetValue(i) << 16;
}

template <CMPMODE mode>
void comparison(GM_ADDR x) {
  LocalTensor<float> a(TPosition::VECCALC, 0, kAll), b(TPosition::VECCALC, 256, kAll);
  LocalTensor<uint8_t> dst(TPosition::VECCALC, 512, 32);
  load(a, left);
  load(b, right);
  PipeBarrier<PIPE_ALL>();
  if constexpr (mode == CMPMODE::LT) dst = a < b;
  if constexpr (mode == CMPMODE::GT) dst = a > b;
  if constexpr (mode == CMPMODE::LE) dst = a <= b;
  if constexpr (mode == CMPMODE::GE) dst = a >= b;
  if constexpr (mode == CMPMODE::EQ) dst = a == b;
  if constexpr (mode == CMPMODE::NE) dst = a != b;
  PipeBarrier<PIPE_ALL>();
  for (uint32_t i = 0; i < kAll; ++i) {
    reinterpret_cast<int32_t*>(x)[i] = dst.GetValue(i / 8) >> (i % 8) & 1;
  }
}

template <void (*kernel)(GM_ADDR)>
void check_bits(bool (*wanted)(float, float)) {
  const std::vector<int32_t> got = first_words<kernel>(kAll);
  for (uint32_t i = 0; i < kAll; ++i) {
    CAPTURE(i);
    REQUIRE((got[i] != 0) == wanted(left(i), right(i)));
  }
}

void views(GM_ADDR x) {
  GlobalTensor<int32_t> all = words(x, 16);
  const auto halves = all[2].ReinterpretCast<uint16_t>();
  halves(1) = 0x1234;  // the upper half of word 2
  all(3) = static_cast<int32_t>(halves.GetSize());
  LocalTensor<uint32_t> t(TPosition::VECCALC, 0, 8);
  for (uint32_t i = 0; i < 8; ++i) t(i) = i << 24;
  const auto bytes = t[2].ReinterpretCast<int8_t>();
  all(4) = bytes(7);
  all(5) = static_cast<int32_t>(bytes.GetSize());
  bytes.SetValue(0, int8_t{-1});
  all(6) = static_cast<int32_t>(t(2));
  const LocalTensor<uint32_t> copy = t;  // a handle: the bytes are the same
  copy(0) = 99;
  all(7) = static_cast<int32_t>(t.GetValue(0));
}

template <class From, class To, RoundMode mode>
To cast(From value) {
  const To one = ScalarCast<From, To, mode>(value);
  CHECK((Cast<From, To, mode>(value)) == one);
  return one;
}

}  // namespace

TEST_CASE("operators between tensors compute as many lanes as the left side has", "[operators]") {
  check_floats<float_operator<'+'>>([](float a, float b) { return a + b; });
  check_floats<float_operator<'-'>>([](float a, float b) { return a - b; });
  check_floats<float_operator<'*'>>([](float a, float b) { return a * b; });
  check_floats<float_operator<'/'>>([](float a, float b) { return a / b; });
}

TEST_CASE("| and & between tensors take each bit", "[operators]") {
  const std::vector<int32_t> got = run<bit_operators>();
  for (uint32_t i = 0; i < kAll; ++i) {
    const uint32_t a = left_bits(i), b = right_bits(i);
    REQUIRE(static_cast<uint32_t>(got[i]) == ((a | b) | (a & b) << 16));
  }
}

TEST_CASE("comparisons of tensors set a bit for each lane, and none but != for NaN",
          "[operators]") {
  check_bits<comparison<CMPMODE::LT>>([](float a, float b) { return a < b; });
  check_bits<comparison<CMPMODE::GT>>([](float a, float b) { return a > b; });
  check_bits<comparison<CMPMODE::LE>>([](float a, float b) { return a <= b; });
  check_bits<comparison<CMPMODE::GE>>([](float a, float b) { return a >= b; });
  check_bits<comparison<CMPMODE::EQ>>([](float a, float b) { return a == b; });
  check_bits<comparison<CMPMODE::NE>>([](float a, float b) { return a != b; });
}

TEST_CASE("tensors of another type look at the same bytes", "[operators]") {
  CHECK(first_words<views>(8) == std::vector<int32_t>{0, 0, 0x12340000, 28, 3, 24, 0x020000ff, 99});
}

TEST_CASE("ScalarCast rounds ties as its mode says, saturates, and makes 0 of NaN", "[operators]") {
  CHECK(cast<float, int32_t, RoundMode::CAST_RINT>(2.5F) == 2);
  CHECK(cast<float, int32_t, RoundMode::CAST_RINT>(-3.5F) == -4);
  CHECK(cast<float, int32_t, RoundMode::CAST_ROUND>(-2.5F) == -3);
  CHECK(cast<float, int32_t, RoundMode::CAST_TRUNC>(-2.9F) == -2);
  CHECK(cast<float, int32_t, RoundMode::CAST_CEIL>(-0.5F) == 0);
  CHECK(cast<float, int32_t, RoundMode::CAST_FLOOR>(1e20F) == std::numeric_limits<int32_t>::max());
  CHECK(cast<float, int32_t, RoundMode::CAST_ROUND>(-1e20F) == std::numeric_limits<int32_t>::min());
  CHECK(cast<float, int32_t, RoundMode::CAST_ROUND>(kNan) == 0);
  // 1 + 1/2048 + a little: halves are 1/1024 apart there.
  const float between = 1.0F + 1.0F / 2048 + 1.0F / 65536;
  CHECK(static_cast<float>(cast<float, half, RoundMode::CAST_NONE>(between)) == 1.0F + 1.0F / 1024);
  CHECK(static_cast<float>(cast<float, half, RoundMode::CAST_ODD>(between)) == 1.0F + 1.0F / 1024);
  CHECK(static_cast<float>(cast<float, half, RoundMode::CAST_ODD>(1.0F + 3.0F / 2048)) ==
        1.0F + 1.0F / 1024);
  CHECK(static_cast<float>(cast<float, half, RoundMode::CAST_ODD>(-between)) ==
        -1.0F - 1.0F / 1024);
  CHECK(static_cast<float>(cast<float, half, RoundMode::CAST_ODD>(1.5F)) == 1.5F);
  CHECK(static_cast<float>(cast<float, half, RoundMode::CAST_ODD>(70000.0F)) == 65504.0F);
}
