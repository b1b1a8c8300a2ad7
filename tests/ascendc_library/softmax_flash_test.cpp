// SPDX-License-Identifier: Apache-2.0
// The forms of softmax for flash attention, which continue with the results of earlier columns.
#include "tests/ascendc_library/softmax_bench.h"

namespace library_test {
namespace {

/// Two calls in place of one over all columns: the second updates.
template <typename S, typename U, bool nz, bool compact>
void check_flash_2(std::uint32_t rows, std::uint32_t columns, std::uint32_t originals, bool given) {
  static constexpr AscendC::SoftmaxConfig kConfig = {
      true, 0, 0, compact ? SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC : SoftmaxMode::SOFTMAX_NORMAL};
  CAPTURE(sizeof(S), sizeof(U), nz, compact, given);
  constexpr std::size_t kBlock = compact ? 1 : 32 / sizeof(U),
                        kSBlock = compact ? 1 : 32 / sizeof(S);
  const Plain a = matrix<S>(rows, columns, originals, 3, 6),
              b = matrix<S>(rows, columns, originals, 4, 6);
  CHECK(run([&] {
          Memory memory;
          const auto first = memory.take(placed<S>(a, nz)), next = memory.take(placed<S>(b, nz));
          const Result<S> dst(memory, a.values.size()), factor(memory, rows * kSBlock);
          const Result<U> sum(memory, rows * kBlock), most(memory, rows * kBlock);
          const auto tmp = memory.take<std::uint8_t>(8192);
          const SoftMaxTiling tiling{};
          const SoftMaxShapeInfo shape = {rows, columns, rows, originals};
          const LocalTensor<S> no;
          const LocalTensor<U> none;
          AscendC::PipeBarrier<PIPE_ALL>();
          if (given) {
            AscendC::SoftmaxFlashV2<S, false, false, false, nz, kConfig>(
                first, sum, most, first, no, none, none, tmp, tiling, shape);
          } else {
            AscendC::SoftmaxFlashV2<S, false, false, false, nz, kConfig>(
                first, sum, most, first, no, none, none, tiling, shape);
          }
          const auto sums = sum.values();
          check_ones(sums, kBlock, [&](std::size_t i) { return reduced(a, i).sum; });
          AscendC::PipeBarrier<PIPE_ALL>();
          if (given) {
            AscendC::SoftmaxFlashV2<S, true, false, false, nz, kConfig>(
                dst, sum, most, next, factor, sum, most, tmp, tiling, shape);
          } else {
            AscendC::SoftmaxFlashV2<S, true, false, false, nz, kConfig>(
                dst, sum, most, next, factor, sum, most, tiling, shape);
          }
          const auto greatest = [&](std::size_t i) {
            return std::max(reduced(a, i).most, reduced(b, i).most);
          };
          const auto shrink = [&](std::size_t i) {
            return std::exp(reduced(a, i).most - greatest(i));
          };
          check_ones(most.values(), kBlock, greatest);
          check_ones(factor.values(), kSBlock, shrink);
          check_ones(sum.values(), kBlock, [&](std::size_t i) {
            return shrink(i) * number(sums[i * kBlock]) + reduced(b, i, greatest(i)).sum;
          });
          check_matrix<S>(b, nz, dst.values(), [&](std::size_t i, std::size_t k) {
            return std::exp(b.at(i, k) - greatest(i));
          });
        }) == "");
}

TEST_CASE("SoftmaxFlashV2 continues with the maxima and sums of earlier columns", "[softmax]") {
  for (const bool given : {true, false}) {
    check_flash_2<float, float, false, false>(8, 64, 61, given);
    check_flash_2<half, half, false, false>(6, 32, 32, given);
    check_flash_2<half, float, false, false>(8, 128, 128, given);
    check_flash_2<float, float, true, false>(16, 32, 30, given);
    check_flash_2<float, float, false, true>(16, 64, 64, given);
    check_flash_2<half, float, false, true>(16, 64, 64, given);
  }
}

TEST_CASE("SoftmaxFlashV2 stores the maxima of these columns without broadcasts only",
          "[softmax]") {
  static constexpr AscendC::SoftmaxConfig kCompact = {false, 0, 0,
                                                      SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};
  const Plain m = matrix<float>(8, 64, 64, 9);
  const std::vector<double> before = {1, 9, 2, 9, 3, 9, 4, 9};
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(placed<float>(m, false));
          const auto in_sum = memory.take(std::vector<float>(8, 2.0F));
          const auto in_most = memory.take(ones<float>(8, 1, before));
          const Result<float> dst(memory, 512), here(memory, 8), sum(memory, 8), most(memory, 8),
              factor(memory, 8), untouched(memory, 8);
          const auto tmp = memory.take<std::uint8_t>(4096);
          const SoftMaxTiling tiling{};
          const SoftMaxShapeInfo shape = {8, 64, 8, 64};
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::SoftmaxFlashV2<float, true, false, false, false, kCompact>(
              dst.tensor(), here.tensor(), sum.tensor(), most.tensor(), src, factor.tensor(),
              in_sum, in_most, tmp, tiling, shape);
          check_ones(here.values(), 1, [&](std::size_t i) { return reduced(m, i).most; });
          check_ones(most.values(), 1,
                     [&](std::size_t i) { return std::max(before[i], reduced(m, i).most); });
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::SoftmaxFlashV2<float, true>(untouched.tensor(), untouched.tensor(),
                                               untouched.tensor(), untouched.tensor(), src,
                                               untouched.tensor(), in_sum, in_most, tiling, shape);
          AscendC::SoftmaxFlashV2<float, false, false, false, false, kCompact>(
              dst.tensor(), untouched.tensor(), sum.tensor(), most.tensor(), src, factor.tensor(),
              in_sum, in_most, tiling, shape);
          CHECK(untouched.values() == std::vector<float>(8, 77.0F));
          check_ones(most.values(), 1, [&](std::size_t i) { return reduced(m, i).most; });
        }) == "");
}

