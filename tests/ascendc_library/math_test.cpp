// SPDX-License-Identifier: Apache-2.0
// Mathematics of the library: each function, type and form against long double on the host.
#include <cmath>

#include "runtime/ascendc/library/plan.h"
#include "tests/ascendc_library/bench.h"

namespace library_test {
namespace {

using Value = long double;

#define UNARY_CASES(R)                         \
  R(Acos, std::acos(x), -1, 1)                 \
  R(Acosh, std::acosh(x), 1, 100)              \
  R(Asin, std::asin(x), -1, 1)                 \
  R(Asinh, std::asinh(x), -100, 100)           \
  R(Atan, std::atan(x), -50, 50)               \
  R(Atanh, std::atanh(x), -0.999, 0.999)       \
  R(Ceil, std::ceil(x), -100, 100)             \
  R(Cos, std::cos(x), -300, 300)               \
  R(Cosh, std::cosh(x), -12, 12)               \
  R(Erf, std::erf(x), -4, 4)                   \
  R(Erfc, std::erfc(x), -4, 4)                 \
  R(Floor, std::floor(x), -100, 100)           \
  R(Frac, (x - std::trunc(x)), -100, 100)      \
  R(Lgamma, std::lgamma(x), -20, 20)           \
  R(Log, std::log(x), -1, 60000)               \
  R(Log2, std::log2(x), 0, 60000)              \
  R(Log10, std::log10(x), 0, 60000)            \
  R(Round, std::nearbyint(x), -10, 10)         \
  R(Sign, (x > 0 ? 1 : x < 0 ? -1 : 0), -2, 2) \
  R(Sin, std::sin(x), -300, 300)               \
  R(Sinh, std::sinh(x), -12, 12)               \
  R(Tan, std::tan(x), -300, 300)               \
  R(Tanh, std::tanh(x), -6, 6)                 \
  R(Trunc, std::trunc(x), -100, 100)

/// Values that have all cases of rounding, then random ones.
template <typename T>
std::vector<T> inputs(double least, double most) {
  std::vector<T> values = random<T>(301, least, most);
  for (const double special : {0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1.0, -1.0, 3.0}) {
    if (special >= least && special <= most) values.push_back(T(static_cast<float>(special)));
  }
  return values;
}

template <typename T, typename Take, typename Plain, typename Value>
void check_unary(const char* name, double least, double most, Take&& take, Plain&& plain,
                 Value&& value) {
  CAPTURE(name, sizeof(T));
  const std::vector<T> from = inputs<T>(least, most);
  for (const bool given : {true, false}) {
    const std::string text = run([&] {
      Memory memory;
      const auto src = memory.take(from);
      const Result<T> dst(memory, from.size());
      const auto tmp = memory.take<std::uint8_t>(4096);
      AscendC::PipeBarrier<PIPE_ALL>();
      const auto count = static_cast<std::uint32_t>(from.size());
      if (given) {
        take(dst.tensor(), src, tmp, count);
      } else {
        plain(dst.tensor(), src, count);
      }
      check_each(dst.values(),
                 [&](std::size_t i) { return static_cast<double>(value(number(from[i]))); });
    });
    CHECK(text == "");
  }
}

#define CHECK_UNARY(T, Name, expected, least, most)                      \
  check_unary<T>(                                                        \
      #Name, least, most, [](auto&&... of) { AscendC::Name<T>(of...); }, \
      [](auto&&... of) { AscendC::Name<T>(of...); }, [](Value x) { return (expected); });

TEST_CASE("functions of one tensor have the value in f64, rounded once", "[math]"){
#define BOTH(Name, expected, least, most)         \
  CHECK_UNARY(float, Name, expected, least, most) \
  CHECK_UNARY(half, Name, expected, least, most)
    UNARY_CASES(BOTH)
#undef BOTH
}

TEST_CASE("a function without a count computes the whole source", "[math]") {
  const std::string text = run([] {
    Memory memory;
    const auto src = memory.take(random<float>(64, -2, 2));
    const Result<float> first(memory, 64), second(memory, 64);
    const auto tmp = memory.take<std::uint8_t>(2048);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Sin(first.tensor(), src);
    AscendC::Sin(second.tensor(), src, tmp);
    const auto expected = [&](std::size_t i) {
      return std::sin(number(src.GetValue(static_cast<std::uint32_t>(i))));
    };
    check_each(first.values(), expected);
    check_each(second.values(), expected);
  });
  CHECK(text == "");
}

TEST_CASE("the digamma function has the values of its tables", "[math]") {
  // Abramowitz and Stegun, tables 6.1 and 6.3; reflection for -0.5.
  struct Row {
    float x;
    double value;
  };
  const std::vector<Row> rows = {{1.0F, -0.57721566490153286}, {1.5F, 0.03648997397857652},
                                 {2.0F, 0.42278433509846714},  {0.5F, -1.96351002602142348},
                                 {10.0F, 2.25175258906672111}, {-0.5F, 0.03648997397857652},
                                 {0.25F, -4.22745353337626541}};
  CHECK(run([&] {
          Memory memory;
          std::vector<float> from;
          for (const Row& row : rows) from.push_back(row.x);
          const auto src = memory.take(from);
          const Result<float> dst(memory, rows.size());
          auto tmp = memory.take<std::uint8_t>(4096);
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::Digamma<float>(dst.tensor(), src, tmp, static_cast<std::uint32_t>(rows.size()));
          check_each(dst.values(), [&](std::size_t i) { return rows[i].value; });
        }) == "");
}

TEST_CASE("Exp has the value in f64 for each number of terms", "[math]") {
  const std::vector<float> from = random<float>(100, -20, 20);
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(from);
          const Result<float> few(memory, 100), many(memory, 100);
          const auto tmp = memory.take<std::uint8_t>(4096);
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::Exp<float, 0>(few.tensor(), src, tmp, 100U);
          AscendC::Exp<float, 15, true>(many.tensor(), src, 100U);
          const auto expected = [&](std::size_t i) { return std::exp(number(from[i])); };
          check_each(few.values(), expected);
          check_each(many.values(), expected);
        }) == "");
}

