// SPDX-License-Identifier: Apache-2.0
// The gradients of LayerNorm, Welford sums, and the host's side of normalisations.
#include <cmath>

#include "tests/ascendc_library/bench.h"
#include "tiling/tiling_api.h"

namespace library_test {
namespace {

template <typename T>
struct Gradient {
  std::uint32_t rows, columns;
  std::vector<T> dy, x, variance, mean, gamma;
  double epsilon;
  Gradient(std::uint32_t of_rows, std::uint32_t of_columns)
      : rows(of_rows),
        columns(of_columns),
        dy(random<T>(rows * columns, -2, 2)),
        x(random<T>(rows * columns, -3, 3, 2)),
        variance(random<T>(rows, 1, 3, 3)),
        mean(random<T>(rows, -1, 1, 4)),
        gamma(random<T>(columns, -2, 2, 5)),
        epsilon(0x1p-10) {}
  double centred(std::size_t i) const { return number(x[i]) - number(mean[i / columns]); }
  double root(std::size_t row) const { return 1 / std::sqrt(number(variance[row]) + epsilon); }
  double scaled(std::size_t i) const { return number(dy[i]) * number(gamma[i % columns]); }
  double for_gamma(std::size_t i) const { return centred(i) * root(i / columns); }
  /// As the documentation computes it, in its steps.
  double for_x(std::size_t i) const {
    const std::size_t row = i / columns;
    double of_variance = 0, of_mean = 0, sum = 0;
    for (std::size_t k = row * columns; k < (row + 1) * columns; ++k) {
      of_variance += -0.5 * scaled(k) * centred(k) * std::pow(root(row), 3);
      of_mean += -scaled(k) * root(row);
      sum += -2 * centred(k);
    }
    of_mean += of_variance / columns * sum;
    return scaled(i) * root(row) + of_variance * 2 / columns * centred(i) + of_mean / columns;
  }
};

template <typename T>
bool near(T got, double expected, double size) {
  const double unit = std::is_same_v<T, float> ? 0 : kUnit<T>;
  return std::abs(number(got) - expected) <= size * 0x1p-18 + unit * std::abs(expected);
}
template <typename T, typename F>
void check_all(const std::vector<T>& got, F&& expected, double size = 16) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (near(got[i], expected(i), size)) continue;
    INFO("element " << i << ": " << number(got[i]) << ", expected " << expected(i));
    CHECK(false);
    return;
  }
}

TEMPLATE_TEST_CASE("LayerNormGrad and LayerNormGradBeta give the gradients of LayerNorm",
                   "[normalization]", half, float) {
  using T = TestType;
  constexpr std::uint32_t kRows = 8, kH = 32;
  const Gradient<T> of(kRows, kH);
  const AscendC::TensorShape shape({2, 4, kH, kH});
  AscendC::tiling::LayerNormGradTiling tiling{};
  AscendC::tiling::LayerNormGradBetaTiling beta_tiling{};
  AscendC::GetLayerNormGradNDTilingInfo(shape, 1024, sizeof(T), false, tiling);
  AscendC::GetLayerNormGradBetaNDTilingInfo(shape, 1024, sizeof(T), false, beta_tiling);
  for (const unsigned form : {0U, 1U, 2U}) {
    CAPTURE(form);
    CHECK(run([&] {
            Memory memory;
            const auto dy = memory.take(of.dy), x = memory.take(of.x),
                       variance = memory.take(of.variance), mean = memory.take(of.mean),
                       gamma = memory.take(of.gamma);
            const Result<T> to(memory, of.x.size()), for_gamma(memory, of.x.size()),
                d_gamma(memory, kH), d_beta(memory, kH);
            auto tmp = memory.take<std::uint8_t>(2048);
            const T epsilon = T(static_cast<float>(of.epsilon));
            AscendC::PipeBarrier<PIPE_ALL>();
            if (form == 0) {
              AscendC::LayerNormGrad(to.tensor(), for_gamma.tensor(), dy, x, variance, mean, gamma,
                                     tmp, epsilon, tiling);
              AscendC::LayerNormGradBeta(d_gamma.tensor(), d_beta.tensor(), for_gamma.tensor(), dy,
                                         tmp, beta_tiling);
            } else {
              AscendC::LayerNormGrad<T>(form == 1 ? to.tensor() : x, for_gamma, dy, x, variance,
                                        mean, gamma, epsilon, tiling);
              AscendC::LayerNormGradBeta<T>(d_gamma, d_beta, for_gamma, dy, beta_tiling);
            }
            check_all(for_gamma.values(), [&](std::size_t i) { return of.for_gamma(i); });
            if (form < 2) {
              check_all(to.values(), [&](std::size_t i) { return of.for_x(i); });
            } else {
              AscendC::PipeBarrier<PIPE_ALL>();
              for (std::uint32_t i = 0; i < of.x.size(); ++i)
                CHECK(near(x.GetValue(i), of.for_x(i), 16));
            }
            const auto factors = for_gamma.values();
            const auto sum = [&](std::size_t column, bool with_factor) {
              double all = 0;
              for (std::size_t row = 0; row < kRows; ++row) {
                const std::size_t i = row * kH + column;
                all += number(of.dy[i]) * (with_factor ? number(factors[i]) : 1);
              }
              return all;
            };
            check_all(d_gamma.values(), [&](std::size_t i) { return sum(i, true); });
            check_all(d_beta.values(), [&](std::size_t i) { return sum(i, false); });
          }) == "");
  }
}

