// SPDX-License-Identifier: Apache-2.0
// Activation functions of the library: each function, type and form against f64 on the host.
// Results are computed in f32, so the relative error grows with the exponent of the exponential.
#include <cmath>

#include "tests/ascendc_library/bench.h"
#include "tiling/tiling_api.h"

namespace library_test {
namespace {

double gelu(double x) {
  return x / (1 + std::exp(-1.595769121605731 * (x + 0.044715 * x * x * x)));
}
double swish(double x, double beta) { return x / (1 + std::exp(-beta * x)); }
/// As FasterGeluV2 is documented, with its constants.
double parabolic(double x) {
  const double a = -0.1444, b = -1.769;
  const double clipped = std::min(std::abs(x) * 0.7071, -b);
  const double sign = (x + 1e-12) / std::abs(x + 1e-12);
  return x * (sign * (a * (clipped + b) * (clipped + b) + 0.5) + 0.5);
}

/// All values from -6 to 6, and the far ends.
template <typename T>
std::vector<T> inputs() {
  std::vector<T> values = random<T>(301, -6, 6);
  for (const float special : {0.0F, 0.5F, -0.5F, 20.0F, -20.0F, -9.0F, 9.0F}) {
    values.push_back(T(special));
  }
  return values;
}

template <typename T, typename Take, typename Plain>
void check_one(Take&& take, Plain&& plain, const std::function<double(double)>& value,
               double units = 200, double absolute = 0) {
  CAPTURE(sizeof(T));
  const std::vector<T> from = inputs<T>();
  const auto count = static_cast<std::uint32_t>(from.size());
  for (const bool given : {true, false}) {
    CHECK(run([&] {
            Memory memory;
            const auto src = memory.take(from);
            const Result<T> dst(memory, from.size());
            const auto tmp = memory.take<std::uint8_t>(2048);
            AscendC::PipeBarrier<PIPE_ALL>();
            if (given) {
              take(dst.tensor(), src, tmp, count);
            } else {
              plain(dst.tensor(), src, count);
            }
            const std::vector<T> got = dst.values();
            for (std::size_t i = 0; i < got.size(); ++i) {
              const double expected = value(number(from[i]));
              INFO(number(from[i]) << ": " << number(got[i]) << ", expected " << expected);
              CHECK((std::abs(number(got[i]) - expected) <= absolute ||
                     is_near(got[i], expected, std::is_same_v<T, float> ? units : 1)));
            }
          }) == "");
  }
}

#define CHECK_ONE(T, Name, ...)                               \
  check_one<T>([](auto&&... of) { AscendC::Name<T>(of...); }, \
               [](auto&&... of) { AscendC::Name<T>(of...); }, __VA_ARGS__)

TEMPLATE_TEST_CASE("activation functions of one tensor have the values of their formulas",
                   "[activation]", half, float) {
  using T = TestType;
  CHECK_ONE(T, Gelu, gelu);
  CHECK_ONE(T, FasterGelu, [](double x) { return swish(x, 1.702); });
  CHECK_ONE(T, FasterGeluV2, parabolic, 200, std::is_same_v<T, float> ? 2e-4 : 1e-2);
  CHECK_ONE(T, Sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); });
  const auto silu = [](const auto& dst, const auto& src, std::uint32_t count) {
    AscendC::Silu<T, false>(dst, src, count);
  };
  const auto swish_3 = [](const auto& dst, const auto& src, std::uint32_t count) {
    AscendC::Swish(dst, src, count, T(0.75F));
  };
  const auto without = [](const auto& f) {
    return [&f](const auto& dst, const auto& src, const auto&, std::uint32_t count) {
      f(dst, src, count);
    };
  };
  check_one<T>(without(silu), silu, [](double x) { return swish(x, 1); });
  check_one<T>(without(swish_3), swish_3, [](double x) { return swish(x, 0.75); });
}

TEST_CASE("the far ends of activation functions are 0, 1 and the argument", "[activation]") {
  const std::vector<float> from = {-200, 200, -88, 88};
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(from);
          const Result<float> sigmoid(memory, 4), silu(memory, 4), fast(memory, 4);
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::Sigmoid(sigmoid.tensor(), src, 4U);
          AscendC::Silu(silu.tensor(), src, 4U);
          AscendC::FasterGeluV2(fast.tensor(), src, 4U);
          const auto ends = sigmoid.values();
          CHECK(ends[0] == 0);
          CHECK(ends[1] == 1);
          CHECK(silu.values()[0] == 0);
          CHECK(silu.values()[1] == 200);
          CHECK(fast.values() == std::vector<float>{0, 200, 0, 88});
        }) == "");
}

