// SPDX-License-Identifier: Apache-2.0
// Softmax over rows and its gradient: each function, type, form and layout, and the host's side.
#include "tests/ascendc_library/softmax_bench.h"
#include "tiling/tiling_api.h"

namespace library_test {
namespace {

template <typename S, typename U, bool nz>
void check_softmax(std::uint32_t rows, std::uint32_t columns, std::uint32_t originals) {
  const Plain m = matrix<S>(rows, columns, originals);
  constexpr std::size_t kBlock = 32 / sizeof(U);
  for (const bool given : {true, false}) {
    CAPTURE(given, sizeof(S), sizeof(U), nz, rows, columns);
    CHECK(run([&] {
            Memory memory;
            const auto src = memory.take(placed<S>(m, nz));
            const Result<S> dst(memory, m.values.size()), simple(memory, m.values.size());
            const Result<U> sum(memory, rows * kBlock), most(memory, rows * kBlock);
            const auto tmp = memory.take<std::uint8_t>(8192);
            const SoftMaxTiling tiling{};
            const SoftMaxShapeInfo shape = {rows, columns, rows, originals};
            AscendC::PipeBarrier<PIPE_ALL>();
            if (given) {
              AscendC::SoftMax<S, false, false, nz>(dst, sum, most, src, tmp, tiling, shape);
              AscendC::SimpleSoftMax<S, false, false, nz>(simple, sum, most, src, tmp, tiling,
                                                          shape);
            } else {
              AscendC::SoftMax<S, false, false, nz>(dst, sum, most, src, tiling, shape);
              AscendC::SimpleSoftMax<S, false, false, nz>(simple, sum, most, src, tiling, shape);
            }
            check_ones(sum.values(), kBlock, [&](std::size_t i) { return reduced(m, i).sum; });
            check_ones(most.values(), kBlock, [&](std::size_t i) { return reduced(m, i).most; });
            check_matrix<S>(m, nz, dst.values(), [&](std::size_t i, std::size_t k) {
              const Reduced row = reduced(m, i);
              return std::exp(m.at(i, k) - row.most) / row.sum;
            });
            const auto sums = sum.values();
            check_matrix<S>(m, nz, simple.values(), [&](std::size_t i, std::size_t k) {
              return std::exp(m.at(i, k) - reduced(m, i).most) / number(sums[i * kBlock]);
            });
          }) == "");
  }
}

TEST_CASE("softmax of rows, with maxima and sums, in each type and layout", "[softmax]") {
  check_softmax<float, float, false>(8, 64, 64);
  check_softmax<float, float, false>(5, 72, 67);
  check_softmax<half, half, false>(7, 48, 33);
  check_softmax<half, float, false>(16, 128, 128);
  check_softmax<float, float, true>(16, 64, 60);
  check_softmax<half, half, true>(16, 32, 32);
  check_softmax<half, float, true>(32, 48, 40);
}

TEMPLATE_TEST_CASE("softmax without maxima and sums, in place, with constants of a configuration",
                   "[softmax]", half, float) {
  using T = TestType;
  static constexpr AscendC::SoftmaxConfig kConstants = {false, 4, 30};
  const Plain m = matrix<T>(4, 32, 30, 5);
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(placed<T>(m, false)),
                     same = memory.take(placed<T>(m, false));
          const Result<T> dst(memory, 128), constants(memory, 128);
          const auto tmp = memory.take<std::uint8_t>(4096);
          AscendC::PipeBarrier<PIPE_ALL>();
          const SoftMaxTiling tiling{};
          const SoftMaxShapeInfo shape = {4, 32, 4, 30};
          AscendC::SoftMax<T>(dst.tensor(), src, tmp, tiling, shape);
          AscendC::SoftMax<T, false, false, kConstants>(constants.tensor(), src, tiling,
                                                        {4, 32, 4, 32});
          AscendC::SoftMax(same, same, tiling, shape);
          const auto expected = [&](std::size_t i, std::size_t k) {
            const Reduced row = reduced(m, i);
            return std::exp(m.at(i, k) - row.most) / row.sum;
          };
          check_matrix<T>(m, false, dst.values(), expected);
          check_matrix<T>(m, false, constants.values(), expected);
          AscendC::PipeBarrier<PIPE_ALL>();
          std::vector<T> got(128);
          for (std::uint32_t i = 0; i < 128; ++i) got[i] = same.GetValue(i);
          check_matrix<T>(m, false, got, expected);
        }) == "");
}