template <typename T>
void check_welford(bool given) {
  constexpr std::uint32_t kPiece = 32, kTimes = 5;
  std::vector<std::vector<T>> pieces;
  for (unsigned i = 0; i < kTimes; ++i) pieces.push_back(random<T>(kPiece, -4, 9, i + 1));
  double mean = 0, variance = 0;
  for (const auto& piece : pieces)
    for (const T value : piece) mean += number(value) / (kPiece * kTimes);
  for (const auto& piece : pieces)
    for (const T value : piece) variance += std::pow(number(value) - mean, 2) / (kPiece * kTimes);
  CAPTURE(sizeof(T), given);
  CHECK(run([&] {
          Memory memory;
          std::vector<LocalTensor<T>> from;
          for (const auto& piece : pieces) from.push_back(memory.take(piece));
          const std::vector<float> zeros(kPiece);
          const LocalTensor<float> means[] = {memory.take(zeros), memory.take(zeros)},
                                   sums[] = {memory.take(zeros), memory.take(zeros)};
          const Result<float> all_mean(memory, 1), all_variance(memory, 1);
          const auto tmp = memory.take<std::uint8_t>(1024);
          AscendC::PipeBarrier<PIPE_ALL>();
          for (std::uint32_t i = 0; i < kTimes; ++i) {
            const AscendC::WelfordUpdateParam para = {1, kPiece, kPiece,
                                                      1 / static_cast<float>(i + 1)};
            const auto &to = means[(i + 1) % 2], &to_sum = sums[(i + 1) % 2];
            if (given) {
              AscendC::WelfordUpdate<T, float>(to, to_sum, means[i % 2], sums[i % 2], from[i], tmp,
                                               para);
            } else {
              AscendC::WelfordUpdate<T, float>(to, to_sum, means[i % 2], sums[i % 2], from[i],
                                               para);
            }
          }
          const AscendC::WelfordFinalizePara para = {
              kTimes, kPiece, kTimes, kPiece, 0, 0, 1.0F / kPiece, 1.0F / (kPiece * kTimes), 0};
          if (given) {
            AscendC::WelfordFinalize(all_mean.tensor(), all_variance.tensor(), means[1], sums[1],
                                     tmp, para);
          } else {
            AscendC::WelfordFinalize(all_mean.tensor(), all_variance.tensor(), means[1], sums[1],
                                     para);
          }
          check_all(all_mean.values(), [&](std::size_t) { return mean; });
          check_all(
              all_variance.values(), [&](std::size_t) { return variance; }, 64);
        }) == "");
}

