// SPDX-License-Identifier: Apache-2.0
// The results and the errors of the host's tiling of a product.
#include <random>

#include "acl/acl.h"
#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"
#include "tiling/tiling_api.h"

namespace {

using matmul_tiling::CubeFormat;
using matmul_tiling::DataType;
using Position = matmul_tiling::TPosition;

// The values that a program requests; -1: the tiling decides.
struct Wish {
  int m = 64, n = 64, k = 64;
  DataType a = DataType::DT_FLOAT16, b = DataType::DT_FLOAT16;
  bool local_c = false;  // in the unified buffer
  bool bias = false;
  int base_m = -1, base_n = -1, base_k = -1;
  int l1 = -1, l0c = -1, ub = -1;
};

int64_t tile(const Wish& wish, AscendC::tiling::TCubeTiling& tiling) {
  matmul_tiling::MatmulApiTiling maker;
  maker.SetAType(Position::GM, CubeFormat::ND, wish.a);
  maker.SetBType(Position::GM, CubeFormat::ND, wish.b);
  maker.SetCType(wish.local_c ? Position::VECIN : Position::GM, CubeFormat::ND, DataType::DT_FLOAT);
  maker.SetShape(wish.m, wish.n, wish.k);
  maker.EnableBias(wish.bias);
  maker.SetFixSplit(wish.base_m, wish.base_n, wish.base_k);
  maker.SetBufferSpace(wish.l1, wish.l0c, wish.ub);
  return maker.GetTiling(tiling);
}

// "" where there is a tiling.
std::string why_not(const Wish& wish) {
  AscendC::tiling::TCubeTiling tiling{};
  if (tile(wish, tiling) == 0) return "";
  const char* const text = aclGetRecentErrMsg();
  return text ? text : "no reason";
}

int bytes_of(DataType type) {
  return type == DataType::DT_FLOAT ? 4 : type == DataType::DT_INT8 ? 1 : 2;
}

void require_fits(const Wish& wish, const AscendC::tiling::TCubeTiling& t) {
  const int bytes = bytes_of(wish.a);
  REQUIRE(t.baseM > 0);
  REQUIRE(t.baseN > 0);
  REQUIRE(t.baseK > 0);
  CHECK(t.baseM % 16 == 0);
  CHECK(t.baseN % 16 == 0);
  CHECK(t.baseK * bytes % 32 == 0);
  const auto at_most = [](int most, int limit) { return limit < 0 || limit > most ? most : limit; };
  CHECK(t.baseM * t.baseN * 4 * t.dbL0C <= at_most(128 * 1024, wish.l0c));
  CHECK(t.baseM * t.baseK * bytes * t.dbL0A <= 64 * 1024);
  CHECK(t.baseN * t.baseK * bytes * t.dbL0B <= 64 * 1024);
  const int of_bias = wish.bias ? t.baseN * 4 : 0;
  CHECK((t.baseM * t.depthA1 + t.baseN * t.depthB1) * t.baseK * bytes + of_bias <=
        at_most(524032, wish.l1));
  CHECK(of_bias <= 1024);
  if (wish.local_c) CHECK(t.baseM * t.baseN * 4 <= at_most(196608, wish.ub));
  if (wish.base_m > 0) CHECK(t.baseM == wish.base_m);
  if (wish.base_n > 0) CHECK(t.baseN == wish.base_n);
  if (wish.base_k > 0) CHECK(t.baseK == wish.base_k);
}

}  // namespace

TEST_CASE(
    "each tiling that is given out fits the memories, is as was asked, or is refused with a reason",
    "[matmul][tiling]") {
  std::mt19937_64 random(support::first_seed());
  const auto pick = [&](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random);
  };
  const auto maybe = [&](int value) { return pick(0, 2) == 0 ? value : -1; };
  const DataType types[] = {DataType::DT_FLOAT16, DataType::DT_FLOAT, DataType::DT_INT8,
                            DataType::DT_BF16};
  int given = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    Wish wish;
    wish.m = 1 << pick(0, 12), wish.n = pick(1, 3000), wish.k = pick(1, 3000);
    wish.a = wish.b = types[pick(0, 3)];
    wish.local_c = pick(0, 1) != 0;
    wish.bias = pick(0, 1) != 0;
    wish.base_m = maybe(16 * pick(1, 20)), wish.base_n = maybe(16 * pick(1, 20)),
    wish.base_k = maybe(8 * pick(1, 40));
    wish.l1 = maybe(1 << pick(8, 20)), wish.l0c = maybe(1 << pick(8, 18)),
    wish.ub = maybe(1 << pick(8, 18));
    AscendC::tiling::TCubeTiling tiling{};
    CAPTURE(wish.m, wish.n, wish.k, wish.base_m, wish.base_n, wish.base_k, wish.l1, wish.l0c,
            wish.ub);
    if (tile(wish, tiling) == 0) {
      ++given;
      require_fits(wish, tiling);
    } else {
      CHECK(std::string(aclGetRecentErrMsg()).find("GetTiling") != std::string::npos);
    }
  }
  CHECK(given > 1000);
}