TEST_CASE("softmax takes its shape from the tensor, else from the tiling", "[softmax]") {
  const Plain m = matrix<float>(4, 16, 16);
  CHECK(run([&] {
          Memory memory;
          auto src = memory.take(placed<float>(m, false));
          const Result<float> dst(memory, 64), second(memory, 64);
          AscendC::PipeBarrier<PIPE_ALL>();
          SoftMaxTiling tiling{};
          tiling.srcM = 4;
          tiling.srcK = 16;
          AscendC::SoftMax(dst.tensor(), src, tiling);
          const std::uint32_t dims[] = {2, 2, 16};
          src.SetShapeInfo(AscendC::ShapeInfo(3, dims));
          AscendC::SoftMax(second.tensor(), src, SoftMaxTiling{});
          const auto expected = [&](std::size_t i, std::size_t k) {
            const Reduced row = reduced(m, i);
            return std::exp(m.at(i, k) - row.most) / row.sum;
          };
          check_matrix<float>(m, false, dst.values(), expected);
          check_matrix<float>(m, false, second.values(), expected);
        }) == "");
}

template <typename T, bool nz>
void check_grad(std::uint32_t rows, std::uint32_t columns, std::uint32_t originals) {
  constexpr std::size_t kBlock = 32 / sizeof(T);
  const Plain x = matrix<T>(rows, columns, originals, 2, 1),
              g = matrix<T>(rows, columns, originals);
  const auto inner = [&](std::size_t i) {
    double sum = 0;
    for (std::size_t k = 0; k < originals; ++k) sum += x.at(i, k) * g.at(i, k);
    return sum;
  };
  for (const bool given : {true, false}) {
    CAPTURE(sizeof(T), nz, given);
    CHECK(run([&] {
            Memory memory;
            const auto src = memory.take(placed<T>(x, nz)), grad = memory.take(placed<T>(g, nz));
            const Result<T> dst(memory, x.values.size()), front(memory, rows * kBlock),
                only(memory, rows * kBlock);
            const auto tmp = memory.take<std::uint8_t>(8192);
            const SoftMaxTiling tiling{};
            const SoftMaxShapeInfo shape = {rows, columns, rows, originals};
            AscendC::PipeBarrier<PIPE_ALL>();
            if (given) {
              AscendC::SoftmaxGrad<T, false, nz>(dst, grad, src, tmp, tiling, false, shape);
              AscendC::SoftmaxGrad<T, false, nz>(front, grad, src, tmp, tiling, true, shape);
              AscendC::SoftmaxGradFront<T, false, nz>(only, grad, src, tmp, tiling, shape);
            } else {
              AscendC::SoftmaxGrad<T, false, nz>(dst, grad, src, tiling, false, shape);
              AscendC::SoftmaxGrad<T, false, nz>(front, grad, src, tiling, true, shape);
              AscendC::SoftmaxGradFront<T, false, nz>(only, grad, src, tiling, shape);
            }
            const auto near = [&](T got, double expected) {
              return std::abs(number(got) - expected) <=
                     (std::is_same_v<T, float> ? 1e-5 : 1e-3) * (8 + std::abs(expected));
            };
            const auto sums = front.values(), sums_too = only.values(), got = dst.values();
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < rows; ++i) {
              for (std::size_t k = 0; k < kBlock; ++k) {
                wrong += !near(sums[i * kBlock + k], inner(i));
                wrong += !near(sums_too[i * kBlock + k], inner(i));
              }
              for (std::size_t k = 0; k < columns; ++k) {
                wrong += !near(got[place(x, nz, i, k)], (g.at(i, k) - inner(i)) * x.at(i, k));
              }
            }
            CHECK(wrong == 0);
          }) == "");
  }
}

