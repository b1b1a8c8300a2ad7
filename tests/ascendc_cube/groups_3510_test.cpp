// SPDX-License-Identifier: Apache-2.0
// Copies between the cores of a group on 3510: Fixpipe and DataCopyL1ToUB into unified buffers of
// vector cores, and DataCopy of a vector core into L1.
#include <string>
#include <vector>

#include "tests/ascendc/planted.h"
#include "tests/ascendc_cube/matrices.h"
#include "tests/support/catch.h"

namespace planted {
namespace {

using namespace AscendC;

constexpr FixpipeConfig kRowsToUb{CO2Layout::ROW_MAJOR, true};
constexpr FixpipeConfig kFractalsToUb{CO2Layout::NZ, true};
constexpr uint32_t kM = 32, kN = 64, kK = 16;
constexpr uint32_t kBack = 4096;  // floats before the results in the memory

using cube_test::Matrix;

/// The memory of a kernel: A and B^T as rows of halves, and then the results of each vector core.
struct Memory {
  Memory() : values(2 * kBack, -1.0F) {
    std::mt19937 random(7);
    a = cube_test::random_matrix(kM, kK, random);
    b = cube_test::random_matrix(kK, kN, random);
    auto* const halves = reinterpret_cast<half*>(values.data());
    for (uint32_t i = 0; i < kM * kK; ++i) halves[i] = half(a.values[i]);
    for (uint32_t k = 0; k < kK; ++k) {
      for (uint32_t j = 0; j < kN; ++j) {
        halves[1024 + j * kK + k] = half(b.at(k, j));
      }
    }
  }
  Matrix a{1, 1}, b{1, 1};
  std::vector<float> values;
};

/// The product in L0C: A is one column of fractals, and so is B^T.
void multiply(GM_ADDR x) {
  GlobalTensor<half> a, b;
  a.SetGlobalBuffer(reinterpret_cast<half*>(x), kM * kK);
  b.SetGlobalBuffer(reinterpret_cast<half*>(x) + 1024, kN * kK);
  const LocalTensor<half> a1(TPosition::A1, 0, kM * kK);
  const LocalTensor<half> b1(TPosition::B1, 4096, kN * kK);
  const LocalTensor<half> a2(TPosition::A2, 0, kM * kK);
  const LocalTensor<half> b2(TPosition::B2, 0, kN * kK);
  const LocalTensor<float> sums(TPosition::CO1, 0, kM * kN);
  DataCopy(a1, a, kM * kK);
  DataCopy(b1, b, kN * kK);
  order<HardEvent::MTE2_MTE1>();
  LoadData(a2, a1, LoadData2DParams{0, kM / 16, 1, 0, 0, false, 0});
  LoadData(b2, b1, LoadData2DParams{0, kN / 16, 1, 0, 0, false, 0});
  order<HardEvent::MTE1_M>();
  MmadParams params;
  params.m = kM;
  params.n = kN;
  params.k = kK;
  Mmad(sums, a2, b2, params);
  order<HardEvent::M_FIX>();
}

template <CO2Layout layout>
FixpipeParamsArch3510<layout> results(uint32_t stride, uint8_t dual = 0, bool second = false) {
  FixpipeParamsArch3510<layout> params;
  params.mSize = kM;
  params.nSize = kN;
  params.srcStride = kM;
  params.dstStride = stride;
  params.dualDstCtl = dual;
  params.subBlockId = second;
  return params;
}

/// A vector core stores its unified buffer as its results.
void store(GM_ADDR x, uint32_t count) {
  GlobalTensor<float> to;
  to.SetGlobalBuffer(
      reinterpret_cast<float*>(x) + kBack + static_cast<uint32_t>(GetSubBlockIdx()) * 2048, 2048);
  const LocalTensor<float> t(TPosition::VECCALC, 0, 2048);
  CrossCoreWaitFlag(3);
  DataCopy(to, t, count);
}

template <CO2Layout layout, uint32_t stride, uint8_t dual, bool second, uint32_t count>
void fixpipe_to_ub(GM_ADDR x) {
  if ASCEND_IS_AIC {
    multiply(x);
    const LocalTensor<float> t(TPosition::VECCALC, 0, 2048);
    const LocalTensor<float> sums(TPosition::CO1, 0, kM * kN);
    constexpr const FixpipeConfig& config = layout == CO2Layout::NZ ? kFractalsToUb : kRowsToUb;
    Fixpipe<float, float, config>(t, sums, results<layout>(stride, dual, second));
    CrossCoreSetFlag<2, PIPE_FIX>(3);
  }
  if ASCEND_IS_AIV {
    if (dual != 0 || (GetSubBlockIdx() == 1) == second) {
      store(x, count);
    } else {
      CrossCoreWaitFlag(3);
    }
  }
}

/// The results that the two vector cores stored.
template <auto kernel>
std::vector<float> results_of(Memory& with) {
  Device device;
  auto memory = device.memory(with.values);
  Said said;
  REQUIRE(KernelOf<kernel>::enqueue("to_ub", ACLSIM_CORES_MIX_1_2, 1, nullptr,
                                    reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  REQUIRE(device.synchronize() == 0);
  CHECK(said.text() == "");
  const std::vector<float> all = memory.host();
  return {all.begin() + kBack, all.end()};
}

void fixpipe_to_memory(GM_ADDR x) {
  if ASCEND_IS_AIC {
    multiply(x);
    GlobalTensor<float> to;
    to.SetGlobalBuffer(reinterpret_cast<float*>(x) + kBack, 4096);
    const LocalTensor<float> sums(TPosition::CO1, 0, kM * kN);
    constexpr static FixpipeConfig kRows = {CO2Layout::ROW_MAJOR, false};
    Fixpipe<float, float, kRows>(to, sums, results<CO2Layout::ROW_MAJOR>(kN, 1));
  }
}
TEST_CASE("dualDstCtl has no effect on results in global memory", "[cube][groups]") {
  Memory memory;
  const Matrix c = cube_test::product(memory.a, memory.b);
  const auto made = results_of<&fixpipe_to_memory>(memory);
  for (uint32_t i = 0; i < kM * kN; ++i) REQUIRE(made[i] == static_cast<float>(c.values[i]));
}

TEST_CASE("Fixpipe fills the unified buffer of the vector core that subBlockId names",
          "[cube][groups]") {
  Memory memory;
  const Matrix c = cube_test::product(memory.a, memory.b);
  const auto of_first =
      results_of<&fixpipe_to_ub<CO2Layout::ROW_MAJOR, kN, 0, false, 2048>>(memory);
  const auto of_second =
      results_of<&fixpipe_to_ub<CO2Layout::ROW_MAJOR, kN, 0, true, 2048>>(memory);
  for (uint32_t i = 0; i < kM * kN; ++i) {
    REQUIRE(of_first[i] == static_cast<float>(c.values[i]));
    REQUIRE(of_first[2048 + i] == -1.0F);
    REQUIRE(of_second[i] == -1.0F);
    REQUIRE(of_second[2048 + i] == static_cast<float>(c.values[i]));
  }
}

TEST_CASE("Fixpipe gives each vector core half of the rows or of the columns", "[cube][groups]") {
  Memory memory;
  const Matrix c = cube_test::product(memory.a, memory.b);
  const auto rows = results_of<&fixpipe_to_ub<CO2Layout::ROW_MAJOR, kN, 1, false, 1024>>(memory);
  const auto cols =
      results_of<&fixpipe_to_ub<CO2Layout::ROW_MAJOR, kN / 2, 2, false, 1024>>(memory);
  const auto fractals =
      results_of<&fixpipe_to_ub<CO2Layout::NZ, kM / 2 * 16, 1, false, 1024>>(memory);
  for (uint32_t row = 0; row < kM; ++row) {
    for (uint32_t col = 0; col < kN; ++col) {
      const auto value = static_cast<float>(c.at(row, col));
      const uint32_t lower = row / 16, right = col / 32;
      REQUIRE(rows[lower * 2048 + row % 16 * kN + col] == value);
      REQUIRE(cols[right * 2048 + row * 32 + col % 32] == value);
      REQUIRE(fractals[lower * 2048 + col / 16 * 256 + row % 16 * 16 + col % 16] == value);
    }
  }
}

void l1_to_ub(GM_ADDR x) {
  if ASCEND_IS_AIC {
    GlobalTensor<float> from;
    from.SetGlobalBuffer(reinterpret_cast<float*>(x), 512);
    const LocalTensor<float> l1(TPosition::A1, 0, 512);
    const LocalTensor<float> t(TPosition::VECCALC, 0, 512);
    DataCopy(l1, from, 512);
    order<HardEvent::MTE2_MTE1>();
    DataCopyL1ToUB(t, l1, 256);
    DataCopyL1ToUB<float, 1>(t, l1[256], DataCopyParams{4, 2, 2, 0});
    CrossCoreSetFlag<2, PIPE_MTE1>(3);
  }
  if ASCEND_IS_AIV {
    store(x, GetSubBlockIdx() == 0 ? 256 : 64);
  }
}

TEST_CASE("DataCopyL1ToUB fills the unified buffer of either vector core", "[cube][groups]") {
  Memory memory;
  for (uint32_t i = 0; i < 512; ++i) memory.values[i] = static_cast<float>(i);
  const auto got = results_of<&l1_to_ub>(memory);
  for (uint32_t i = 0; i < 256; ++i) REQUIRE(got[i] == static_cast<float>(i));
  for (uint32_t i = 0; i < 64; ++i) {
    REQUIRE(got[2048 + i] == static_cast<float>(256 + i / 16 * 32 + i % 16));
  }
}

/// Each vector core copies one operand into L1.
void ub_to_l1(GM_ADDR x) {
  if ASCEND_IS_AIV {
    const auto which = static_cast<uint32_t>(GetSubBlockIdx());
    const uint32_t count = which == 0 ? kM * kK : kN * kK;
    GlobalTensor<half> from;
    from.SetGlobalBuffer(reinterpret_cast<half*>(x) + which * 1024, count);
    const LocalTensor<half> t(TPosition::VECIN, 0, count);
    const LocalTensor<half> l1(TPosition::A1, which * 4096, count);
    DataCopy(t, from, count);
    order<HardEvent::MTE2_MTE3>();
    DataCopy(l1, t, count);
    CrossCoreSetFlag<2, PIPE_MTE3>(4);
  }
  if ASCEND_IS_AIC {
    const LocalTensor<half> l1(TPosition::A1, 0, 4096);
    const LocalTensor<half> a2(TPosition::A2, 0, kM * kK);
    const LocalTensor<half> b2(TPosition::B2, 0, kN * kK);
    const LocalTensor<float> sums(TPosition::CO1, 0, kM * kN);
    GlobalTensor<float> c;
    c.SetGlobalBuffer(reinterpret_cast<float*>(x) + kBack, kM * kN);
    CrossCoreWaitFlag(4);
    LoadData(a2, l1, LoadData2DParams{0, kM / 16, 1, 0, 0, false, 0});
    LoadData(b2, l1[2048], LoadData2DParams{0, kN / 16, 1, 0, 0, false, 0});
    order<HardEvent::MTE1_M>();
    MmadParams params;
    params.m = kM;
    params.n = kN;
    params.k = kK;
    Mmad(sums, a2, b2, params);
    order<HardEvent::M_FIX>();
    Fixpipe<float, float, CFG_ROW_MAJOR>(c, sums, results<CO2Layout::ROW_MAJOR>(kN));
  }
}

TEST_CASE("vector cores fill L1 of their cube core", "[cube][groups]") {
  Memory memory;
  const Matrix c = cube_test::product(memory.a, memory.b);
  const auto got = results_of<&ub_to_l1>(memory);
  for (uint32_t i = 0; i < kM * kN; ++i) REQUIRE(got[i] == static_cast<float>(c.values[i]));
}

// ---- planted mistakes

void fill_ub(uint8_t dual) {
  const LocalTensor<float> t(TPosition::VECCALC, 0, 2048);
  const LocalTensor<float> sums(TPosition::CO1, 0, kM * kN);
  Fixpipe<float, float, kRowsToUb>(t, sums, results<CO2Layout::ROW_MAJOR>(kN, dual));
}

PLANTED(reads_what_fixpipe_has_not_written) {
  if ASCEND_IS_AIC {
    multiply(x);
    fill_ub(1);
    CrossCoreSetFlag<2, PIPE_FIX>(3);
  }
  if ASCEND_IS_AIV {
    GlobalTensor<float> to;
    to.SetGlobalBuffer(reinterpret_cast<float*>(x) + 2048 + GetSubBlockIdx() * 1024, 1024);
    const LocalTensor<float> t(TPosition::VECCALC, 0, 1024);
    if (good) CrossCoreWaitFlag(3);
    DataCopy(to, t, 1024);
    if (!good) CrossCoreWaitFlag(3);
  }
}
PLANTED(fills_what_the_vector_core_still_reads) {
  if ASCEND_IS_AIC {
    multiply(x);
    fill_ub(1);
    CrossCoreSetFlag<2, PIPE_FIX>(3);
    if (good) CrossCoreWaitFlag(4);
    fill_ub(1);
    if (!good) CrossCoreWaitFlag(4);
    CrossCoreSetFlag<2, PIPE_FIX>(3);
  }
  if ASCEND_IS_AIV {
    GlobalTensor<float> to;
    to.SetGlobalBuffer(reinterpret_cast<float*>(x) + 2048 + GetSubBlockIdx() * 1024, 1024);
    const LocalTensor<float> t(TPosition::VECCALC, 0, 1024);
    CrossCoreWaitFlag(3);
    DataCopy(to, t, 1024);
    CrossCoreSetFlag<2, PIPE_MTE3>(4);
    CrossCoreWaitFlag(3);
  }
}
PLANTED(vector_cores_fill_the_same_bytes_of_l1) {
  if ASCEND_IS_AIV {
    const auto which = static_cast<uint32_t>(GetSubBlockIdx());
    const LocalTensor<float> t(TPosition::VECCALC, 0, 64);
    const LocalTensor<float> l1(TPosition::A1, good ? which * 256 : 0, 64);
    Duplicate(t, static_cast<float>(which), 64);
    order<HardEvent::V_MTE3>();
    DataCopy(l1, t, 64);
  }
}
PLANTED(fills_a_vector_core_that_is_not_there) {
  if ASCEND_IS_AIC {
    multiply(x);
    const LocalTensor<float> t(TPosition::VECCALC, 0, 2048);
    const LocalTensor<float> sums(TPosition::CO1, 0, kM * kN);
    Fixpipe<float, float, kRowsToUb>(t, sums, results<CO2Layout::ROW_MAJOR>(kN, 0, !good));
  }
}
PLANTED(halves_an_odd_number_of_rows) {
  if ASCEND_IS_AIC {
    multiply(x);
    const LocalTensor<float> t(TPosition::VECCALC, 0, 2048);
    const LocalTensor<float> sums(TPosition::CO1, 0, kM * kN);
    auto params = results<CO2Layout::ROW_MAJOR>(kN, 1);
    params.mSize = good ? 30 : 31;
    Fixpipe<float, float, kRowsToUb>(t, sums, params);
  }
}

TEST_CASE("groups: a mistake between cores is found at its line, and its repair is not",
          "[cube][groups][planted]") {
  constexpr int kEnds = 507015;
  constexpr auto kGroup = ACLSIM_CORES_MIX_1_2;
  check(ROW(fills_what_the_vector_core_still_reads, 0, "blocks-race", 1, kGroup),
        "of UB of vector core");
  check(ROW(vector_cores_fill_the_same_bytes_of_l1, 0, "blocks-write-same", 1, kGroup),
        "of L1 of the cube core");
  check(ROW(fills_a_vector_core_that_is_not_there, kEnds, "cube-position", 1, ACLSIM_CORES_MIX_1_1),
        "vector core 1");
  check(ROW(halves_an_odd_number_of_rows, kEnds, "argument", 1, kGroup), "mSize is 31");
}

TEST_CASE("groups: a read before the flag is found whether it is too early or only unordered",
          "[cube][groups][planted]") {
  const Planted mistake =
      ROW(reads_what_fixpipe_has_not_written, 0, "blocks-race", 1, ACLSIM_CORES_MIX_1_2);
  std::string text;
  CHECK(run(mistake, true, 1, text) == 0);
  CHECK(text == "");
  CHECK(run(mistake, false, 1, text) == 0);
  CAPTURE(text);
  CHECK((contains(text, "[blocks-race]") || contains(text, "[local-unwritten]")));
}

}  // namespace
}  // namespace planted