TEST_CASE("Welford sums of pieces give the mean and variance of all", "[normalization]") {
  for (const bool given : {true, false}) {
    check_welford<float>(given);
    check_welford<half>(given);
#if __NPU_ARCH__ == 3510
    check_welford<bfloat16_t>(given);
#endif
  }
}

TEST_CASE("WelfordUpdate changes the elements of its length, and copies the others if it is asked",
          "[normalization]") {
  static constexpr AscendC::WelfordUpdateConfig kInPlace = {true};
  const auto x = random<float>(16, -4, 4), mean = random<float>(16, -4, 4, 2),
             sum = random<float>(16, 0, 4, 3);
  CHECK(run([&] {
          Memory memory;
          const auto from = memory.take(x), m = memory.take(mean), s = memory.take(sum);
          const Result<float> means(memory, 16), sums(memory, 16), copied(memory, 16),
              copied_sums(memory, 16);
          AscendC::PipeBarrier<PIPE_ALL>();
          const AscendC::WelfordUpdateParam para = {1, 16, 11, 0.25F};
          AscendC::WelfordUpdate<float, float>(means, sums, m, s, from, para);
          AscendC::WelfordUpdate<float, float, false, kInPlace>(copied, copied_sums, m, s, from,
                                                                para);
          AscendC::WelfordUpdate<float, float, false, kInPlace>(m, s, m, s, from, para);
          const auto moved = [&](std::size_t i) { return mean[i] + (x[i] - mean[i]) * 0.25; };
          const auto added = [&](std::size_t i) {
            return sum[i] + (x[i] - mean[i]) * (x[i] - moved(i));
          };
          check_all(means.values(), [&](std::size_t i) { return i < 11 ? moved(i) : 77; });
          check_all(sums.values(), [&](std::size_t i) { return i < 11 ? added(i) : 77; });
          check_all(copied.values(), [&](std::size_t i) { return i < 11 ? moved(i) : mean[i]; });
          check_all(copied_sums.values(),
                    [&](std::size_t i) { return i < 11 ? added(i) : sum[i]; });
          AscendC::PipeBarrier<PIPE_ALL>();
          CHECK(near(m.GetValue(10), moved(10), 4));
          CHECK(m.GetValue(11) == mean[11]);
        }) == "");
}

TEST_CASE("WelfordFinalize weighs pieces by counts, or by a head and a tail", "[normalization]") {
  // The example of the documentation, with its result.
  std::vector<float> ramp;
  for (int i = 0; i < 32; ++i) ramp.push_back(static_cast<float>(i));
  const std::vector<std::int32_t> four(32, 4);
  CHECK(run([&] {
          Memory memory;
          const auto means = memory.take(ramp), sums = memory.take(ramp);
          const auto counts = memory.take(four);
          const Result<float> mean(memory, 1), variance(memory, 1), mean_2(memory, 1),
              variance_2(memory, 1);
          const auto tmp = memory.take<std::uint8_t>(512);
          AscendC::PipeBarrier<PIPE_ALL>();
          const AscendC::WelfordFinalizePara para = {4, 32, 0, 32, 0, 0, 1.0F / 32, 1.0F / 4096, 0};
          AscendC::WelfordFinalize(mean.tensor(), variance.tensor(), means, sums, counts, tmp,
                                   para);
          check_all(mean.values(), [](std::size_t) { return 0.484375; });
          check_all(variance.values(), [](std::size_t) { return 9.831062; });
          const AscendC::WelfordFinalizePara parts = {3, 32, 3, 20, 2, 12, 1.0F / 32, 1.0F / 84, 0};
          AscendC::WelfordFinalize(mean_2.tensor(), variance_2.tensor(), means, sums, parts);
          double expected = 0, second = 0;
          for (int i = 0; i < 32; ++i) expected += (i < 20 ? 3 : 2) * i / 84.0;
          for (int i = 0; i < 32; ++i)
            second += (i + (i < 20 ? 3 : 2) * (i - expected) * (i - expected)) / 84.0;
          check_all(mean_2.values(), [&](std::size_t) { return expected; });
          check_all(
              variance_2.values(), [&](std::size_t) { return second; }, 128);
        }) == "");
}

