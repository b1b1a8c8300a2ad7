// SPDX-License-Identifier: Apache-2.0
// Forms of the Matmul object beside one product in global memory: batches, tilings of compile time,
// policies, column-major matrices, sources and results inside a core. Values come from
// plain loops over small integers, which are exact.
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "ascendc/lib/matmul_intf.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/products.h"
#include "tests/ascendc/said.h"
#include "tiling/matmul_tiling.h"

using namespace AscendC;
using namespace products;

namespace {

constexpr float kUntouched = 99;

template <LayoutMode layout = LayoutMode::NONE, CubeFormat format = CubeFormat::ND>
using A = MatmulType<TPosition::GM, format, half, false, layout>;
template <LayoutMode layout = LayoutMode::NONE, CubeFormat format = CubeFormat::ND>
using B = MatmulType<TPosition::GM, format, half, true, layout>;
template <LayoutMode layout = LayoutMode::NONE, CubeFormat format = CubeFormat::ND>
using C = MatmulType<TPosition::GM, format, float, false, layout>;
using Bias = MatmulType<TPosition::GM, CubeFormat::ND, float>;

/// The arguments of a kernel: A, B, the bias and C in global memory.
struct Tensors {
  GlobalTensor<half> a, b;
  GlobalTensor<float> bias, c;
};
std::function<void(TPipe&, Tensors&)> body;

void run_form(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR workspace) {
  TPipe pipe;
  SetSysWorkspace(workspace);
  Tensors tensors;
  tensors.a.SetGlobalBuffer(reinterpret_cast<half*>(a));
  tensors.b.SetGlobalBuffer(reinterpret_cast<half*>(b));
  tensors.bias.SetGlobalBuffer(reinterpret_cast<float*>(bias));
  tensors.c.SetGlobalBuffer(reinterpret_cast<float*>(c));
  body(pipe, tensors);
}

/// Runs the body on one vector core with its cube core, and returns C; there are no messages.
std::vector<float> result(const std::vector<int>& a, const std::vector<int>& b,
                          const std::vector<int>& bias, std::size_t c_elements,
                          std::function<void(TPipe&, Tensors&)> kernel,
                          std::uint32_t cores = ACLSIM_CORES_MIX_1_1) {
  const Device device;
  const auto x = device.memory(stored<half>(a));
  const auto y = device.memory(stored<half>(b));
  const auto z = device.memory(stored<float>(bias));
  const auto c = device.memory(std::vector<float>(c_elements, kUntouched));
  const auto workspace = device.memory<uint8_t>(64);
  body = std::move(kernel);
  const auto address = [](const auto& of) { return reinterpret_cast<GM_ADDR>(of.data()); };
  Said said;
  const int enqueued =
      KernelOf<&run_form>::enqueue("form", cores, 1, nullptr, address(x), address(y), address(z),
                                   address(c), address(workspace));
  const int ended = device.synchronize();
  INFO(said.text());
  REQUIRE(enqueued == 0);
  REQUIRE(ended == 0);
  CHECK(said.text() == "");
  return c.host();
}

// ---- batches

struct Axes {
  int b, s, n, g, d;
  int all() const { return b * s * n * g * d; }
};

/// Matrix `index` counts through the axes that are not of matrices: B, N and G.
Place place_in(LayoutMode layout, const Axes& x) {
  return [layout, x](int index, int s, int d) -> std::size_t {
    const int in_row = x.n * x.g, b = index / in_row, ng = index % in_row;
    int at = 0;
    if (layout == LayoutMode::BSNGD) at = ((b * x.s + s) * in_row + ng) * x.d + d;
    if (layout == LayoutMode::SBNGD) at = ((s * x.b + b) * in_row + ng) * x.d + d;
    if (layout == LayoutMode::BNGS1S2 || layout == LayoutMode::NORMAL)
      at = (index * x.s + s) * x.d + d;
    return static_cast<std::size_t>(at);
  };
}

template <LayoutMode in, LayoutMode out, const auto& config = CFG_NORM>
void check_batches(int groups_a, int groups_b, bool in_turns) {
  CAPTURE(static_cast<int>(in), static_cast<int>(out), groups_a, groups_b, in_turns);
  const Sizes sizes{20, 24, 16};
  const int most = std::max(groups_a, groups_b);
  const Axes x{2, sizes.m, 3, groups_a, sizes.k}, y{2, sizes.n, 3, groups_b, sizes.k},
      z{2, sizes.m, 3, most, sizes.n};
  const auto a = numbers(static_cast<std::size_t>(x.all()), 1);
  const auto b = numbers(static_cast<std::size_t>(y.all()), 2);
  const int batches = 2 * 3 * most;
  const auto bias = numbers(static_cast<std::size_t>(batches * sizes.n), 3);

  matmul_tiling::MatmulApiTiling maker;
  using matmul_tiling::DataType;
  maker.SetAType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, DataType::DT_FLOAT16);
  maker.SetBType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, DataType::DT_FLOAT16);
  maker.SetCType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, DataType::DT_FLOAT);
  maker.SetShape(sizes.m, sizes.n, sizes.k);
  maker.SetOrgShape(sizes.m, sizes.n, sizes.k);
  REQUIRE(maker.SetALayout(x.b, x.s, x.n, x.g, x.d) == 0);
  REQUIRE(maker.SetBLayout(y.b, y.s, y.n, y.g, y.d) == 0);
  REQUIRE(maker.SetCLayout(z.b, z.s, z.n, z.g, z.d) == 0);
  REQUIRE(maker.SetBatchNum(batches) == 0);
  CHECK(maker.SetBatchNum(0) == -1);
  CHECK(maker.SetALayout(0, 1, 1, 1, 1) == -1);
  TCubeTiling tiling;
  REQUIRE(maker.GetTiling(tiling) == 0);
  CHECK(tiling.BatchNum == batches);

  const auto c =
      result(a, b, bias, static_cast<std::size_t>(z.all()), [&](TPipe& pipe, Tensors& t) {
        Matmul<A<in>, B<in>, C<out>, Bias, config> product;
        const TCubeTiling* const host = &tiling;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, host);
        product.SetTensorA(t.a);
        product.SetTensorB(t.b, true);
        product.SetBias(t.bias);
        const auto of_a = static_cast<uint32_t>(2 * 3 * groups_a);
        const auto of_b = static_cast<uint32_t>(2 * 3 * groups_b);
        if constexpr (config.isNBatch) {
          product.SetWorkspace(t.c);
          product.IterateNBatch(6, of_a / 6, of_b / 6, false);
        } else if (in_turns) {
          product.SetBatchNum(static_cast<int32_t>(of_a), static_cast<int32_t>(of_b));
          product.IterateBatch(t.c, false, 0, false);
        } else {
          product.IterateBatch(t.c, of_a, of_b, false);
        }
        product.End();
      });
  const Place at_a = place_in(in, x), rows_b = place_in(in, y), at_c = place_in(out, z);
  const Place at_b = [&](int index, int k, int col) { return rows_b(index, col, k); };
  for (int i = 0; i < batches; ++i) {
    const int index_a = i * groups_a / most, index_b = i * groups_b / most;
    for (int row = 0; row < sizes.m; ++row) {
      for (int col = 0; col < sizes.n; ++col) {
        const int added =
            bias[static_cast<std::size_t>((config.isBiasBatch ? i * sizes.n : 0) + col)];
        CAPTURE(i, row, col);
        REQUIRE(c[at_c(i, row, col)] ==
                static_cast<float>(sum_of(a, b, sizes, at_a, at_b, index_a, index_b, row, col) +
                                   added));
      }
    }
  }
}

