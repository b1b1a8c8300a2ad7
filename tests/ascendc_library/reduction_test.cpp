// SPDX-License-Identifier: Apache-2.0
// Reductions of the library: each function, type and form against plain loops on the host.
#include <algorithm>

#include "tests/ascendc_library/bench.h"
#include "tiling/tiling_api.h"

namespace library_test {
namespace {

using AscendC::Pattern::Reduce::AR;
using AscendC::Pattern::Reduce::RA;

enum class Reduction { kSum, kMax, kMin, kProd, kMean, kAny, kAll };

/// The value of `count` elements, `step` elements apart.
template <typename T>
double reduced(Reduction by, const T* from, std::size_t count, std::size_t step) {
  double value = number(from[0]);
  if (by == Reduction::kAny || by == Reduction::kAll) value = value != 0;
  for (std::size_t i = 1; i < count; ++i) {
    const double x = number(from[i * step]);
    switch (by) {
      case Reduction::kSum:
      case Reduction::kMean:
        value += x;
        break;
      case Reduction::kMax:
        value = std::max(value, x);
        break;
      case Reduction::kMin:
        value = std::min(value, x);
        break;
      case Reduction::kProd:
        value *= x;
        break;
      case Reduction::kAny:
        value = value != 0 || x != 0;
        break;
      case Reduction::kAll:
        value = value != 0 && x != 0;
        break;
    }
  }
  return by == Reduction::kMean ? value / static_cast<double>(count) : value;
}

/// Both patterns, with and without temporary memory, of one shape.
template <typename T, typename First, typename Last>
void check_shape(Reduction by, std::uint32_t rows, std::uint32_t cols, bool padded, double least,
                 double most, First&& along_rows, Last&& along_cols) {
  CAPTURE(static_cast<int>(by), rows, cols, padded, sizeof(T));
  const std::uint32_t block = 32 / sizeof(T);
  const std::uint32_t stride = padded ? (cols + block - 1) / block * block : cols;
  std::vector<T> from = random<T>(std::size_t{rows} * stride, least, most);
  // The elements between the rows must not count.
  for (std::uint32_t i = 0; padded && i < rows; ++i) {
    for (std::uint32_t k = cols; k < stride; ++k) from[i * stride + k] = T(101);
  }
  const std::string text = run([&] {
    Memory memory;
    const auto src = memory.take(from);
    const auto tmp = memory.take<std::uint8_t>(std::uint64_t{rows} * (cols * sizeof(T) + 32));
    const Result<T> ar(memory, rows), ra(memory, cols), ar_own(memory, rows), ra_own(memory, cols);
    AscendC::PipeBarrier<PIPE_ALL>();
    const std::uint32_t shape[] = {rows, cols};
    along_rows(ar.tensor(), src, tmp, shape, padded);
    along_cols(ra.tensor(), src, tmp, shape, padded);
    along_rows(ar_own.tensor(), src, shape, padded);
    along_cols(ra_own.tensor(), src, shape, padded);
    const auto row = [&](std::size_t i) { return reduced(by, &from[i * stride], cols, 1); };
    const auto col = [&](std::size_t i) { return reduced(by, &from[i], rows, stride); };
    check_each(ar.values(), row);
    check_each(ra.values(), col);
    check_each(ar_own.values(), row);
    check_each(ra_own.values(), col);
  });
  CHECK(text == "");
}

#define CHECK_PATTERNS(Name, T, least, most, padded)                \
  for (const auto& [rows, cols] : kShapes) {                        \
    check_shape<T>(                                                 \
        Reduction::k##Name, rows, cols, padded, least, most,        \
        [](auto&&... of) { AscendC::Reduce##Name<T, AR>(of...); },  \
        [](auto&&... of) { AscendC::Reduce##Name<T, RA>(of...); }); \
  }
const std::vector<std::pair<std::uint32_t, std::uint32_t>> kShapes = {{1, 1},  {1, 33},  {5, 3},
                                                                      {7, 16}, {3, 600}, {40, 70}};

TEST_CASE("reductions along an axis have the value in f64, rounded once",
          "[reduction]"){CHECK_PATTERNS(Sum, float, -4, 4, true)        // also on 2201
                         CHECK_PATTERNS(Max, float, -4, 4, true)        //
                         CHECK_PATTERNS(Min, float, -4, 4, true)        //
                         CHECK_PATTERNS(Max, half, -4, 4, true)         //
                         CHECK_PATTERNS(Min, half, -4, 4, true)         //
                         CHECK_PATTERNS(Prod, float, 0.9, 1.1, true)    //
                         CHECK_PATTERNS(Mean, float, -4, 4, true)       //
                         CHECK_PATTERNS(Any, float, 0, 1, true)         //
                         CHECK_PATTERNS(Any, std::uint8_t, 0, 2, true)  //
                         CHECK_PATTERNS(All, std::uint8_t, 0, 2, true)  //
                         CHECK_PATTERNS(All, float, 0, 1, true)}
#if __NPU_ARCH__ == 3510
TEST_CASE("reductions of all types of 3510, with rows that are padded or not", "[reduction]") {
  for (const bool padded : {true, false}) {
    CHECK_PATTERNS(Sum, float, -4, 4, padded)
    CHECK_PATTERNS(Sum, std::int32_t, -1e6, 1e6, padded)
    CHECK_PATTERNS(Sum, std::uint32_t, 0, 1e6, padded)
    CHECK_PATTERNS(Sum, std::int64_t, -1e9, 1e9, padded)
    CHECK_PATTERNS(Sum, std::uint64_t, 0, 1e9, padded)
#define CHECK_EXTREMES(T, least, most)        \
  CHECK_PATTERNS(Max, T, least, most, padded) \
  CHECK_PATTERNS(Min, T, least, most, padded)
    CHECK_EXTREMES(std::int8_t, -128, 100)
    CHECK_EXTREMES(std::uint8_t, 0, 100)
    CHECK_EXTREMES(std::int16_t, -3e4, 3e4)
    CHECK_EXTREMES(std::uint16_t, 0, 6e4)
    CHECK_EXTREMES(bfloat16_t, -100, 100)
    CHECK_EXTREMES(std::int32_t, -2e9, 2e9)
    CHECK_EXTREMES(std::uint32_t, 0, 4e9)
    CHECK_EXTREMES(std::int64_t, -4e15, 4e15)
    CHECK_EXTREMES(std::uint64_t, 0, 4e15)
  }
}
#endif

template <typename T, typename Accumulated>
void check_rows(std::uint32_t rows, std::uint32_t n) {
  CAPTURE(rows, n, sizeof(T));
  const std::uint32_t block = 32 / sizeof(T), inner = (n + block - 1) / block * block;
  std::vector<T> from = random<T>(std::size_t{rows} * inner, -4, 4);
  std::uint32_t most = 0, least_sum = 0, least_mean = 0;
  AscendC::GetSumMaxMinTmpSize(n, sizeof(T), false, most, least_sum);
  CHECK(most == least_sum);
  AscendC::GetMeanMaxMinTmpSize(n, sizeof(T), sizeof(Accumulated), false, most, least_mean);
  CHECK(most == least_mean);
  const std::string text = run([&] {
    Memory memory;
    const auto src = memory.take(from);
    const auto tmp = memory.take<std::uint8_t>(least_sum);
    const auto mean_tmp = memory.take<std::uint8_t>(least_mean);
    const Result<T> sum(memory, rows), own(memory, rows), mean(memory, rows),
        own_mean(memory, rows);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::SumParams sums;
    sums.outter = rows;
    sums.inner = inner;
    sums.n = n;
    const AscendC::MeanParams means = {rows, inner, n};
    AscendC::Sum(sum.tensor(), src, tmp, sums);
    AscendC::Sum<T, -1, true>(own.tensor(), src, sums);
    AscendC::Mean<T, Accumulated>(mean.tensor(), src, mean_tmp, means);
    AscendC::Mean<T, Accumulated>(own_mean.tensor(), src, means);
    const auto total = [&](std::size_t i) {
      return reduced(Reduction::kSum, &from[i * inner], n, 1);
    };
    const auto average = [&](std::size_t i) { return total(i) / n; };
    check_each(sum.values(), total);
    check_each(own.values(), total);
    check_each(mean.values(), average);
    check_each(own_mean.values(), average);
  });
  CHECK(text == "");
}

TEST_CASE("sums and means of rows count n elements of each", "[reduction]") {
  for (const auto& [rows, n] : kShapes) {
    check_rows<float, float>(rows, n);
    check_rows<half, half>(rows, n);
    check_rows<half, float>(rows, n);
  }
}

TEST_CASE("the sum of exclusive ors stays in the range of int16_t", "[reduction]") {
  const auto sum_of = [](const std::vector<std::int16_t>& a, const std::vector<std::int16_t>& b) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::int16_t(a[i] ^ b[i]);
    return static_cast<std::int16_t>(
        std::min<std::int64_t>(32767, std::max<std::int64_t>(-32768, sum)));
  };
  const std::vector<std::int16_t> small = random<std::int16_t>(41, -20, 20);
  const std::vector<std::int16_t> other = random<std::int16_t>(41, -20, 20, 2);
  const std::vector<std::int16_t> great(41, 30000), none(41, 0), low(41, -30000);
  std::uint32_t most = 0, least = 0;
  AscendC::GetReduceXorSumMaxMinTmpSize(AscendC::TensorShape({41}), 2, false, most, least);
  const std::string text = run([&] {
    Memory memory;
    const auto a = memory.take(small), b = memory.take(other), c = memory.take(great),
               d = memory.take(none), e = memory.take(low);
    auto tmp = memory.take<std::uint8_t>(least);
    const Result<std::int16_t> first(memory, 1), second(memory, 1), third(memory, 1);
    auto dst = first.tensor();
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::ReduceXorSum(dst, a, b, tmp, 41U);
    AscendC::ReduceXorSum<std::int16_t, true>(second.tensor(), c, d, 41U);
    AscendC::ReduceXorSum(third.tensor(), e, d, 41U);
    CHECK(first.values()[0] == sum_of(small, other));
    CHECK(second.values()[0] == 32767);
    CHECK(third.values()[0] == -32768);
  });
  CHECK(text == "");
}

TEST_CASE("the least temporary memory of the host is what the kernel needs", "[reduction]") {
  const std::uint32_t shape[] = {4, 24};
  std::uint32_t most = 0, least = 0;
  AscendC::GetReduceMaxMaxMinTmpSize(AscendC::TensorShape({4, 24}), ge::DT_FLOAT16,
                                     AscendC::ReducePattern::AR, true, false, most, least);
  CHECK(most == least);
  const auto call = [&](std::uint32_t bytes) {
    Memory memory;
    const auto src = memory.take(random<half>(4 * 32, -1, 1));
    const auto dst = memory.take<half>(4);
    const auto tmp = memory.take<std::uint8_t>(bytes);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::ReduceMax<half, AR>(dst, src, tmp, shape, true);
  };
  CHECK(run([&] { call(least); }) == "");
  const std::string text = refused([&] { call(least - 32); });
  CAPTURE(text);
  CHECK(contains(text, "ReduceMax: tensor tmp: 256 bytes needed, 224 there"));
  AscendC::GetReduceMaxMaxMinTmpSize(AscendC::TensorShape({4, 24}), ge::DT_FLOAT16,
                                     AscendC::ReducePattern::AR, true, true, most, least);
  CHECK(least == 0);
}

TEST_CASE("wrong arguments of reductions end the kernel with a sentence", "[reduction]") {
  const auto of_shape = [](auto&& call) {
    return refused([&] {
      Memory memory;
      const auto src = memory.take(random<float>(64, -1, 1));
      const auto dst = memory.take<float>(8);
      AscendC::PipeBarrier<PIPE_ALL>();
      call(dst, src);
    });
  };
  CHECK(contains(of_shape([](auto& dst, auto& src) {
                   AscendC::Sum(dst, src, AscendC::SumParams{2, 12, 12});
                 }),
                 "Sum: sumParams.inner * sizeof(T) is 48; expected a multiple of 32"));
  CHECK(contains(of_shape([](auto& dst, auto& src) {
                   AscendC::Mean(dst, src, AscendC::MeanParams{2, 16, 17});
                 }),
                 "Mean: meanParams.n is 17; expected 1 to 16"));
  CHECK(contains(of_shape([](auto& dst, auto& src) {
                   const std::uint32_t shape[] = {2, 0};
                   AscendC::ReduceSum<float, AR>(dst, src, shape, true);
                 }),
                 "ReduceSum: srcShape[1] is 0; expected 1 to 4294967295"));
  CHECK(contains(of_shape([](auto& dst, auto& src) {
                   const std::uint32_t shape[] = {2, 8};
                   AscendC::ReduceProd<float, AR>(dst, src, shape, false);
                 }),
                 "ReduceProd: srcInnerPad is false; expected true"));
  CHECK(contains(of_shape([](auto& dst, auto& src) {
                   const std::uint32_t shape[] = {9, 8};
                   AscendC::ReduceMin<float, RA>(dst, src, shape, true);
                 }),
                 "ReduceMin: tensor src: 288 bytes needed, 256 there"));
  CHECK(contains(of_shape([](auto& dst, auto& src) {
                   const std::uint32_t shape[] = {8, 8};
                   AscendC::ReduceMin<float, AR>(dst[9], src, shape, true);
                 }),
                 "ReduceMin: tensor dst"));
}

}  // namespace
}  // namespace library_test