#if __NPU_ARCH__ == 3510
TEST_CASE("WelfordFinalize corrects the variance by a factor of its own", "[normalization]") {
  static constexpr AscendC::WelfordFinalizeConfig kCorrection = {true};
  std::vector<float> ramp;
  for (int i = 0; i < 32; ++i) ramp.push_back(static_cast<float>(i));
  CHECK(run([&] {
          Memory memory;
          const auto means = memory.take(ramp), sums = memory.take(ramp);
          const auto counts = memory.take(std::vector<std::int32_t>(32, 4));
          const Result<float> mean(memory, 1), variance(memory, 1);
          AscendC::PipeBarrier<PIPE_ALL>();
          const AscendC::WelfordFinalizePara para = {4, 32,        0,           32,         0,
                                                     0, 1.0F / 32, 1.0F / 4096, 1.0F / 2048};
          AscendC::WelfordFinalize<false, kCorrection>(mean, variance, means, sums, counts, para);
          check_all(mean.values(), [](std::size_t) { return 0.484375; });
          check_all(
              variance.values(), [](std::size_t) { return 2 * 9.831062; }, 32);
        }) == "");
}
#endif

TEST_CASE("arguments of normalisations that do not fit end the kernel with a sentence",
          "[normalization]") {
  const auto check = [](const char* sentence, auto&& call) {
    const std::string text = refused([&] {
      Memory memory;
      const auto x = memory.take<float>(256), one = memory.take<float>(64);
      call(x, memory.take<float>(256), one, memory.take<float>(64));
    });
    CAPTURE(text, sentence);
    CHECK(contains(text, sentence));
  };
  check("RmsNorm: length of a row in bytes is 48; expected a multiple of 32",
        [](auto x, auto y, auto one, auto) {
          AscendC::RmsNormTiling tiling{};
          tiling.bLength = tiling.sLength = 2;
          tiling.hLength = tiling.originalHLength = 12;
          AscendC::RmsNorm(y, x, one, 0.5F, tiling);
        });
  check("LayerNorm: rows is 0; expected 1 to 4294967295", [](auto x, auto y, auto one, auto two) {
    AscendC::LayerNorm(y, one, two, x, one, one, 0.5F, AscendC::LayerNormTiling{});
  });
  check("DeepNorm: length of a row is 2048; expected 1 to 2040",
        [](auto x, auto y, auto one, auto two) {
          AscendC::DeepNormTiling tiling{};
          tiling.bLength = tiling.sLength = 1;
          tiling.hLength = tiling.originalHLength = 2048;
          AscendC::DeepNorm(y, one, two, x, x, one, one, 0.5F, 0.5F, tiling);
        });
  check("GroupNorm: tiling.g * tiling.d is 4; expected 6 to 6",
        [](auto x, auto y, auto one, auto two) {
          AscendC::GroupNormTiling tiling{};
          tiling.n = 1;
          tiling.c = 6;
          tiling.hw = 8;
          tiling.g = tiling.d = 2;
          AscendC::GroupNorm(y, one, two, x, one, one, 0.5F, tiling);
        });
  check("WelfordUpdate: para.rnLength is 2; expected 1 to 1", [](auto x, auto y, auto, auto) {
    AscendC::WelfordUpdate<float, float>(x, x, y, y, y, {2, 8, 8, 1.0F});
  });
  check("WelfordFinalize: para.headCountLength + para.tailCountLength is 8; expected 16 to 16",
        [](auto x, auto y, auto one, auto two) {
          AscendC::WelfordFinalize(one, two, x, y, {1, 16, 1, 8, 0, 0, 1, 1, 1});
        });
  check("Normalize: para.aLength is 3; expected 2 to 2", [](auto x, auto y, auto one, auto two) {
    static constexpr AscendC::NormalizeConfig kTwo = {AscendC::ReducePattern::AR, 2};
    AscendC::Normalize<float, float, false, kTwo>(y, one, two, two, x, two, two, 0.5F, {3, 8, 8});
  });
  check("LayerNormGrad: shapeInfo.dataFormat is not ND; expected ND", [](auto x, auto y, auto one,
                                                                         auto) {
    AscendC::LayerNormGradTiling tiling{};
    tiling.bLength = tiling.sLength = 1;
    tiling.hLength = tiling.originalHLength = 8;
    AscendC::LayerNormGrad(y, y[64], x, x, one, one, one, 0.5F, tiling, {AscendC::DataFormat::NZ});
  });
}