TEST_CASE("the gradient of softmax, and its sums alone", "[softmax]") {
  check_grad<float, false>(8, 64, 64);
  check_grad<float, false>(3, 24, 20);
  check_grad<half, false>(4, 32, 29);
  check_grad<float, true>(16, 32, 32);
  check_grad<half, true>(16, 48, 40);
}

TEMPLATE_TEST_CASE("LogSoftMax is the logarithm to base 10", "[softmax]", half, float) {
  using T = TestType;
  const Plain m = matrix<T>(4, 32, 31, 11, 30);
  constexpr std::size_t kBlock = 32 / sizeof(T);
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(placed<T>(m, false));
          const Result<T> dst(memory, 128), sum(memory, 4 * kBlock), most(memory, 4 * kBlock);
          const auto tmp = memory.take<std::uint8_t>(4096);
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::LogSoftMax(dst.tensor(), sum.tensor(), most.tensor(), src, tmp,
                              AscendC::LogSoftMaxTiling{}, {4, 32, 4, 31});
          check_ones(sum.values(), kBlock, [&](std::size_t i) { return reduced(m, i).sum; });
          check_ones(most.values(), kBlock, [&](std::size_t i) { return reduced(m, i).most; });
          check_matrix<T>(m, false, dst.values(), [&](std::size_t i, std::size_t k) {
            const Reduced row = reduced(m, i);
            return std::log10(std::exp(m.at(i, k) - row.most) / row.sum);
          });
        }) == "");
}

TEST_CASE("AdjustSoftMaxRes fills the rows with a maximum and reports whether there is one",
          "[softmax]") {
  const std::vector<double> maxima = {1, -2, 1, 5};
  CHECK(run([&] {
          Memory memory;
          const Result<float> rows(memory, 4 * 16);
          const Result<half> compact(memory, 4 * 16);
          const auto blocks = memory.take(ones<float>(4, 8, maxima));
          const auto alone = memory.take(ones<half>(4, 1, maxima));
          AscendC::PipeBarrier<PIPE_ALL>();
          const SoftMaxShapeInfo shape = {4, 16, 4, 16};
          CHECK(AscendC::AdjustSoftMaxRes<float, float>(rows, blocks, 0x3f800000, 0.5F, shape));
          CHECK(!AscendC::AdjustSoftMaxRes<float, float>(rows, blocks, 0x3f800001, 9.0F, shape));
          CHECK(AscendC::AdjustSoftMaxRes<half, half, false, 1>(compact, alone, 0xc000, half(3.0F),
                                                                shape));
          check_each(rows.values(),
                     [](std::size_t i) { return i / 16 == 0 || i / 16 == 2 ? 0.5 : 77; });
          check_each(compact.values(), [](std::size_t i) { return i / 16 == 1 ? 3 : 77; });
        }) == "");
}

