// SPDX-License-Identifier: Apache-2.0
// Normalisations over rows, columns and groups: each function, type and form against plain loops in
// f64. Results are computed in f32, so an element is right up to 2^-18 of the terms in its sums,
// and up to one unit of half or bfloat16.
#include <cmath>

#include "tests/ascendc_library/bench.h"
#include "tiling/tiling_api.h"

namespace library_test {
namespace {

using Doubles = std::vector<double>;

template <typename T>
Doubles numbers(const std::vector<T>& values) {
  Doubles made;
  for (const T value : values) made.push_back(number(value));
  return made;
}

/// A result up to the rounding of its type and the sums of terms of a size.
template <typename T>
void check_near(const std::vector<T>& got, const std::function<double(std::size_t)>& expected,
                double size = 4) {
  const double unit = std::is_same_v<T, float> ? 0 : kUnit<T>;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double value = expected(i);
    if (std::abs(number(got[i]) - value) <= size * 0x1p-18 + unit * std::abs(value)) continue;
    INFO("element " << i << ": " << number(got[i]) << ", expected " << value);
    CHECK(false);
    return;
  }
}

struct Moments {
  double mean, variance;
};
/// The moments of `count` numbers, `stride` apart.
Moments moments(const Doubles& x, std::size_t first, std::size_t count, std::size_t stride = 1) {
  Moments made{};
  for (std::size_t k = 0; k < count; ++k) made.mean += x[first + k * stride];
  made.mean /= static_cast<double>(count);
  for (std::size_t k = 0; k < count; ++k)
    made.variance += std::pow(x[first + k * stride] - made.mean, 2);
  made.variance /= static_cast<double>(count);
  return made;
}

/// gamma * (x - mean) / sqrt(variance + epsilon) + beta over rows of `columns`; padding behind
/// `originals` is not checked.
struct Layer {
  Doubles x, gamma, beta;
  std::size_t columns, originals;
  double epsilon;
  Moments of(std::size_t row) const { return moments(x, row * columns, originals); }
  double at(std::size_t i) const {
    const Moments m = of(i / columns);
    const std::size_t k = i % columns;
    return gamma[k] * (x[i] - m.mean) / std::sqrt(m.variance + epsilon) + beta[k];
  }
  template <typename T>
  void check(const std::vector<T>& got) const {
    check_near(got,
               [&](std::size_t i) { return i % columns < originals ? at(i) : number(got[i]); });
  }
};

constexpr double kEpsilon = 0x1p-10;

TEMPLATE_TEST_CASE("LayerNorm normalises the last axis and gives means and variances",
                   "[normalization]", half, float) {
  using T = TestType;
  constexpr std::uint32_t kB = 2, kS = 8, kH = 48, kOriginal = 45;
  const auto x = random<T>(kB * kS * kH, -4, 6), gamma = random<T>(kH, -2, 2, 2),
             beta = random<T>(kH, -2, 2, 3);
  const Layer layer{numbers(x), numbers(gamma), numbers(beta), kH, kOriginal, kEpsilon};
  AscendC::tiling::LayerNormTiling tiling{};
  AscendC::GetLayerNormNDTilingInfo(AscendC::TensorShape({kB, kS, kH, kOriginal}), 4096, sizeof(T),
                                    false, tiling);
  for (const unsigned form : {0U, 1U, 2U}) {
    CAPTURE(form);
    CHECK(run([&] {
            Memory memory;
            const auto src = memory.take(x), g = memory.take(gamma), b = memory.take(beta);
            const Result<T> dst(memory, x.size()), mean(memory, 16), variance(memory, 16);
            const auto tmp = memory.take<std::uint8_t>(4096);
            const T epsilon = T(static_cast<float>(kEpsilon));
            AscendC::PipeBarrier<PIPE_ALL>();
            if (form == 0)
              AscendC::LayerNorm(dst.tensor(), mean.tensor(), variance.tensor(), src, g, b, tmp,
                                 epsilon, tiling);
            if (form == 1)
              AscendC::LayerNorm<T, true>(dst, mean, variance, src, g, b, epsilon, tiling);
            if (form == 2) AscendC::LayerNorm<T>(src, mean, variance, src, g, b, epsilon, tiling);
            check_near(mean.values(), [&](std::size_t i) { return layer.of(i).mean; });
            check_near(
                variance.values(), [&](std::size_t i) { return layer.of(i).variance; }, 16);
            if (form < 2) {
              layer.check(dst.values());
            } else {
              AscendC::PipeBarrier<PIPE_ALL>();
              std::vector<T> got(x.size());
              for (std::uint32_t i = 0; i < got.size(); ++i) got[i] = src.GetValue(i);
              layer.check(got);
            }
          }) == "");
  }
}

template <typename U, typename T, bool no_gamma, bool no_beta, bool rstd>
void check_separate(bool given) {
  static constexpr AscendC::LayerNormConfig kConfig = {no_beta, no_gamma, false, rstd};
  static constexpr AscendC::NormalizeConfig kNormalize = {AscendC::ReducePattern::AR, 6, no_beta,
                                                          no_gamma, false};
  CAPTURE(sizeof(U), sizeof(T), no_gamma, no_beta, rstd, given);
  constexpr std::uint32_t kA = 6, kR = 43, kPadded = 48;
  const auto x = random<T>(kA * kPadded, -4, 6);
  const auto gamma = random<U>(kPadded, -2, 2, 2), beta = random<U>(kPadded, -2, 2, 3);
  const Layer layer{numbers(x),
                    no_gamma ? Doubles(kPadded, 1) : numbers(gamma),
                    no_beta ? Doubles(kPadded, 0) : numbers(beta),
                    kPadded,
                    kR,
                    1e-3};
  std::vector<float> means, variances;
  for (std::size_t i = 0; i < kA; ++i) {
    means.push_back(static_cast<float>(layer.of(i).mean));
    variances.push_back(static_cast<float>(layer.of(i).variance));
  }
  const auto root = [&](std::size_t i) { return 1 / std::sqrt(layer.of(i).variance + 1e-3); };
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(x);
          const auto g = no_gamma ? LocalTensor<U>() : memory.take(gamma);
          const auto b = no_beta ? LocalTensor<U>() : memory.take(beta);
          const auto in_mean = memory.take(means), in_variance = memory.take(variances);
          const Result<T> dst(memory, x.size()), again(memory, x.size());
          const Result<float> mean(memory, kA), second(memory, kA), roots(memory, kA);
          const auto tmp = memory.take<std::uint8_t>(4096);
          const AscendC::LayerNormPara para = {kA, kR, kPadded};
          const AscendC::NormalizePara same = {kA, kR, kPadded};
          const AscendC::LayerNormSeparateTiling tiling{};
          AscendC::PipeBarrier<PIPE_ALL>();
          if (given) {
            AscendC::LayerNorm<U, T, false, kConfig>(dst, mean, second, src, g, b, 1e-3F, tmp, para,
                                                     tiling);
            AscendC::Normalize<U, T, false, kNormalize>(again, roots, in_mean, in_variance, src, g,
                                                        b, tmp, 1e-3F, same);
          } else {
            AscendC::LayerNorm<U, T, false, kConfig>(dst, mean, second, src, g, b, 1e-3F, para,
                                                     tiling);
            AscendC::Normalize<U, T, false, kNormalize>(again, roots, in_mean, in_variance, src, g,
                                                        b, 1e-3F, same);
          }
          layer.check(dst.values());
          layer.check(again.values());
          check_near(mean.values(), [&](std::size_t i) { return layer.of(i).mean; });
          check_near(
              second.values(), [&](std::size_t i) { return rstd ? root(i) : layer.of(i).variance; },
              16);
          check_near(roots.values(), root);
        }) == "");
}

