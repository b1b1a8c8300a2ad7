// SPDX-License-Identifier: Apache-2.0
// Results of the Matmul object that are quantised on their way out of L0C.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "ascendc/lib/matmul_intf.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/products.h"
#include "tests/ascendc/said.h"

using namespace AscendC;
using namespace products;

namespace {

/// Rows end within a fractal, and so do columns of rows.
constexpr Sizes sizes_of(CubeFormat format) { return {24, format == CubeFormat::ND ? 76 : 96, 32}; }
constexpr int kHigh = 32;  // rows of fractals

/// The parameter of a column: the bits of its factor, and the offset of results of a byte.
std::uint64_t quant_of(float factor, int offset = 0) {
  return std::bit_cast<std::uint32_t>(factor) | (static_cast<std::uint64_t>(offset) & 0x1ff) << 37 |
         std::uint64_t{1} << 46;
}
/// Exact factors that differ from column to column.
float factor_of(int col) { return col % 3 == 0 ? 0.5F : col % 3 == 1 ? 0.25F : 2.0F; }
int offset_of(int col) { return col % 5 - 2; }

enum class Way { all, tiles, local };

template <class A, class C, class Bias, CubeFormat kFormat, bool kColumns, Way kWay>
void quantises(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR quant, GM_ADDR c, GM_ADDR workspace,
               TCubeTiling tiling) {
  TPipe pipe;
  SetSysWorkspace(workspace);
  constexpr TPosition kTo = kWay == Way::local ? TPosition::VECCALC : TPosition::GM;
  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, A>, MatmulType<TPosition::GM, CubeFormat::ND, A>,
         MatmulType<kTo, kFormat, C>, MatmulType<TPosition::GM, CubeFormat::ND, Bias>>
      product;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &tiling);
  GlobalTensor<A> from_a, from_b;
  GlobalTensor<Bias> from_bias;
  GlobalTensor<uint64_t> parameters;
  GlobalTensor<C> to;
  from_a.SetGlobalBuffer(reinterpret_cast<A*>(a));
  from_b.SetGlobalBuffer(reinterpret_cast<A*>(b));
  from_bias.SetGlobalBuffer(reinterpret_cast<Bias*>(bias));
  parameters.SetGlobalBuffer(reinterpret_cast<uint64_t*>(quant));
  to.SetGlobalBuffer(reinterpret_cast<C*>(c));
  if constexpr (kColumns) {
    product.SetQuantVector(parameters);
  } else {
    product.SetQuantScalar(parameters.GetValue(0));
  }
  product.SetTensorA(from_a);
  product.SetTensorB(from_b);
  product.SetBias(from_bias);
  if constexpr (kWay == Way::all) {
    product.IterateAll(to);
  } else if constexpr (kWay == Way::tiles) {
    while (product.Iterate()) product.GetTensorC(to);
  } else {
    TBuf<TPosition::VECCALC> buffer;
    constexpr Sizes kShape = sizes_of(kFormat);
    pipe.InitBuffer(buffer, kShape.m * 96 * sizeof(C));
    const auto local = buffer.template Get<C>();
    product.IterateAll(local);
    PipeBarrier<PIPE_ALL>();
    const auto bytes = static_cast<uint32_t>(kShape.n * sizeof(C));
    DataCopyPad(to, local, DataCopyExtParams(kShape.m, bytes, 0, 0, 0));
  }
  product.End();
}

template <class C>
C rounded(float value, int offset) {
  if constexpr (std::is_same_v<C, half>) {
    return half(value);
  } else {
    const float whole = std::nearbyint(value) + static_cast<float>(offset);
    return static_cast<C>(std::clamp(whole, -128.0F, 127.0F));
  }
}

std::size_t place_of(CubeFormat format, std::size_t width, int row, int col) {
  if (format == CubeFormat::ND) return static_cast<std::size_t>(row * sizes_of(format).n + col);
  const auto across = static_cast<std::size_t>(col) / width;
  return (across * kHigh + static_cast<std::size_t>(row)) * width +
         static_cast<std::size_t>(col) % width;
}