TEST_CASE("arguments of softmax that do not fit end the kernel with a sentence", "[softmax]") {
  const auto check = [](SoftMaxShapeInfo shape, const char* sentence, auto&& call) {
    const std::string text = refused([&] {
      Memory memory;
      const auto src = memory.take<float>(128), dst = memory.take<float>(256);
      call(dst, src, shape);
    });
    CAPTURE(text, sentence);
    CHECK(contains(text, sentence));
  };
#define SOFTMAX \
  [](auto& dst, auto& src, auto& shape) { AscendC::SoftMax(dst, src, SoftMaxTiling{}, shape); }
  check({8, 12, 8, 12}, "SoftMax: srcK * sizeof(T) is 48; expected a multiple of 32", SOFTMAX);
  check({8, 16, 8, 17}, "SoftMax: oriSrcK is 17; expected 1 to 16", SOFTMAX);
  check({8, 16, 9, 16}, "SoftMax: oriSrcM is 9; expected 1 to 8", SOFTMAX);
  check({9, 16, 9, 16}, "SoftMax: tensor src: 576 bytes needed, 512 there", SOFTMAX);
  check({0, 16, 0, 16}, "SoftMax: srcM is 0; expected 1 to 4294967295", SOFTMAX);
#undef SOFTMAX
  CHECK(contains(refused([] {
                   Memory memory;
                   const auto x = memory.take<half>(8 * 512);
                   const auto f = memory.take<float>(64);
                   const AscendC::SoftMaxParams params = {8, 512, 8, 512, 1, 4, 0.9375F};
                   AscendC::SoftmaxFlashV3<half, float>(x, f, f, f, x, x, f, f, f, SoftMaxTiling{},
                                                        params);
                 }),
                 "SoftmaxFlashV3: params.splitMeanCnt is 4; expected 8 to 8"));
}

TEST_CASE("softmax permits one tensor for dst and src, not one that overlaps by a part",
          "[softmax]") {
  const auto computed = [](auto&& call) {
    return run([&] {
      Memory memory;
      const auto x = memory.take(std::vector<float>(256, 1.0F));
      AscendC::PipeBarrier<PIPE_ALL>();
      call(x, memory.take<float>(64), memory.take<float>(64), memory.take<std::uint8_t>(1024));
    });
  };
  const SoftMaxShapeInfo shape = {8, 16, 8, 16};
  const SoftMaxTiling tiling{};
  CHECK(contains(
      computed([&](auto& x, auto, auto, auto) { AscendC::SoftMax(x[64], x, tiling, shape); }),
      "SoftMax: tensors dst and src overlap; expected memory of their own"));
  CHECK(contains(computed([&](auto& x, auto sum, auto, auto) {
                   AscendC::SoftMax(x, sum, sum, x, tiling, shape);
                 }),
                 "SoftMax: tensors sum and max overlap; expected memory of their own"));
  CHECK(contains(computed([&](auto& x, auto sum, auto most, auto tmp) {
                   AscendC::LogSoftMax(x, sum, most, x, tmp, AscendC::LogSoftMaxTiling{}, shape);
                 }),
                 "LogSoftMax: tensors dst and src overlap; expected memory of their own"));
}

TEST_CASE("the least temporary memory of softmax on the host is that of the kernel", "[softmax]") {
  const AscendC::TensorShape shape(std::vector<std::int64_t>{8, 1000});
  const SoftMaxShapeInfo info = {8, 1000, 8, 1000};
  const SoftMaxTiling tiling{};
  const auto check = [&](std::uint32_t least, std::uint32_t most, const char* name, auto&& call) {
    CAPTURE(name, least);
    CHECK(least >= 4000);
    CHECK(most == 8 * least);
    const auto body = [&](std::uint32_t bytes) {
      return [&call, bytes] {
        Memory memory;
        const auto x = memory.take(std::vector<float>(8000, 1.0F));
        AscendC::PipeBarrier<PIPE_ALL>();
        call(x, memory.take<float>(64), memory.take<float>(64), memory.take<std::uint8_t>(bytes));
      };
    };
    CHECK(run(body(least)) == "");
    CHECK(contains(refused(body(least - 32)),
                   std::string(name) + ": tensor tmp: " + std::to_string(least) +
                       " bytes needed, " + std::to_string(least - 32) + " there"));
  };
  check(AscendC::GetSoftMaxMinTmpSize(shape, 4, false),
        AscendC::GetSoftMaxMaxTmpSize(shape, 4, false), "SoftMax",
        [&](auto& x, auto sum, auto most, auto tmp) {
          AscendC::SoftMax(x, sum, most, x, tmp, tiling, info);
        });
  check(AscendC::GetSoftMaxFlashMinTmpSize(shape, 4, false, false),
        AscendC::GetSoftMaxFlashMaxTmpSize(shape, 4, false, false), "SoftmaxFlash",
        [&](auto& x, auto sum, auto most, auto tmp) {
          AscendC::SoftmaxFlash(x, sum, most, x, sum, sum, most, tmp, tiling, false, info);
        });
  check(AscendC::GetSoftMaxFlashV2MinTmpSize(shape, 4, 4, false),
        AscendC::GetSoftMaxFlashV2MaxTmpSize(shape, 4, 4, false), "SoftmaxFlashV2",
        [&](auto& x, auto sum, auto most, auto tmp) {
          AscendC::SoftmaxFlashV2(x, sum, most, x, sum, sum, most, tmp, tiling, info);
        });
  check(AscendC::GetSoftMaxGradMinTmpSize(shape, 4, true, false),
        AscendC::GetSoftMaxGradMaxTmpSize(shape, 4, true, false), "SoftmaxGrad",
        [&](auto& x, auto sum, auto, auto tmp) {
          AscendC::SoftmaxGrad(sum, x, x, tmp, tiling, true, info);
        });
  std::uint32_t most = 0, least = 0;
  AscendC::GetSoftMaxFlashV3MaxMinTmpSize(shape, 2, 4, most, least, true);
  CHECK(most == 8 * least);
  CHECK(AscendC::GetLogSoftMaxMinTmpSize(shape, 4, false) * 8 ==
        AscendC::GetLogSoftMaxMaxTmpSize(shape, 4, false));
}