constexpr MatmulConfig kNBatch = [] {
  MatmulConfig made = CFG_NORM;
  made.isNBatch = true;
  return made;
}();
constexpr MatmulConfig kOneBias = [] {
  MatmulConfig made = CFG_NORM;
  made.isBiasBatch = false;
  return made;
}();

}  // namespace

TEST_CASE("batches of products lie as their layouts have them", "[matmul]") {
  check_batches<LayoutMode::NORMAL, LayoutMode::NORMAL>(2, 2, false);
  check_batches<LayoutMode::NORMAL, LayoutMode::NORMAL>(2, 2, true);
  check_batches<LayoutMode::BSNGD, LayoutMode::BSNGD>(2, 2, false);
  check_batches<LayoutMode::SBNGD, LayoutMode::BNGS1S2>(2, 2, false);
  check_batches<LayoutMode::BNGS1S2, LayoutMode::SBNGD>(2, 2, false);
}

TEST_CASE("matrices of the side with fewer of them serve several products", "[matmul]") {
  check_batches<LayoutMode::BSNGD, LayoutMode::BNGS1S2>(1, 4, false);
  check_batches<LayoutMode::NORMAL, LayoutMode::NORMAL>(4, 2, false);
}

TEST_CASE("IterateNBatch writes all batches into the workspace", "[matmul]") {
  check_batches<LayoutMode::BSNGD, LayoutMode::BSNGD, kNBatch>(1, 2, false);
  check_batches<LayoutMode::BNGS1S2, LayoutMode::BNGS1S2, kNBatch>(2, 2, false);
}