TEST_CASE("LayerNorm and Normalize of [A, R] scale with gamma and beta of a wider type",
          "[normalization]") {
  for (const bool given : {true, false}) {
    check_separate<float, float, false, false, true>(given);
    check_separate<float, half, false, false, true>(given);
    check_separate<half, half, false, true, true>(given);
    check_separate<float, float, true, false, true>(given);
    check_separate<float, float, true, true, true>(given);
#if __NPU_ARCH__ == 3510
    check_separate<bfloat16_t, bfloat16_t, false, false, true>(given);
    check_separate<float, bfloat16_t, false, false, false>(given);
#endif
  }
}

TEMPLATE_TEST_CASE("RmsNorm divides by the root of the mean square", "[normalization]", half,
                   float) {
  using T = TestType;
  constexpr std::uint32_t kRows = 12, kH = 64, kOriginal = 60;
  const auto x = random<T>(kRows * kH, -3, 5), gamma = random<T>(kH, -2, 2, 2);
  const Doubles in = numbers(x), scale = numbers(gamma);
  optiling::RmsNormTiling host;
  AscendC::tiling::RmsNormTiling tiling{};
  const AscendC::TensorShape shape({3, 4, kH}), original({3, 4, kOriginal});
  CHECK(AscendC::GetRmsNormTilingInfo(shape, original, 2048, sizeof(T), tiling));
  CHECK(AscendC::GetRmsNormTilingInfo(shape, original, 2048, sizeof(T), host));
  CHECK(host.get_mainBsLength() == tiling.mainBsLength);
  CHECK(tiling.loopRound * tiling.mainBsLength + tiling.tailBsLength == kRows);
  CHECK(!AscendC::GetRmsNormTilingInfo(shape, original, 32, sizeof(T), tiling));
  CHECK(!AscendC::GetRmsNormTilingInfo(shape, original, 2048, sizeof(T), tiling, true));
  const auto expected = [&](std::size_t i) {
    double square = 0;
    for (std::size_t k = 0; k < kOriginal; ++k) square += std::pow(in[i / kH * kH + k], 2);
    return scale[i % kH] * in[i] / std::sqrt(square / kOriginal + kEpsilon);
  };
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(x), g = memory.take(gamma);
          const Result<T> dst(memory, x.size());
          const auto tmp = memory.take<std::uint8_t>(1024);
          const T epsilon = T(static_cast<float>(kEpsilon));
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::RmsNorm(dst.tensor(), src, g, tmp, epsilon, tiling);
          AscendC::RmsNorm<T>(src, src, g, epsilon, tiling);
          check_near(dst.values(), expected);
          AscendC::PipeBarrier<PIPE_ALL>();
          std::vector<T> got(x.size());
          for (std::uint32_t i = 0; i < got.size(); ++i) got[i] = src.GetValue(i);
          check_near(got, expected);
        }) == "");
}