template <typename T>
void check_binary() {
  const std::vector<T> left = random<T>(77, 0, 20), right = random<T>(77, 0.5, 3, 2);
  const auto x = [&](std::size_t i) { return number(left[i]); };
  const auto y = [&](std::size_t i) { return number(right[i]); };
  const std::string text = run([&] {
    Memory memory;
    const auto a = memory.take(left), b = memory.take(right);
    const auto tmp = memory.take<std::uint8_t>(4096);
    const Result<T> fmod(memory, 77), power(memory, 77), to_value(memory, 77), of_value(memory, 77);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Fmod<T>(fmod.tensor(), a, b, tmp, 77U);
    AscendC::Power<T>(power.tensor(), a, b, tmp, 77U);
    AscendC::Power<T>(to_value.tensor(), a, T(2.0F), 77U);
    AscendC::Power<T, false>(of_value.tensor(), T(1.5F), b, tmp, 77U);
    check_each(fmod.values(), [&](std::size_t i) { return std::fmod(x(i), y(i)); });
    check_each(power.values(), [&](std::size_t i) { return std::pow(x(i), y(i)); });
    check_each(to_value.values(), [&](std::size_t i) { return x(i) * x(i); });
    check_each(of_value.values(), [&](std::size_t i) { return std::pow(1.5, y(i)); });
  });
  CHECK(text == "");
}

TEST_CASE("remainders and powers have the value in f64, rounded once", "[math]") {
  check_binary<float>();
  check_binary<half>();
}

TEST_CASE("powers of integers are exact and wrap around", "[math]") {
  const std::vector<std::int32_t> base = {2, -3, 10, 1, -1, 0, 7, -1, 5},
                                  exponent = {10, 3, 9, -5, -3, 0, 13, 4, -1};
  const std::vector<std::int32_t> expected = {1024, -27, 1000000000, 1, -1, 1,
                                              // 7^13 = 96889010407 modulo 2^32
                                              static_cast<std::int32_t>(96889010407LL & 0xffffffff),
                                              1, 0};
  CHECK(run([&] {
          Memory memory;
          const auto a = memory.take(base), b = memory.take(exponent);
          const Result<std::int32_t> dst(memory, base.size());
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::Power<std::int32_t>(dst.tensor(), a, b, static_cast<std::uint32_t>(base.size()));
          CHECK(dst.values() == expected);
        }) == "");
}

TEST_CASE("SetOverflow decides whether half results become infinities", "[math]") {
  CHECK(run([] {
          Memory memory;
          const auto src = memory.take(std::vector<half>{half(12.0F), half(1.0F)});
          const Result<half> limited(memory, 2), free(memory, 2);
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::Sinh(limited.tensor(), src, 2U);
          AscendC::AscendCUtils::SetOverflow(1);
          AscendC::Sinh(free.tensor(), src, 2U);
          AscendC::AscendCUtils::SetOverflow(0);
          CHECK(number(limited.values()[0]) == 65504);
          CHECK(std::isinf(number(free.values()[0])));
        }) == "");
}