TEST_CASE("without isBiasBatch all batches have one bias", "[matmul]") {
  check_batches<LayoutMode::NORMAL, LayoutMode::NORMAL, kOneBias>(2, 2, false);
}

// ---- one product

namespace {

/// A product of row-major A and B^T; `keeps` is true for the elements of C that are not written.
template <class Product>
void check_product(
    const Sizes& sizes, std::uint32_t cores, const Place& at_a, const Place& at_b,
    const Place& at_c, Product&& kernel,
    const std::function<bool(int, int)>& keeps = [](int, int) { return false; }) {
  const auto a = numbers(static_cast<std::size_t>(sizes.m * sizes.k), 4);
  const auto b = numbers(static_cast<std::size_t>(sizes.k * sizes.n), 5);
  const auto c = result(a, b, {0}, static_cast<std::size_t>(sizes.m * sizes.n), kernel, cores);
  for (int row = 0; row < sizes.m; ++row) {
    for (int col = 0; col < sizes.n; ++col) {
      CAPTURE(row, col);
      const int sum = sum_of(a, b, sizes, at_a, at_b, 0, 0, row, col);
      REQUIRE(c[at_c(0, row, col)] == (keeps(row, col) ? kUntouched : static_cast<float>(sum)));
    }
  }
}
template <class Product>
void check_rows(
    const Sizes& sizes, Product&& kernel,
    const std::function<bool(int, int)>& keeps = [](int, int) { return false; },
    std::uint32_t cores = ACLSIM_CORES_MIX_1_1) {
  check_product(sizes, cores, rows_of(sizes.m, sizes.k), cols_of(sizes.k, sizes.n),
                rows_of(sizes.m, sizes.n), kernel, keeps);
}

template <class Object, class Tiling>
void compute(TPipe& pipe, Tensors& t, Object& product, Tiling tiling) {
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, tiling);
  product.SetTensorA(t.a);
  product.SetTensorB(t.b, true);
  product.IterateAll(t.c);
  product.End();
}

constexpr Sizes kSizes{50, 70, 40};
constexpr MatmulShapeParams kAllKnown = {50, 70, 40, 16, 32, 32};
constexpr MatmulShapeParams kBaseKnown = {0, 0, 0, 16, 32, 32};
constexpr auto kKnown =
    GetMatmulApiTiling<A<>, B<>, C<>, Bias>(GetMMConfig<MatmulConfigMode::CONFIG_NORM>(kAllKnown));
constexpr auto kKnownBase =
    GetMatmulApiTiling<A<>, B<>, C<>, Bias>(GetMMConfig<MatmulConfigMode::CONFIG_MDL>(kBaseKnown));

}  // namespace

TEST_CASE("a tiling of compile time needs none of run time", "[matmul]") {
  static_assert(kKnown.singleCoreN == 70 && kKnown.baseM == 16 && kKnown.depthA1 >= 2);
  static_assert(kKnown.cfg.doNorm && kKnownBase.cfg.doMultiDataLoad);
  check_rows(kSizes, [](TPipe& pipe, Tensors& t) {
    Matmul<A<>, B<>, C<>, Bias, kKnown> product;
    compute(pipe, t, product, static_cast<const TCubeTiling*>(nullptr));
  });
}