TEST_CASE("tiles that the chip cannot compute are refused by name", "[matmul][tiling]") {
  const auto says = [](const Wish& wish, const char* text) {
    INFO(why_not(wish));
    CHECK(why_not(wish).find(text) != std::string::npos);
  };
  says({.base_m = 17, .base_n = 32},
       "SetFixSplit asks for tiles of 17 x 32 x -1; expected multiples of 16, 16 and 16");
  says({.base_k = 7}, "expected multiples of 16, 16 and 16");
  says({.a = DataType::DT_INT8, .b = DataType::DT_INT8, .base_k = 16},
       "expected multiples of 16, 16 and 32");
  says({.base_m = 256, .base_n = 256},
       "a tile of 256 x 256 x 16 needs 262144 bytes of L0C, which has 131072");
  says({.base_m = 256, .base_k = 256}, "needs 131072 bytes of L0A, which has 65536");
  says({.bias = true, .base_m = 16, .base_n = 512}, "needs 2048 bytes of BT, which has 1024");
  says({.a = DataType::DT_INT8}, "A has type 2 and B type 1; expected the same");
  says({.l1 = 100}, "a tile of 16 x 16 x 16 needs 1024 bytes of L1, which has 100");
  says({.l0c = 0}, "needs 1024 bytes of L0C, which has 0");
  says({.local_c = true, .base_m = 64, .base_n = 64, .ub = 8192},
       "needs 16384 bytes of UB, which has 8192");
  says({.m = 0}, "expected SetShape or SetOrgShape with positive numbers");
  CHECK(why_not({.a = DataType::DT_FLOAT, .b = DataType::DT_FLOAT, .base_k = 8}).empty());
  CHECK(why_not({.a = DataType::DT_BF16, .b = DataType::DT_BFLOAT16}).empty());
}

TEST_CASE("a matrix in L1 is not cut", "[matmul][tiling]") {
  for (const bool is_a : {true, false}) {
    matmul_tiling::MultiCoreMatmulTiling maker;
    maker.SetDim(20);
    maker.SetAType(is_a ? Position::TSCM : Position::GM, CubeFormat::NZ, DataType::DT_FLOAT16);
    maker.SetBType(is_a ? Position::GM : Position::TSCM, CubeFormat::NZ, DataType::DT_FLOAT16);
    maker.SetCType(Position::GM, CubeFormat::ND, DataType::DT_FLOAT);
    maker.SetShape(64, 64, 64);
    AscendC::tiling::TCubeTiling tiling{};
    REQUIRE(maker.GetTiling(tiling) == 0);
    CHECK(tiling.singleCoreM == (is_a ? 64 : 16));
    CHECK(tiling.singleCoreN == (is_a ? 16 : 64));
  }
}

TEST_CASE("products are cut along the axis that public kernels rely on", "[matmul][tiling]") {
  const auto single = [](int m, int n, int k, bool fixed, int cores = 2) {
    matmul_tiling::MultiCoreMatmulTiling maker;
    AscendC::tiling::TCubeTiling tiling{};
    maker.SetDim(cores);
    maker.SetAType(Position::GM, CubeFormat::ND, DataType::DT_FLOAT16);
    maker.SetBType(Position::GM, CubeFormat::ND, DataType::DT_FLOAT16);
    maker.SetCType(Position::GM, CubeFormat::ND, DataType::DT_FLOAT);
    maker.SetShape(m, n, k);
    if (fixed) maker.SetFixSplit(128, 64, 128);
    REQUIRE(maker.GetTiling(tiling) == 0);
    return std::pair(tiling.singleCoreM, tiling.singleCoreN);
  };
  CHECK(single(512, 512, 128, false) == std::pair(256, 512));
  CHECK(single(512, 128, 128, true) == std::pair(512, 64));
  // Whole tiles of 128 x 64: 320 columns would be 5 of them, and 160 columns 3.
  CHECK(single(1024, 320, 128, true) == std::pair(512, 320));
  // Equal parts on 16 cores are preferred to a smaller last part on 24.
  CHECK(single(256, 512, 192, false, 24) == std::pair(64, 128));
  // No such cut has parts that are at most twice as large.
  CHECK(single(16 * 23, 16 * 29, 64, false, 20) == std::pair(96, 96));
}