TEST_CASE("Xor, Axpy and the limits of one side", "[math]") {
  const std::vector<std::int16_t> a16 = random<std::int16_t>(50, -3e4, 3e4),
                                  b16 = random<std::int16_t>(50, -3e4, 3e4, 3);
  const std::vector<half> h = random<half>(50, -4, 4);
  const std::vector<float> f = random<float>(50, -4, 4, 5);
  const std::string text = run([&] {
    Memory memory;
    const auto a = memory.take(a16), b = memory.take(b16);
    const auto x = memory.take(h);
    const auto sum = memory.take(f);
    const auto tmp = memory.take<std::uint8_t>(1024);
    const Result<std::int16_t> exclusive(memory, 50);
    const Result<half> least(memory, 50), most(memory, 50);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Xor(exclusive.tensor(), a, b, tmp, 50U);
    AscendC::Axpy<float, half>(sum, x, half(0.5F), tmp, 50U);
    AscendC::ClampMax(most.tensor(), x, tmp, half(1.0F), 50U);
    AscendC::ClampMin(least.tensor(), x, half(-1.0F), 50U);
    check_each(exclusive.values(), [&](std::size_t i) { return a16[i] ^ b16[i]; });
    check_each(most.values(), [&](std::size_t i) { return std::min(number(h[i]), 1.0); });
    check_each(least.values(), [&](std::size_t i) { return std::max(number(h[i]), -1.0); });
    AscendC::PipeBarrier<PIPE_ALL>();
    for (std::uint32_t i = 0; i < 50; ++i) {
      CHECK(is_near(sum.GetValue(i), number(f[i]) + 0.5 * number(h[i]), 4));
    }
  });
  CHECK(text == "");
}

TEST_CASE("cumulative sums go along rows or columns", "[math]") {
  static constexpr AscendC::CumSumConfig kRows{true, false, true}, kColumns{false, false, true};
  const std::vector<float> from = random<float>(3 * 8, -4, 4);
  const std::string text = run([&] {
    Memory memory;
    auto src = memory.take(from);
    auto tmp = memory.take<std::uint8_t>(1024);
    Result<float> rows(memory, 24), columns(memory, 24), last(memory, 8), last_too(memory, 8);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::CumSum<float, kRows>(rows.tensor(), last.tensor(), src, tmp, {3, 8});
    AscendC::CumSum<float, kColumns>(columns.tensor(), last_too.tensor(), src, {3, 8});
    const auto sum = [&](std::size_t row, std::size_t col, bool along) {
      double all = 0;
      for (std::size_t i = 0; i <= (along ? col : row); ++i)
        all += from[along ? row * 8 + i : i * 8 + col];
      return all;
    };
    check_each(
        rows.values(), [&](std::size_t i) { return sum(i / 8, i % 8, true); }, 16);
    check_each(
        columns.values(), [&](std::size_t i) { return sum(i / 8, i % 8, false); }, 16);
    check_each(
        last.values(), [&](std::size_t i) { return sum(2, i, true); }, 16);
    check_each(
        last_too.values(), [&](std::size_t i) { return sum(2, i, false); }, 16);
  });
  CHECK(text == "");
}