TEST_CASE("what a tiling of compile time knows replaces the tiling of run time", "[matmul]") {
  const TCubeTiling tiling = tiling_of(kSizes, 48, 48);
  check_rows(kSizes, [&](TPipe& pipe, Tensors& t) {
    Matmul<A<>, B<>, C<>, Bias, kKnownBase> product;
    const TCubeTiling* const host = &tiling;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, host);
    product.SetTensorA(t.a);
    product.SetTensorB(t.b, true);
    int tiles = 0;
    while (product.Iterate()) {
      product.GetTensorC(t.c);
      ++tiles;
    }
    if (tiles != 4 * 3) t.c.SetValue(0, 1234);
    product.End();
  });
}

TEST_CASE("triangular policies leave the tiles of the other triangle", "[matmul]") {
  const Sizes sizes{70, 90, 24};
  const TCubeTiling tiling = tiling_of(sizes, 16, 32);
  using NoCallBack = MatmulCallBackFunc<nullptr, nullptr, nullptr>;
  const auto upper = [&](TPipe& pipe, Tensors& t) {
    Matmul<A<>, B<>, C<>, Bias, CFG_NORM, NoCallBack, Impl::Detail::TrianUpperMatmulPolicy> product;
    compute(pipe, t, product, &tiling);
  };
  const auto lower = [&](TPipe& pipe, Tensors& t) {
    MatmulImpl<A<>, B<>, C<>, Bias, CFG_NORM, NoCallBack, Impl::Detail::TrianLowerMatmulPolicy>
        product;
    compute(pipe, t, product, &tiling);
  };
  const auto all = [&](TPipe& pipe, Tensors& t) {
    Matmul<A<>, B<>, C<>, Bias, CFG_MDL, NoCallBack, Impl::Detail::NBuffer33MatmulPolicy> product;
    compute(pipe, t, product, &tiling);
  };
  check_rows(sizes, upper, [](int row, int col) { return row / 16 > col / 32; });
  check_rows(sizes, lower, [](int row, int col) { return row / 16 < col / 32; });
  check_rows(sizes, all);
}

TEST_CASE("column-major matrices hold their columns one after the other", "[matmul]") {
  const TCubeTiling tiling = tiling_of(kSizes, 16, 32);
  constexpr auto kColumns = CubeFormat::COLUMN_MAJOR;
  const auto whole = [&](TPipe& pipe, Tensors& t) {
    Matmul<A<LayoutMode::NONE, kColumns>, B<LayoutMode::NONE, kColumns>,
           C<LayoutMode::NONE, kColumns>, Bias>
        product;
    const TCubeTiling* const host = &tiling;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, host);
    product.SetTensorA(t.a);
    product.SetTensorB(t.b);
    product.IterateAll(t.c);
    product.End();
  };
  const auto tiles = [&](TPipe& pipe, Tensors& t) {
    Matmul<A<LayoutMode::NONE, kColumns>, B<LayoutMode::NONE, kColumns>,
           C<LayoutMode::NONE, kColumns>, Bias>
        product;
    const TCubeTiling* const host = &tiling;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, host);
    product.SetTensorA(t.a);
    product.SetTensorB(t.b);
    while (product.Iterate()) product.GetTensorC(t.c);
    product.End();
  };
  const auto check = [](const auto& kernel) {
    check_product(kSizes, ACLSIM_CORES_MIX_1_1, cols_of(kSizes.m, kSizes.k),
                  cols_of(kSizes.k, kSizes.n), cols_of(kSizes.m, kSizes.n), kernel);
  };
  check(whole);
  check(tiles);
}

TEST_CASE("a source of a product lies in a queue of L1", "[matmul]") {
  const Sizes sizes{32, 48, 16};
  const TCubeTiling tiling = tiling_of(sizes, 16, 16);
  // One column of fractals: row after row.
  check_rows(sizes, [&](TPipe& pipe, Tensors& t) {
    Matmul<MatmulType<TPosition::TSCM, CubeFormat::NZ, half>, B<>, C<>, Bias> product;
    const TCubeTiling* const host = &tiling;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, host);
    TSCM<TPosition::GM, 1> queue;
    pipe.InitBuffer(queue, 1, 32 * 16 * sizeof(half));
    auto filled = queue.AllocTensor<half>();
    DataCopy(filled, t.a, 32 * 16);
    queue.EnQue(filled);
    auto source = queue.DeQue<half>();
    product.SetTensorA(source);
    product.SetTensorB(t.b, true);
    product.IterateAll(t.c);
    product.End();
    queue.FreeTensor(source);
  });
}