TEST_CASE("tilings of softmax cut the rows into groups that fit into the memory", "[softmax]") {
  const AscendC::TensorShape shape(std::vector<std::int64_t>{2, 160, 64});
  AscendC::tiling::SoftMaxTiling plain{};
  optiling::SoftMaxTiling host;
  AscendC::SoftMaxTilingFunc(shape, 2, 25 * 256, plain);
  AscendC::SoftMaxTilingFunc(shape, 2, 25 * 256, host);
  CHECK(plain.srcM == 320);
  CHECK(plain.srcK == 64);
  CHECK(plain.outMaxK == 16);
  CHECK(plain.splitM == 24);
  CHECK(plain.rangeM == 13);
  CHECK(plain.tailM == 8);
  CHECK(plain.tailSplitSize == 512);
  CHECK(host.get_srcM() == 320);
  CHECK(host.get_splitM() == 24);
  CHECK(host.get_tailReduceSize() == 128);
  CHECK(AscendC::IsBasicBlockInSoftMax(plain, 4));
  CHECK(AscendC::IsBasicBlockInSoftMax(host, 4));
  CHECK(!AscendC::IsBasicBlockInSoftMax(plain, 2));  // 128 columns of half at least
  constexpr SoftMaxTiling kOfKernel =
      AscendC::SoftMaxFlashV2TilingFunc(SoftMaxShapeInfo{16, 128, 16, 128}, 2, 4, 4096);
  static_assert(kOfKernel.splitM == 8 && kOfKernel.outMaxK == 8);
  AscendC::SoftMaxFlashV2TilingFunc(shape, 2, 4, 100000, host, true, false, true);
  CHECK(host.get_outMaxK() == 1);
  CHECK(host.get_splitM() == 320);
  AscendC::SoftMaxFlashV3TilingFunc(shape, 2, 4, 100000, plain, true);
  CHECK(plain.outMaxK == 8);
  AscendC::SoftMaxFlashTilingFunc(shape, 4, 256, host, true);
  CHECK(host.get_splitM() == 1);
  AscendC::SoftMaxGradTilingFunc(shape, 4, 100000, host, true);
  CHECK(host.get_reduceSize() == host.get_reduceM() * 8);
  AscendC::tiling::LogSoftMaxTiling logarithm{};
  AscendC::LogSoftMaxTilingFunc(shape, 4, 256, logarithm);
  CHECK(logarithm.srcSize == 20480);
}

}  // namespace
}  // namespace library_test