#if __NPU_ARCH__ == 3510
TEST_CASE("functions that only architecture 3510 has", "[math]") {
  const std::vector<float> from = random<float>(40, -3, 3), second = random<float>(40, -3, 3, 7),
                           third = random<float>(40, -3, 3, 8);
  const std::string text = run([&] {
    Memory memory;
    const auto a = memory.take(from), b = memory.take(second), c = memory.take(third);
    const auto tmp = memory.take<std::uint8_t>(4096);
    const Result<float> rint(memory, 40), hypot(memory, 40), fma(memory, 40), sine(memory, 40),
        cosine(memory, 40), clamped(memory, 40), chosen(memory, 40);
    const Result<bool> finite(memory, 40), both(memory, 40), neither(memory, 40),
        positive(memory, 40);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Rint(rint.tensor(), a, 40U);
    AscendC::Hypot(hypot.tensor(), a, b, 40U);
    AscendC::Fma(fma.tensor(), a, b, c, tmp, 40U);
    AscendC::SinCos(sine.tensor(), cosine.tensor(), a, tmp, 40U);
    AscendC::Clamp(clamped.tensor(), a, -1.0F, b, 40U);
    AscendC::IsFinite(finite.tensor(), a, 40U);
    AscendC::LogicalAnd(both.tensor(), finite.tensor(), finite.tensor(), 40U);
    AscendC::LogicalNot(neither.tensor(), a, 40U);
    AscendC::LogicalOrs(positive.tensor(), a, 0.0F, 40U);
    AscendC::Where(chosen.tensor(), a, 9.0F, neither.tensor(), 40U);
    const auto x = [&](std::size_t i) { return number(from[i]); };
    check_each(rint.values(), [&](std::size_t i) { return std::nearbyint(x(i)); });
    check_each(hypot.values(), [&](std::size_t i) { return std::hypot(x(i), second[i]); });
    check_each(fma.values(), [&](std::size_t i) { return std::fma(x(i), second[i], third[i]); });
    check_each(sine.values(), [&](std::size_t i) { return std::sin(x(i)); });
    check_each(cosine.values(), [&](std::size_t i) { return std::cos(x(i)); });
    check_each(clamped.values(),
               [&](std::size_t i) { return std::min(std::max(x(i), -1.0), number(second[i])); });
    for (const auto* yes : {&finite, &both, &positive}) {
      check_each(yes->values(), [](std::size_t) { return 1; });
    }
    check_each(neither.values(), [](std::size_t) { return 0; });
    check_each(chosen.values(), [](std::size_t) { return 9; });
  });
  CHECK(text == "");
}

TEST_CASE("infinities and NaN are told apart", "[math]") {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  const std::vector<float> from = {1, infinity, nan, -infinity, 0};
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(from);
          const Result<bool> finite(memory, 5), nans(memory, 5);
          const Result<float> infinite(memory, 5);
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::IsFinite(finite.tensor(), src, 5U);
          AscendC::IsInf(infinite.tensor(), src, 5U);
          AscendC::IsNan(nans.tensor(), src, 5U);
          CHECK(finite.values() == std::vector<bool>{true, false, false, false, true});
          CHECK(infinite.values() == std::vector<float>{0, 1, 0, 1, 0});
          CHECK(nans.values() == std::vector<bool>{false, false, true, false, false});
        }) == "");
}

TEST_CASE("operations on bits keep each type's bits", "[math]") {
  const std::vector<std::uint64_t> a = {0xff00ff00ff00ff00U, 5, 0}, b = {0x0ff00ff00ff00ff0U, 6, 1};
  CHECK(run([&] {
          Memory memory;
          const auto x = memory.take(a), y = memory.take(b);
          const Result<std::uint64_t> conjunction(memory, 3), disjunction(memory, 3),
              exclusive(memory, 3), inverse(memory, 3);
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::BitwiseAnd(conjunction.tensor(), x, y, 3U);
          AscendC::BitwiseOr(disjunction.tensor(), x, y, 3U);
          AscendC::BitwiseXor(exclusive.tensor(), x, y, 3U);
          AscendC::BitwiseNot(inverse.tensor(), x, 3U);
          CHECK(conjunction.values() == std::vector<std::uint64_t>{a[0] & b[0], 4, 0});
          CHECK(disjunction.values() == std::vector<std::uint64_t>{a[0] | b[0], 7, 1});
          CHECK(exclusive.values() == std::vector<std::uint64_t>{a[0] ^ b[0], 3, 1});
          CHECK(inverse.values() == std::vector<std::uint64_t>{~a[0], ~a[1], ~a[2]});
        }) == "");
}
#endif