template <class A, class C, class Bias, CubeFormat kFormat, bool kColumns, Way kWay>
void check() {
  constexpr Sizes kShape = sizes_of(kFormat);
  const auto a = numbers(static_cast<std::size_t>(kShape.m * kShape.k), 31);
  const auto b = numbers(static_cast<std::size_t>(kShape.k * kShape.n), 32);
  std::vector<int> bias;
  std::vector<std::uint64_t> quant;
  for (int col = 0; col < kShape.n; ++col) {
    bias.push_back(col * 3 - 100);
    quant.push_back(quant_of(factor_of(kColumns ? col : 0), offset_of(kColumns ? col : 0)));
  }
  constexpr std::size_t kWidth = sizeof(C) == 1 ? 32 : 16;
  const std::size_t cols = (kShape.n + kWidth - 1) / kWidth * kWidth;
  const Device device;
  const auto x = device.memory(stored<A>(a)), y = device.memory(stored<A>(b));
  const auto added = device.memory(stored<Bias>(bias));
  const auto parameters = device.memory(quant);
  const auto c = device.memory(std::vector<C>(kHigh * cols));
  const auto workspace = device.memory<uint8_t>(64);
  const auto address = [](const auto& of) { return reinterpret_cast<GM_ADDR>(of.data()); };
  Said said;
  REQUIRE(KernelOf<&quantises<A, C, Bias, kFormat, kColumns, kWay>>::enqueue(
              "quantises", ACLSIM_CORES_MIX_1_1, 1, nullptr, address(x), address(y), address(added),
              address(parameters), address(c), address(workspace), tiling_of(kShape, 16, 64)) == 0);
  const int code = device.synchronize();
  CHECK(said.text() == "");
  REQUIRE(code == 0);
  const auto got = c.host();
  for (int row = 0; row < kShape.m; ++row) {
    for (int col = 0; col < kShape.n; ++col) {
      CAPTURE(row, col);
      const int sum = sum_of(a, b, kShape, rows_of(kShape.m, kShape.k), rows_of(kShape.k, kShape.n),
                             0, 0, row, col) +
                      bias[static_cast<std::size_t>(col)];
      const int of = kColumns ? col : 0;
      const C wanted = rounded<C>(static_cast<float>(sum) * factor_of(of), offset_of(of));
      REQUIRE(static_cast<float>(got[place_of(kFormat, kWidth, row, col)]) ==
              static_cast<float>(wanted));
    }
  }
}

template <bool kSets>
void forgets(GM_ADDR a, GM_ADDR c, GM_ADDR workspace, TCubeTiling tiling) {
  TPipe pipe;
  SetSysWorkspace(workspace);
  using Byte = MatmulType<TPosition::GM, CubeFormat::ND, int8_t>;
  Matmul<Byte, Byte, Byte, MatmulType<TPosition::GM, CubeFormat::ND, int32_t>> product;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &tiling);
  GlobalTensor<int8_t> from, to;
  from.SetGlobalBuffer(reinterpret_cast<int8_t*>(a));
  to.SetGlobalBuffer(reinterpret_cast<int8_t*>(c));
  if constexpr (kSets) product.SetQuantScalar(0x3f800000);
  product.SetTensorA(from);
  product.SetTensorB(from);
  product.IterateAll(to);
  product.End();
}

}  // namespace

TEST_CASE("integer sums become half with a factor for all columns or for each", "[matmul]") {
  check<int8_t, half, int32_t, CubeFormat::ND, false, Way::all>();
  check<int8_t, half, int32_t, CubeFormat::ND, true, Way::all>();
  check<int8_t, half, int32_t, CubeFormat::ND, true, Way::tiles>();
  check<int8_t, half, int32_t, CubeFormat::NZ, true, Way::all>();
  check<int8_t, half, int32_t, CubeFormat::ND, true, Way::local>();
}

TEST_CASE("integer sums become bytes with a factor and an offset", "[matmul]") {
  check<int8_t, int8_t, int32_t, CubeFormat::ND, false, Way::all>();
  check<int8_t, int8_t, int32_t, CubeFormat::ND, true, Way::tiles>();
  check<int8_t, int8_t, int32_t, CubeFormat::NZ, true, Way::all>();
}

TEST_CASE("sums of half become bytes with a factor and an offset", "[matmul]") {
  check<half, int8_t, half, CubeFormat::ND, false, Way::all>();
  check<half, int8_t, half, CubeFormat::ND, true, Way::tiles>();
}

TEST_CASE("a result that needs a parameter of quantisation has one", "[matmul]") {
  const Device device;
  const auto x = device.memory<int8_t>(1024), c = device.memory<int8_t>(1024);
  const auto workspace = device.memory<uint8_t>(64);
  const auto address = [](const auto& of) { return reinterpret_cast<GM_ADDR>(of.data()); };
  Said said;
  REQUIRE(KernelOf<&forgets<true>>::enqueue("sets", ACLSIM_CORES_MIX_1_1, 1, nullptr, address(x),
                                            address(c), address(workspace),
                                            tiling_of({16, 32, 32}, 16, 32)) == 0);
  CHECK(device.synchronize() == 0);
  REQUIRE(KernelOf<&forgets<false>>::enqueue("forgets", ACLSIM_CORES_MIX_1_1, 1, nullptr,
                                             address(x), address(c), address(workspace),
                                             tiling_of({16, 32, 32}, 16, 32)) == 0);
  CHECK(device.synchronize() != 0);
  CHECK(contains(said.text(), "expected SetQuantScalar or SetQuantVector"));
}