template <typename T, typename Call>
void check_gated(const std::function<double(double)>& value, Call&& call, double units) {
  const std::vector<T> left = random<T>(85, -4, 4, 7), right = inputs<T>();
  for (const unsigned form : {0U, 1U, 2U, 3U}) {
    CAPTURE(form, sizeof(T));
    CHECK(run([&] {
            Memory memory;
            const auto x = memory.take(left);
            const auto y = memory.take(std::vector<T>(right.begin(), right.begin() + 85));
            const Result<T> dst(memory, form % 2 == 0 ? 85 : x.GetSize());
            const auto tmp = memory.take<std::uint8_t>(2048);
            AscendC::PipeBarrier<PIPE_ALL>();
            auto to = dst.tensor();
            call(form, to, x, y, tmp);
            auto got = dst.values();
            got.resize(85);
            check_each(
                got, [&](std::size_t i) { return number(left[i]) * value(number(right[i])); },
                std::is_same_v<T, float> ? units : 1);
          }) == "");
  }
}

TEMPLATE_TEST_CASE("gated activation functions multiply by the activation of the second tensor",
                   "[activation]", half, float) {
  using T = TestType;
  check_gated<T>(
      gelu,
      [](unsigned form, auto& dst, auto& x, auto& y, auto& tmp) {
        if (form == 0) AscendC::GeGLU(dst, x, y, tmp, 85U);
        if (form == 1) AscendC::GeGLU(dst, x, y, tmp);
        if (form == 2) AscendC::GeGLU(dst, x, y, 85U);
        if (form == 3) AscendC::GeGLU(dst, x, y);
      },
      200);
  check_gated<T>([](double x) { return swish(x, 1.25); },
                 [](unsigned form, auto& dst, auto& x, auto& y, auto& tmp) {
                   const float beta = 1.25F;
                   if (form == 0) AscendC::SwiGLU(dst, x, y, beta, tmp, 85U);
                   if (form == 1) AscendC::SwiGLU(dst, x, y, beta, tmp);
                   if (form == 2) AscendC::SwiGLU(dst, x, y, beta, 85U);
                   if (form == 3) AscendC::SwiGLU<T, false>(dst, x, y, beta);
                 },
                 20);
}

TEMPLATE_TEST_CASE("ReGlu multiplies by the second tensor where it is positive", "[activation]",
                   half, bfloat16_t, float) {
  check_gated<TestType>([](double x) { return std::max(x, 0.0); },
                        [](unsigned form, auto& dst, auto& x, auto& y, auto& tmp) {
                          if (form < 2) {
                            AscendC::ReGlu(dst, x, y, tmp, form == 0 ? 85U : x.GetSize());
                          } else {
                            AscendC::ReGlu(dst, x, y, form == 2 ? 85U : x.GetSize());
                          }
                        },
                        1);
}

TEST_CASE("on a cube core a function of the library does nothing", "[activation]") {
  const LocalTensor<float> none;
  CHECK(run([&] { AscendC::Sigmoid(none, none, 64U); }, 0, ACLSIM_CORES_CUBE) == "");
  CHECK(contains(refused([&] { AscendC::Sigmoid(none, none, 64U); }), "Sigmoid: tensor"));
}