TEST_CASE("each row of a source in the unified buffer begins a block of 32 bytes", "[matmul]") {
  const Sizes sizes{20, 48, 19};
  const TCubeTiling tiling = tiling_of(sizes, 32, 48);
  check_rows(sizes, [&](TPipe& pipe, Tensors& t) {
    Matmul<MatmulType<TPosition::VECOUT, CubeFormat::ND, half>, B<>, C<>, Bias> product;
    const TCubeTiling* const host = &tiling;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, host);
    TQue<TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 20 * 32 * sizeof(half));
    auto filled = queue.AllocTensor<half>();
    DataCopyPad(filled, t.a, DataCopyExtParams(20, 19 * sizeof(half), 0, 0, 0),
                DataCopyPadExtParams<half>());
    queue.EnQue(filled);
    auto source = queue.DeQue<half>();
    PipeBarrier<PIPE_ALL>();
    product.SetTensorA(source);
    product.SetTensorB(t.b, true);
    product.IterateAll(t.c);
    product.End();
    queue.FreeTensor(source);
  });
}

TEST_CASE("Iterate leaves a tile in L0C, from where Fixpipe takes it", "[matmul]") {
  const Sizes sizes{32, 64, 48};
  const TCubeTiling tiling = tiling_of(sizes, 32, 16);
  static_assert(std::is_same_v<GetMmDstType<half>::Type, float>);
  static_assert(std::is_same_v<GetMmDstType<int8_t>::Type, int32_t>);
  check_rows(
      sizes,
      [&](TPipe& pipe, Tensors& t) {
        Matmul<A<>, B<>, MatmulType<TPosition::CO1, CubeFormat::NZ, float>, Bias> product;
        const TCubeTiling* const host = &tiling;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, host);
        product.SetTensorA(t.a);
        product.SetTensorB(t.b, true);
        TQue<TPosition::CO1, Impl::QUEUE_DEPTH> queue;
        pipe.InitBuffer(queue, 1, 32 * 64 * sizeof(float));
        auto sums = queue.AllocTensor<float>();
        for (uint32_t at = 0; product.Iterate(false, sums[at]);) at += at < 3 * 512 ? 512 : 0;
        queue.EnQue(sums);
        queue.DeQue<float>();
        FixpipeParamsV220 params(64, 32, 32, 64, false);
        Fixpipe<float, float, CFG_ROW_MAJOR>(t.c, sums, params);
        queue.FreeTensor(sums);
        product.End();
      },
      [](int, int) { return false; }, ACLSIM_CORES_CUBE);
}

// ---- callbacks

constexpr Sizes kBlocks{40, 48, 80};
constexpr int kDepth = 32;  // of a block

/// A is stored as blocks of the depth, and each block is a matrix of its own.
Place blocks_of_a() {
  return [](int, int row, int k) {
    const int block = k / kDepth, width = std::min(kDepth, kBlocks.k - block * kDepth);
    return static_cast<std::size_t>(block * kDepth * kBlocks.m + row * width + k % kDepth);
  };
}
/// B has its rows backwards.
Place backwards() {
  return [](int, int k, int col) {
    return static_cast<std::size_t>((kBlocks.k - 1 - k) * kBlocks.n + col);
  };
}

void copy_a(const LocalTensor<int8_t>& to, const __gm__ void* gm, int row, int col, int rows,
            int depth, const uint64_t block_rows, const uint64_t whole_rows) {
  GlobalTensor<half> from;
  from.SetGlobalBuffer(static_cast<half*>(const_cast<void*>(gm)));
  Nd2NzParams params;
  params.ndNum = 1;
  params.nValue = static_cast<uint16_t>(rows);
  params.dValue = static_cast<uint16_t>(depth);
  params.srcDValue = static_cast<uint16_t>(depth);
  params.dstNzC0Stride = static_cast<uint16_t>((rows + 15) / 16 * 16);
  params.dstNzNStride = 1;
  const uint64_t first = static_cast<uint64_t>(col * kDepth) * whole_rows +
                         static_cast<uint64_t>(row) * block_rows * static_cast<uint64_t>(depth);
  DataCopy(to.ReinterpretCast<half>(), from[first], params);
}
void copy_b(const LocalTensor<int8_t>& to, const __gm__ void* gm, int row, int col, int depth,
            int cols, const uint64_t, const uint64_t) {
  GlobalTensor<half> from;
  from.SetGlobalBuffer(static_cast<half*>(const_cast<void*>(gm)));
  const LocalTensor<half> block = to.ReinterpretCast<half>();
  Nd2NzParams params;
  params.ndNum = 1;
  params.nValue = 1;
  params.dValue = static_cast<uint16_t>(cols);
  params.srcDValue = kBlocks.n;
  params.dstNzC0Stride = static_cast<uint16_t>((depth + 15) / 16 * 16);
  params.dstNzNStride = 1;
  for (int k = 0; k < depth; ++k) {
    const int stored = kBlocks.k - 1 - (row * kDepth + k);
    DataCopy(block[static_cast<uint32_t>(k * 16)],
             from[static_cast<uint64_t>(stored * kBlocks.n + col * 32)], params);
  }
}