TEST_CASE("normalisations permit one tensor only where the documentation does", "[normalization]") {
  const auto computed = [](auto&& call) {
    return run([&] {
      Memory memory;
      const auto take = [&](std::size_t count) {
        return memory.take(std::vector<float>(count, 1.0F));
      };
      const auto x = take(64), y = take(64), one = take(64), two = take(64);
      AscendC::PipeBarrier<PIPE_ALL>();
      call(x, y, one, two, memory.take<float>(8), memory.take<float>(8));
    });
  };
  const AscendC::LayerNormPara para = {4, 16, 16};
  AscendC::DeepNormTiling deep{};
  deep.bLength = 1;
  deep.sLength = 4;
  deep.hLength = deep.originalHLength = 16;
  CHECK(contains(computed([&](auto x, auto, auto one, auto, auto a, auto b) {
                   AscendC::LayerNorm<float, float>(x, a, b, x, one, one, 0.5F, para,
                                                    AscendC::LayerNormSeparateTiling{});
                 }),
                 "LayerNorm: tensors output and inputX overlap"));
  CHECK(contains(computed([&](auto x, auto y, auto one, auto two, auto a, auto b) {
                   AscendC::DeepNorm(x, a, b, x, y, one, two, 0.5F, 0.5F, deep);
                 }),
                 "DeepNorm: tensors dst and src overlap"));
  CHECK(computed([&](auto x, auto y, auto one, auto two, auto a, auto b) {
          AscendC::DeepNorm<float, true>(x, a, b, x, y, one, two, 0.5F, 0.5F, deep);
        }) == "");
}

template <typename Call>
void check_least(std::uint32_t most, std::uint32_t least, const char* name, Call&& call) {
  CAPTURE(name, least);
  CHECK(least >= 224);
  CHECK(most == 8 * least);
  const auto body = [&](std::uint32_t bytes) {
    return [&call, bytes] {
      Memory memory;
      const auto take = [&](std::size_t count) {
        return memory.take(std::vector<float>(count, 1.0F));
      };
      const auto x = take(448), one = take(448);
      AscendC::PipeBarrier<PIPE_ALL>();
      auto tmp = memory.take<std::uint8_t>(bytes);
      call(memory.take<float>(448), memory.take<float>(448), memory.take<float>(448), x, one, tmp);
    };
  };
  CHECK(run(body(least)) == "");
  CHECK(contains(refused(body(least - 32)),
                 std::string(name) + ": tensor tmp: " + std::to_string(least) + " bytes needed, " +
                     std::to_string(least - 32) + " there"));
}