TEST_CASE("a call whose memory or arguments do not fit ends the kernel with a sentence", "[math]") {
  // Outside of the kernels, which end in the middle and destroy nothing.
  static const std::vector<float> many = random<float>(64, 0, 1), few = random<float>(8, 0, 1);
  struct Row {
    std::function<void(Memory&)> call;
    const char* sentence;
  };
  const std::vector<Row> rows = {
      {[](Memory& m) { AscendC::Sin(m.take<float>(8), m.take(many), 64U); },
       "Sin: tensor dst: 256 bytes needed, 32 there"},
      {[](Memory& m) { AscendC::Sin(m.take<float>(64), m.take(few), 64U); },
       "Sin: tensor src: 256 bytes needed, 32 there"},
      {[](Memory& m) {
         AscendC::Sin(m.take<float>(8), m.take(few), m.take<std::uint8_t>(4 * 256 - 32), 8U);
       },
       "Sin: tensor tmp: 1024 bytes needed, 992 there"},
      {[](Memory& m) { AscendC::Sin(LocalTensor<float>(), m.take(few), 8U); },
       "Sin: tensor dst: it is empty"},
      {[](Memory& m) {
         const auto lastRow = m.take<float>(8);
         AscendC::CumSum<float>(m.take<float>(8), lastRow, m.take<float>(8), {2, 3});
       },
       "CumSum: cumSumInfo.inner * sizeof(T) is 12; expected a multiple of 32"},
  };
  for (const Row& row : rows) {
    const std::string text = refused([&] {
      Memory memory;
      row.call(memory);
    });
    CAPTURE(text, row.sentence);
    CHECK(contains(text, row.sentence));
  }
}

TEST_CASE("tensors that overlap are an error, and the result is defined", "[math]") {
  const std::vector<float> from = random<float>(64, -3, 3);
  const auto computed = [&](auto&& call) {
    return run([&] {
      Memory memory;
      const auto x = memory.take(from);
      AscendC::PipeBarrier<PIPE_ALL>();
      call(x);
      AscendC::PipeBarrier<PIPE_ALL>();
      for (std::uint32_t i = 0; i < 64; ++i) {
        const float value = x.GetValue(i);
        CHECK((is_near(value, std::sin(number(from[i]))) || value == std::trunc(from[i])));
      }
    });
  };
  CHECK(contains(computed([](const auto& x) { AscendC::Sin(x, x); }),
                 "Sin: tensors dst and src overlap; expected memory of their own"));
  CHECK(computed([](const auto& x) { AscendC::Trunc(x, x); }) == "");
}

TEST_CASE("a call is one operation of the vector pipe", "[math]") {
  // Without a barrier the scalar read races with it.
  const std::string text = run([] {
    Memory memory;
    const auto src = memory.take(random<float>(8, 0, 1));
    const auto dst = memory.take<float>(8);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Sin(dst, src);
    static_cast<void>(dst.GetValue(0));
  });
  CHECK(contains(text, "Sin"));
  CHECK(contains(text, "pipe-race"));
}

TEST_CASE("temporary memory counts as written, a source only if it is reused", "[math]") {
  alignas(32) float dst[8], src[8];
  alignas(32) std::uint8_t tmp[4096];
  const auto operand = [](void* address, std::uint64_t bytes, std::uint8_t element,
                          std::uint8_t access) {
    aclsimOperand made{};
    made.address = address;
    made.bytes = bytes;
    made.element = element;
    made.access = access;
    return made;
  };
  for (const bool reuses : {false, true}) {
    CAPTURE(reuses);
    aclsimLibraryCall given{};
    given.size = sizeof given;
    given.flags = reuses ? ACLSIM_REUSES_SOURCE : 0;
    given.operands = 3;
    given.operand[0] = operand(dst, sizeof dst, ACLSIM_FLOAT, ACLSIM_WRITES);
    given.operand[1] = operand(src, sizeof src, ACLSIM_FLOAT, ACLSIM_READS);
    given.operand[2] = operand(tmp, sizeof tmp, ACLSIM_UINT8, ACLSIM_WRITES);
    given.numbers = 1;
    given.number[0] = 5;
    aclsimInstruction instruction{};
    instruction.opcode = std::uint16_t{ACLSIM_LIBRARY_FIRST} + std::uint16_t{ACLSIM_LIB_Erf};
    instruction.more = &given;
    const ascendc::library::Call call(instruction, true);
    ascendc::library::Plan plan(call);
    ascendc::library::plan(call, plan);
    CHECK(!plan.violation());
    const auto bytes = [&](unsigned of, std::uint8_t access) {
      std::uint64_t sum = 0;
      for (const auto& touch : plan.touches()) {
        if (touch.operand == of && touch.access == access) sum += touch.bytes * touch.times;
      }
      return sum;
    };
    CHECK(bytes(0, ACLSIM_WRITES) == 20);
    CHECK(bytes(1, ACLSIM_READS) == 20);
    CHECK(bytes(1, ACLSIM_WRITES) == (reuses ? 20 : 0));
    CHECK(bytes(2, ACLSIM_WRITES) == 4096);
  }
}

}  // namespace
}  // namespace library_test