TEMPLATE_TEST_CASE("DeepNorm normalises alpha * x + gx", "[normalization]", half, float) {
  using T = TestType;
  constexpr std::uint32_t kRows = 8, kH = 32;
  const auto x = random<T>(kRows * kH, -4, 6), gx = random<T>(kRows * kH, -2, 2, 4),
             gamma = random<T>(kH, -2, 2, 2), beta = random<T>(kH, -2, 2, 3);
  Layer layer{numbers(x), numbers(gamma), numbers(beta), kH, kH, kEpsilon};
  for (std::size_t i = 0; i < x.size(); ++i) layer.x[i] = -1.5 * number(x[i]) + number(gx[i]);
  AscendC::tiling::DeepNormTiling tiling{};
  const AscendC::TensorShape shape({2, 4, kH});
  CHECK(AscendC::GetDeepNormTilingInfo(shape, shape, 1024, sizeof(T), false, false, tiling));
  CHECK(!AscendC::GetDeepNormTilingInfo(shape, shape, 32, sizeof(T), false, false, tiling));
  for (const bool given : {true, false}) {
    CHECK(run([&] {
            Memory memory;
            const auto src = memory.take(x), other = memory.take(gx), g = memory.take(gamma),
                       b = memory.take(beta);
            const Result<T> dst(memory, x.size()), mean(memory, kRows), variance(memory, kRows);
            const auto tmp = memory.take<std::uint8_t>(1024);
            const T epsilon = T(static_cast<float>(kEpsilon)), alpha = T(-1.5F);
            AscendC::PipeBarrier<PIPE_ALL>();
            if (given) {
              AscendC::DeepNorm(dst.tensor(), mean.tensor(), variance.tensor(), src, other, b, g,
                                tmp, alpha, epsilon, tiling);
            } else {
              AscendC::DeepNorm<T, true, false>(dst, mean, variance, src, other, b, g, alpha,
                                                epsilon, tiling);
            }
            layer.check(dst.values());
            check_near(mean.values(), [&](std::size_t i) { return layer.of(i).mean; });
            check_near(
                variance.values(), [&](std::size_t i) { return layer.of(i).variance; }, 32);
          }) == "");
  }
}