template <typename S, typename U>
void check_flash(bool given) {
  constexpr std::uint32_t kRows = 5, kColumns = 32;
  constexpr std::size_t kBlock = 32 / sizeof(U), kSBlock = 32 / sizeof(S);
  const Plain m = matrix<S>(kRows, kColumns, kColumns, 6, 4);
  const std::vector<double> sums = {1, 2, 3, 4, 5}, maxima = {-1, 5, 0, 4.5, 1};
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(placed<S>(m, false));
          const auto in_sum = memory.take(ones<U>(kRows, kBlock, sums)),
                     in_most = memory.take(ones<U>(kRows, kBlock, maxima));
          const Result<S> dst(memory, kRows * kColumns), first(memory, kRows * kColumns),
              factor(memory, kRows * kSBlock);
          const Result<U> sum(memory, kRows * kBlock), most(memory, kRows * kBlock),
              sum_1(memory, kRows * kBlock), most_1(memory, kRows * kBlock);
          const auto tmp = memory.take<std::uint8_t>(4096);
          const SoftMaxTiling tiling{};
          const SoftMaxShapeInfo shape = {kRows, kColumns, kRows, kColumns};
          AscendC::PipeBarrier<PIPE_ALL>();
          if (given) {
            AscendC::SoftmaxFlash<S>(first, sum_1, most_1, src, factor, in_sum, in_most, tmp,
                                     tiling, false, shape);
            AscendC::SoftmaxFlash<S>(dst, sum, most, src, factor, in_sum, in_most, tmp, tiling,
                                     true, shape);
          } else {
            AscendC::SoftmaxFlash<S>(first, sum_1, most_1, src, factor, in_sum, in_most, tiling,
                                     false, shape);
            AscendC::SoftmaxFlash<S>(dst, sum, most, src, factor, in_sum, in_most, tiling, true,
                                     shape);
          }
          check_matrix<S>(m, false, first.values(), [&](std::size_t i, std::size_t k) {
            return std::exp(m.at(i, k) - reduced(m, i).most) / reduced(m, i).sum;
          });
          const auto greatest = [&](std::size_t i) {
            return std::max(maxima[i], reduced(m, i).most);
          };
          const auto earlier = [&](std::size_t i) {
            return std::exp(maxima[i] - greatest(i)) * sums[i];
          };
          const auto all = [&](std::size_t i) {
            return earlier(i) + reduced(m, i, greatest(i)).sum;
          };
          check_ones(sum.values(), kBlock, all);
          check_ones(most.values(), kBlock, greatest);
          check_ones(factor.values(), kSBlock, [&](std::size_t i) { return earlier(i) / all(i); });
          check_matrix<S>(m, false, dst.values(), [&](std::size_t i, std::size_t k) {
            return std::exp(m.at(i, k) - greatest(i)) / all(i);
          });
        }) == "");
}