TEST_CASE("Gelu computes in place, Sigmoid and GeGLU do not", "[activation]") {
  const auto computed = [](auto&& call) {
    return run([&] {
      Memory memory;
      const auto x = memory.take(std::vector<float>(64, 1.0F));
      const auto y = memory.take(std::vector<float>(64, 1.0F));
      AscendC::PipeBarrier<PIPE_ALL>();
      call(x, y);
    });
  };
  CHECK(computed([](auto& x, auto&) { AscendC::Gelu(x, x, 64U); }) == "");
  CHECK(computed([](auto& x, auto&) { AscendC::FasterGelu(x, x, 64U); }) == "");
  CHECK(computed([](auto& x, auto&) { AscendC::FasterGeluV2(x, x, 64U); }) == "");
  CHECK(contains(computed([](auto& x, auto&) { AscendC::Sigmoid(x, x); }),
                 "Sigmoid: tensors dst and src overlap"));
  CHECK(contains(computed([](auto& x, auto&) { AscendC::Silu(x, x, 64U); }),
                 "Silu: tensors dst and src overlap"));
  CHECK(contains(computed([](auto& x, auto& y) { AscendC::GeGLU(x, y, x); }),
                 "GeGLU: tensors dst and src1 overlap"));
  CHECK(contains(computed([](auto& x, auto& y) { AscendC::SwiGLU(x, x, y, 1.0F); }),
                 "SwiGLU: tensors dst and src0 overlap"));
}

TEST_CASE("the least temporary memory that the host reads is enough, less is not", "[activation]") {
  const AscendC::TensorShape shape(std::vector<std::int64_t>{1024});
  std::uint32_t most = 0, least = 0;
  const auto check = [&](auto&& call, const char* name) {
    CAPTURE(name, least);
    CHECK(least >= 256);
    CHECK(most >= least);
    const auto body = [&](std::uint32_t bytes) {
      return [&call, bytes] {
        Memory memory;
        auto dst = memory.take<float>(1024);
        const auto x = memory.take(std::vector<float>(1024, 1.0F));
        const auto y = memory.take(std::vector<float>(1024, 1.0F));
        AscendC::PipeBarrier<PIPE_ALL>();
        call(dst, x, y, memory.take<std::uint8_t>(bytes));
      };
    };
    CHECK(run(body(least)) == "");
    CHECK(contains(refused(body(least - 32)),
                   std::string(name) + ": tensor tmp: " + std::to_string(least) +
                       " bytes needed, " + std::to_string(least - 32) + " there"));
  };
  AscendC::GetGeluMaxMinTmpSize(shape, 4, most, least);
  CHECK(least == AscendC::GetGeluMinTmpSize(shape, 4));
  CHECK(most == AscendC::GetGeluMaxTmpSize(shape, 4));
  check([](auto& d, auto& x, auto&, auto t) { AscendC::Gelu(d, x, t, 1024U); }, "Gelu");
  AscendC::GetSigmoidMaxMinTmpSize(shape, 4, false, most, least);
  check([](auto& d, auto& x, auto&, auto t) { AscendC::Sigmoid(d, x, t); }, "Sigmoid");
  AscendC::GetGeGLUMaxMinTmpSize(shape, 4, false, most, least);
  check([](auto& d, auto& x, auto& y, auto t) { AscendC::GeGLU(d, x, y, t); }, "GeGLU");
  AscendC::GetSwiGLUMaxMinTmpSize(shape, 4, most, least, false);
  check([](auto& d, auto& x, auto& y, auto t) { AscendC::SwiGLU(d, x, y, 1.0F, t); }, "SwiGLU");
  AscendC::GetReGluMaxMinTmpSize(shape, 4, false, most, least);
  check([](auto& d, auto& x, auto& y, auto t) { AscendC::ReGlu(d, x, y, t, 1024U); }, "ReGlu");
}

TEST_CASE("the factor of a type is the most temporary memory per byte of input", "[activation]") {
  const AscendC::TensorShape shape(std::vector<std::int64_t>{1024});
  for (const std::uint32_t type_size : {2U, 4U}) {
    std::uint32_t most = 0, least = 0, factor = 0, extra = 1;
    AscendC::GetGeGLUMaxMinTmpSize(shape, type_size, false, most, least);
    AscendC::GetGeGLUTmpBufferFactorSize(type_size, factor, extra);
    CHECK(most == factor * 1024 * type_size + extra);
    AscendC::GetSwiGLUMaxMinTmpSize(shape, type_size, most, least, false);
    AscendC::GetSwiGLUTmpBufferFactorSize(type_size, factor, extra);
    CHECK(most == factor * 1024 * type_size + extra);
    AscendC::GetSiluTmpSize(shape, type_size, false, most, least);
    CHECK(most >= least);
    AscendC::GetSwishTmpSize(shape, type_size, false, most, least);
    CHECK(most >= least);
  }
}

}  // namespace
}  // namespace library_test