TEMPLATE_TEST_CASE("BatchNorm normalises over the first axis", "[normalization]", half, float) {
  using T = TestType;
  constexpr std::uint32_t kB = 16, kSh = 32;
  const auto x = random<T>(kB * kSh, -4, 6), gamma = random<T>(kB, -2, 2, 2),
             beta = random<T>(kB, -2, 2, 3);
  const Doubles in = numbers(x);
  AscendC::tiling::BatchNormTiling tiling{};
  const AscendC::TensorShape shape({kB, 2, 16});
  CHECK(AscendC::GetBatchNormNDTilingInfo(shape, shape, 4096, sizeof(T), false, tiling));
  CHECK(!AscendC::GetBatchNormNDTilingInfo(shape, shape, 128, sizeof(T), false, tiling));
  CHECK(!AscendC::GetBatchNormNDTilingInfo(shape, shape, 4096, sizeof(T), false, tiling, true));
  const auto expected = [&](std::size_t i) {
    const Moments m = moments(in, i % kSh, kB, kSh);
    return number(gamma[i / kSh]) * (in[i] - m.mean) / std::sqrt(m.variance + kEpsilon) +
           number(beta[i / kSh]);
  };
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(x), g = memory.take(gamma), b = memory.take(beta);
          const Result<T> dst(memory, x.size()), mean(memory, kSh), variance(memory, kSh);
          const auto tmp = memory.take<std::uint8_t>(1024);
          const T epsilon = T(static_cast<float>(kEpsilon));
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::BatchNorm(dst.tensor(), mean.tensor(), variance.tensor(), src, g, b, tmp,
                             epsilon, tiling);
          check_near(dst.values(), expected);
          check_near(mean.values(), [&](std::size_t i) { return moments(in, i, kB, kSh).mean; });
          check_near(
              variance.values(), [&](std::size_t i) { return moments(in, i, kB, kSh).variance; },
              16);
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::BatchNorm<T>(src, mean, variance, src, g, b, epsilon, tiling);
          AscendC::PipeBarrier<PIPE_ALL>();
          std::vector<T> got(x.size());
          for (std::uint32_t i = 0; i < got.size(); ++i) got[i] = src.GetValue(i);
          check_near(got, expected);
        }) == "");
}

TEMPLATE_TEST_CASE("GroupNorm normalises groups of channels", "[normalization]", half, float) {
  using T = TestType;
  constexpr std::uint32_t kN = 2, kC = 6, kHw = 15, kGroups = 3, kSize = kC / kGroups * kHw;
  const auto x = random<T>(kN * kC * kHw, -4, 6), gamma = random<T>(kC, -2, 2, 2),
             beta = random<T>(kC, -2, 2, 3);
  const Doubles in = numbers(x);
  AscendC::tiling::GroupNormTiling tiling{};
  optiling::GroupNormTiling host;
  const AscendC::TensorShape shape({kN, kC, 3, 5});
  AscendC::GetGroupNormNDTilingInfo(shape, 4096, sizeof(T), false, kGroups, tiling);
  AscendC::GetGroupNormNDTilingInfo(shape, 4096, sizeof(T), false, kGroups, host);
  CHECK(host.get_d() == 2);
  CHECK(tiling.hw == kHw);
  for (const bool given : {true, false}) {
    CHECK(run([&] {
            Memory memory;
            const auto src = memory.take(x), g = memory.take(gamma), b = memory.take(beta);
            const Result<T> dst(memory, x.size()), mean(memory, kN * kGroups),
                variance(memory, kN * kGroups);
            const auto tmp = memory.take<std::uint8_t>(1024);
            const T epsilon = T(static_cast<float>(kEpsilon));
            AscendC::PipeBarrier<PIPE_ALL>();
            if (given) {
              AscendC::GroupNorm(dst.tensor(), mean.tensor(), variance.tensor(), src, g, b, tmp,
                                 epsilon, tiling);
            } else {
              AscendC::GroupNorm<T, true>(dst, mean, variance, src, g, b, epsilon, tiling);
            }
            const auto of = [&](std::size_t group) { return moments(in, group * kSize, kSize); };
            check_near(dst.values(), [&](std::size_t i) {
              const Moments m = of(i / kSize);
              const std::size_t channel = i / kHw % kC;
              return number(gamma[channel]) * (in[i] - m.mean) / std::sqrt(m.variance + kEpsilon) +
                     number(beta[channel]);
            });
            check_near(mean.values(), [&](std::size_t i) { return of(i).mean; });
            check_near(
                variance.values(), [&](std::size_t i) { return of(i).variance; }, 16);
          }) == "");
  }
}

}  // namespace
}  // namespace library_test