TEST_CASE("SoftmaxFlash divides by the sum of all columns so far", "[softmax]") {
  for (const bool given : {true, false}) {
    check_flash<float, float>(given);
    check_flash<half, half>(given);
    check_flash<half, float>(given);
  }
}

/// The Python program of the documentation for one row.
struct Shifted {
  double mean, most, sum, factor;
  std::vector<double> powers;
};
Shifted shifted(std::vector<double> x, double alpha, double loops, bool update, double in_mean,
                double in_most, double in_sum) {
  const std::size_t columns = x.size(), part = columns / 8;
  std::vector<double> groups(64), means(8);
  for (std::size_t k = 0; k < columns; ++k) groups[k < 512 ? k / 8 : k % 64] += x[k];
  for (std::size_t k = 0; k < 64; ++k) means[k / 8] += groups[k] / static_cast<double>(part);
  double all = 0;
  for (const double mean : means) all += mean / 8;
  const double scalar = alpha / (1 - alpha);
  double here = -1e300;
  for (std::size_t k = 0; k < columns; ++k) {
    x[k] -= (all - means[k / part]) * scalar;
    here = std::max(here, x[k]);
  }
  Shifted made{};
  made.mean = update ? (all + in_mean * (loops - 1)) / loops : all;
  const double shift = (all - made.mean) * scalar, before = (in_mean - made.mean) * scalar;
  made.most = update ? std::max(shift + here, before + in_most) : shift + here;
  made.factor = std::exp(in_most - made.most + before);
  made.sum = update ? made.factor * in_sum : 0;
  for (const double value : x) {
    made.powers.push_back(std::exp(value - (made.most - shift)));
    made.sum += made.powers.back();
  }
  return made;
}

template <bool update>
void check_flash_3(bool given) {
  constexpr std::uint32_t kRows = 8, kColumns = 1024;
  const Plain m = matrix<half>(kRows, kColumns, kColumns, 8, 1);
  CAPTURE(update, given);
  const auto row = [&](std::size_t i) {
    const auto from = m.values.begin() + static_cast<std::ptrdiff_t>(i * kColumns);
    return shifted({from, from + kColumns}, 0.9375, 3, update, 0.25, 1.5, 2);
  };
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(placed<half>(m, false));
          const auto take = [&](double value) {
            return memory.take(ones<float>(kRows, 8, std::vector<double>(kRows, value)));
          };
          const auto mean = take(0.25), sum = take(2), most = take(1.5);
          const Result<half> dst(memory, m.values.size()), factor(memory, kRows * 16);
          const auto tmp = memory.take<std::uint8_t>(16384);
          const SoftMaxTiling tiling{};
          const AscendC::SoftMaxParams params = {kRows, kColumns, kRows, kColumns, 3, 8, 0.9375F};
          AscendC::PipeBarrier<PIPE_ALL>();
          if (given) {
            AscendC::SoftmaxFlashV3<half, float, update>(dst, mean, sum, most, src, factor, mean,
                                                         sum, most, tmp, tiling, params);
          } else {
            AscendC::SoftmaxFlashV3<half, float, update>(dst, mean, sum, most, src, factor, mean,
                                                         sum, most, tiling, params);
          }
          AscendC::PipeBarrier<PIPE_ALL>();
          const auto near = [](double got, double expected) {
            return std::abs(got - expected) <= 2e-5 * (1 + std::abs(expected));
          };
          const auto powers = dst.values(), factors = factor.values();
          for (std::uint32_t i = 0; i < kRows; ++i) {
            const Shifted expected = row(i);
            CHECK(near(mean.GetValue(i * 8 + 7), expected.mean));
            CHECK(near(most.GetValue(i * 8), expected.most));
            CHECK(near(sum.GetValue(i * 8 + 3), expected.sum));
            if (update) CHECK(is_near(factors[i * 16 + 5], expected.factor, 2));
            std::size_t wrong = 0;
            for (std::size_t k = 0; k < kColumns; ++k) {
              if (!is_near(powers[i * kColumns + k], expected.powers[k], 2)) ++wrong;
            }
            CHECK(wrong == 0);
          }
        }) == "");
}

TEST_CASE("SoftmaxFlashV3 shifts the parts of a row as the documentation does", "[softmax]") {
  for (const bool given : {true, false}) {
    check_flash_3<true>(given);
    check_flash_3<false>(given);
  }
}

}  // namespace
}  // namespace library_test
