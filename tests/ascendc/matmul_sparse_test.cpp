// SPDX-License-Identifier: Apache-2.0
// The Matmul object with a sparse B, and layouts of tensors.
#include <random>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "ascendc/lib/matmul_intf.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/products.h"
#include "tests/ascendc/said.h"

using namespace AscendC;
using namespace products;

namespace {

constexpr Sizes kSparseSizes{24, 40, 96};

/// The numbers of B^T, of which at most 2 of 4 along the depth are not 0, and how B is stored.
struct SparseB {
  SparseB() {
    std::mt19937 random(11);
    const int bytes = kSparseSizes.k / 8, high = (kSparseSizes.n + 15) / 16 * 16;
    index.resize(static_cast<std::size_t>((bytes + 7) / 8 * 8 * high));
    for (int col = 0; col < kSparseSizes.n; ++col) {
      for (int group = 0; group < kSparseSizes.k / 4; ++group) {
        const int first = static_cast<int>(random() % 3);
        const int second =
            first + 1 + static_cast<int>(random() % static_cast<unsigned>(3 - first));
        for (const int position : {first, second}) {
          const int value = static_cast<int>(random() % 9) - 4;
          dense[static_cast<std::size_t>((group * 4 + position) * kSparseSizes.n + col)] = value;
          stored.push_back(static_cast<int8_t>(value));
        }
        // A byte has the indices of two groups, in fractals of 16 columns and 8 bytes.
        const int byte = group / 2;
        const auto at = static_cast<std::size_t>(byte / 8 * high * 8 + col * 8 + byte % 8);
        index[at] =
            static_cast<uint8_t>(index[at] | (first | (second - 1) << 2) << (group % 2 * 4));
      }
    }
  }
  std::vector<int> dense =
      std::vector<int>(static_cast<std::size_t>(kSparseSizes.k * kSparseSizes.n));
  std::vector<int8_t> stored;
  std::vector<uint8_t> index;
};

void multiply_sparse(GM_ADDR a, GM_ADDR b, GM_ADDR index, GM_ADDR c, GM_ADDR workspace,
                     TCubeTiling tiling) {
  TPipe pipe;
  SetSysWorkspace(workspace);
  using Result = MatmulType<TPosition::GM, CubeFormat::ND, int32_t>;
  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, int8_t>,
         SparseMatmulType<TPosition::GM, TPosition::GM, CubeFormat::ND, int8_t, true>, Result,
         Result, CFG_MDL>
      product;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &tiling);
  GlobalTensor<int8_t> from_a, from_b;
  GlobalTensor<uint8_t> from_index;
  GlobalTensor<int32_t> to;
  from_a.SetGlobalBuffer(reinterpret_cast<int8_t*>(a));
  from_b.SetGlobalBuffer(reinterpret_cast<int8_t*>(b));
  from_index.SetGlobalBuffer(index);
  to.SetGlobalBuffer(reinterpret_cast<int32_t*>(c));
  product.SetTensorA(from_a);
  product.SetTensorB(from_b, true);
  product.SetSparseIndex(from_index);
  while (product.Iterate()) product.GetTensorC(to);
  product.End();
}

}  // namespace

TEST_CASE("the Matmul object multiplies with a sparse B and its index") {
  const SparseB b;
  const auto a = numbers(static_cast<std::size_t>(kSparseSizes.m * kSparseSizes.k), 12);
  const Device device;
  const auto x = device.memory(stored<int8_t>(a)), y = device.memory(b.stored);
  const auto index = device.memory(b.index);
  const auto c = device.memory(
      std::vector<int32_t>(static_cast<std::size_t>(kSparseSizes.m * kSparseSizes.n)));
  const auto workspace = device.memory<uint8_t>(64);
  const auto address = [](const auto& of) { return reinterpret_cast<GM_ADDR>(of.data()); };
  Said said;
  REQUIRE(KernelOf<&multiply_sparse>::enqueue(
              "sparse", ACLSIM_CORES_MIX_1_1, 1, nullptr, address(x), address(y), address(index),
              address(c), address(workspace), tiling_of(kSparseSizes, 16, 16)) == 0);
  REQUIRE(device.synchronize() == 0);
  CHECK(said.text() == "");
  const auto got = c.host();
  for (int row = 0; row < kSparseSizes.m; ++row) {
    for (int col = 0; col < kSparseSizes.n; ++col) {
      CAPTURE(row, col);
      const int sum = sum_of(a, b.dense, kSparseSizes, rows_of(kSparseSizes.m, kSparseSizes.k),
                             rows_of(kSparseSizes.k, kSparseSizes.n), 0, 0, row, col);
      REQUIRE(got[static_cast<std::size_t>(row * kSparseSizes.n + col)] == sum);
    }
  }
}

TEST_CASE("a layout turns a coordinate into an offset") {
  const auto rows = MakeLayout(MakeShape(5, 7), MakeStride(7, 1));
  static_assert(MakeLayout(MakeShape(5, 7), MakeStride(7, 1))(MakeCoord(3, 4)) == 25);
  CHECK(rows(MakeCoord(4, 6)) == 34);
  CHECK(Crd2Idx(MakeCoord(1, 2), rows) == 9);
  // A number counts through the first of two extents first.
  const auto nested = MakeLayout(MakeShape(MakeShape(2, 3), 4), MakeStride(MakeStride(1, 10), 100));
  CHECK(nested(MakeCoord(MakeCoord(1, 2), 3)) == 321);
  CHECK(nested(MakeCoord(5, 3)) == 321);
}