template <class Callbacks, bool plain_b>
void check_callbacks() {
  TCubeTiling tiling = tiling_of(kBlocks, 16, 32);
  tiling.baseK = kDepth;
  using Whole = MatmulType<TPosition::GM, CubeFormat::ND, half>;
  const auto a = numbers(static_cast<std::size_t>(kBlocks.m * kBlocks.k), 4);
  const auto b = numbers(static_cast<std::size_t>(kBlocks.k * kBlocks.n), 5);
  const auto bias = numbers(static_cast<std::size_t>(kBlocks.n), 6);
  const auto c = result(a, b, bias, static_cast<std::size_t>(kBlocks.m * kBlocks.n),
                        [&](TPipe& pipe, Tensors& t) {
                          Matmul<Whole, Whole, C<>, Bias, CFG_NORM, Callbacks> product;
                          const TCubeTiling* const host = &tiling;
                          REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, host);
                          product.SetUserDefInfo(16);
                          product.SetSelfDefineData(kBlocks.m);
                          product.SetTensorA(t.a);
                          product.SetTensorB(t.b);
                          product.SetBias(t.bias);
                          product.IterateAll(t.c);
                          product.End();
                        });
  const Place at_b = plain_b ? rows_of(kBlocks.k, kBlocks.n) : backwards();
  for (int row = 0; row < kBlocks.m; ++row) {
    for (int col = 0; col < kBlocks.n; ++col) {
      CAPTURE(row, col);
      const int sum = sum_of(a, b, kBlocks, blocks_of_a(), at_b, 0, 0, row, col) +
                      bias[static_cast<std::size_t>(col)];
      REQUIRE(c[static_cast<std::size_t>(row * kBlocks.n + col)] == static_cast<float>(sum));
    }
  }
}

TEST_CASE("callbacks of the Matmul object copy blocks of A and of B into L1") {
  check_callbacks<MatmulCallBackFunc<nullptr, &copy_a, nullptr>, true>();
  check_callbacks<MatmulCallBackFunc<nullptr, &copy_a, &copy_b>, false>();
}

constexpr MatmulConfig dual_config() {
  MatmulConfig made = CFG_NORM;
  made.enableMixDualMaster = true;
  return made;
}
constexpr MatmulConfig CFG_DUAL = dual_config();

TEST_CASE("with enableMixDualMaster all cores run the kernel, and the cube core computes") {
  const Sizes sizes{32, 64, 48};
  const TCubeTiling tiling = tiling_of(sizes, 16, 32);
  for (const std::uint32_t cores : {ACLSIM_CORES_CUBE, ACLSIM_CORES_MIX_1_1}) {
    CAPTURE(cores);
    std::atomic<int> vector_cores{0};
    check_rows(
        sizes,
        [&](TPipe& pipe, Tensors& t) {
          Matmul<A<>, B<>, C<>, Bias, CFG_DUAL> product;
          const TCubeTiling* const host = &tiling;
          REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, host);
          product.SetTensorA(t.a);
          product.SetTensorB(t.b, true);
          product.IterateAll(t.c);
          product.End();
          if ASCEND_IS_AIV {
            ++vector_cores;
          }
        },
        [](int, int) { return false; }, cores);
    CHECK(vector_cores == (cores == ACLSIM_CORES_CUBE ? 0 : 1));
  }
}