TEST_CASE("the least temporary memory of normalisations of rows is that of the kernel",
          "[normalization]") {
  const AscendC::TensorShape shape({2, 4, 56}), matrix({8, 56});
  std::uint32_t most = 0, least = 0;
  AscendC::GetLayerNormMaxMinTmpSize(shape, 4, false, most, least);
  AscendC::tiling::LayerNormTiling layer{};
  AscendC::GetLayerNormNDTilingInfo(shape, least, 4, false, layer);
  CHECK(layer.bsCurLength == 1);
  check_least(most, least, "LayerNorm", [&](auto to, auto a, auto b, auto x, auto one, auto tmp) {
    AscendC::LayerNorm(to, a, b, x, one, one, tmp, 0.5F, layer);
  });
  AscendC::GetLayerNormMaxMinTmpSize(matrix, 4, false, true, false, most, least);
  check_least(most, least, "LayerNorm", [&](auto to, auto a, auto b, auto x, auto one, auto tmp) {
    AscendC::LayerNorm<float, float>(to, a, b, x, one, one, 0.5F, tmp, {8, 56, 56},
                                     AscendC::LayerNormSeparateTiling{});
  });
  AscendC::GetNormalizeMaxMinTmpSize(matrix, 4, 4, false, true, false, most, least);
  check_least(most, least, "Normalize", [&](auto to, auto a, auto, auto x, auto one, auto tmp) {
    AscendC::Normalize<float, float>(to, a, one, one, x, one, one, tmp, 0.5F, {8, 56, 56});
  });
  CHECK(AscendC::GetRmsNormMaxMinTmpSize(shape, 4, most, least));
  AscendC::tiling::RmsNormTiling rms{};
  CHECK(AscendC::GetRmsNormTilingInfo(shape, shape, least, 4, rms));
  check_least(most, least, "RmsNorm", [&](auto to, auto, auto, auto x, auto one, auto tmp) {
    AscendC::RmsNorm(to, x, one, tmp, 0.5F, rms);
  });
  CHECK(AscendC::GetDeepNormMaxMinTmpSize(shape, 4, false, false, most, least));
  AscendC::tiling::DeepNormTiling deep{};
  CHECK(AscendC::GetDeepNormTilingInfo(shape, shape, least, 4, false, false, deep));
  check_least(most, least, "DeepNorm", [&](auto to, auto a, auto b, auto x, auto one, auto tmp) {
    AscendC::DeepNorm(to, a, b, x, one, one, one, tmp, 0.5F, 0.5F, deep);
  });
}

TEST_CASE("the least temporary memory of BatchNorm and GroupNorm is that of the kernel",
          "[normalization]") {
  std::uint32_t most = 0, least = 0;
  const AscendC::TensorShape batch_shape({8, 7, 8}), image({2, 8, 7, 4});
  CHECK(AscendC::GetBatchNormMaxMinTmpSize(batch_shape, batch_shape, 4, false, most, least));
  AscendC::tiling::BatchNormTiling batch{};
  CHECK(AscendC::GetBatchNormNDTilingInfo(batch_shape, batch_shape, least, 4, false, batch));
  check_least(most, least, "BatchNorm", [&](auto to, auto a, auto b, auto x, auto one, auto tmp) {
    AscendC::BatchNorm(to, a, b, x, one, one, tmp, 0.5F, batch);
  });
  AscendC::GetGroupNormMaxMinTmpSize(image, 4, false, 4, most, least);
  AscendC::tiling::GroupNormTiling group{};
  AscendC::GetGroupNormNDTilingInfo(image, least, 4, false, 4, group);
  check_least(most, least, "GroupNorm", [&](auto to, auto a, auto b, auto x, auto one, auto tmp) {
    AscendC::GroupNorm(to, a, b, x, one, one, tmp, 0.5F, group);
  });
}

TEST_CASE("the least temporary memory of gradients and Welford sums is that of the kernel",
          "[normalization]") {
  const AscendC::TensorShape shape({2, 4, 56}), matrix({8, 56});
  std::uint32_t most = 0, least = 0;
  AscendC::GetLayerNormGradMaxMinTmpSize(shape, 4, false, most, least);
  AscendC::tiling::LayerNormGradTiling grad{};
  AscendC::GetLayerNormGradNDTilingInfo(shape, least / 4, 4, false, grad);
  check_least(most, least, "LayerNormGrad", [&](auto to, auto a, auto, auto x, auto one, auto tmp) {
    AscendC::LayerNormGrad(to, a, x, x, one, one, one, tmp, 0.5F, grad);
  });
  AscendC::GetLayerNormGradBetaMaxMinTmpSize(shape, 4, false, most, least);
  AscendC::tiling::LayerNormGradBetaTiling grad_beta{};
  AscendC::GetLayerNormGradBetaNDTilingInfo(shape, least / 4, 4, false, grad_beta);
  check_least(most, least, "LayerNormGradBeta", [&](auto to, auto a, auto, auto x, auto, auto tmp) {
    AscendC::LayerNormGradBeta(to, a, x, x, tmp, grad_beta);
  });
  AscendC::GetWelfordUpdateMaxMinTmpSize(matrix, 4, 4, false, false, most, least);
  check_least(most, least, "WelfordUpdate", [&](auto to, auto a, auto, auto x, auto one, auto tmp) {
    AscendC::WelfordUpdate<float, float>(to, a, x, one, x, tmp, {1, 56, 56, 0.5F});
  });
  AscendC::GetWelfordFinalizeMaxMinTmpSize(matrix, 4, false, most, least);
  check_least(most, least, "WelfordFinalize",
              [&](auto to, auto a, auto, auto x, auto one, auto tmp) {
                AscendC::WelfordFinalize(to, a, x, one, tmp, {1, 56, 1, 56, 0, 0, 1, 1, 1});
              });
}

TEST_CASE("classes of host code get the fields of the tilings of normalisations",
          "[normalization]") {
  const AscendC::TensorShape shape({2, 4, 64, 60}), matrix({10, 100}), plain({2, 4, 64}),
      original({2, 4, 60});
  optiling::LayerNormTiling layer;
  AscendC::GetLayerNormNDTilingInfo(shape, 3 * 512, 4, false, layer);
  CHECK(layer.get_bLength() == 2);
  CHECK(layer.get_originalHLength() == 60);
  CHECK(layer.get_bsCurLength() == 3);
  CHECK(layer.get_loopRound() == 2);
  CHECK(layer.get_meanVarTailSize() == 2);
  CHECK(layer.get_inputTailPos() == 6 * 64);
  CHECK(layer.get_lastDimValueBack() == 1.0F / 60);
  optiling::LayerNormTiling old_name;
  AscendC::GetLayerNormNDTillingInfo(shape, 3 * 512, 4, false, old_name);
  CHECK(old_name.get_bsCurLength() == 3);
  optiling::LayerNormSeparateTiling separate;
  AscendC::GetLayerNormNDTilingInfo(matrix, 4096, 4, false, true, separate);
  CHECK(separate.get_aLength() == 10);
  CHECK(separate.get_rLength() == 100);
  CHECK(separate.get_rHeadLength() == 64);
  CHECK(separate.get_rValueBack() == 1.0F / 100);
  optiling::LayerNormGradTiling grad;
  AscendC::GetLayerNormGradNDTilingInfo(shape, 3 * 192, 4, false, grad);
  CHECK(grad.get_nohCalSize() == 3);
  CHECK(grad.get_tailSize() == 128);
  optiling::LayerNormGradBetaTiling beta;
  AscendC::GetLayerNormGradBetaNDTilingInfo(shape, 3 * 128, 4, false, beta);
  CHECK(beta.get_bsCurLength() == 3);
  CHECK(beta.get_inputTailPos() == 384);
  optiling::DeepNormTiling deep;
  CHECK(AscendC::GetDeepNormTilingInfo(plain, original, 4096, 4, false, false, deep));
  CHECK(deep.get_originalHLength() == 60);
  CHECK(!AscendC::GetDeepNormTilingInfo(plain, original, 4096, 4, false, true, deep));
  optiling::BatchNormTiling batch;
  CHECK(AscendC::GetBatchNormNDTilingInfo(plain, plain, 4096, 4, false, batch));
  CHECK(batch.get_originalBLength() == 2);
  CHECK(batch.get_meanVarSize() == 256);
}

}  // namespace
}  // namespace library_test
