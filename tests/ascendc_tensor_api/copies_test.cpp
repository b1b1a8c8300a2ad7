// SPDX-License-Identifier: Apache-2.0
// Copies of the tensor API between global memory, the unified buffer and L1; operations that a
// program adds; products with scales.
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "ascendc/tensor_api/tensor.h"
#include "tests/ascendc/planted.h"
#include "tests/ascendc_cube/matrices.h"
#include "tests/support/catch.h"

namespace tensor_api_test {
namespace {

using namespace AscendC::Te;
using AscendC::HardEvent;
using cube_test::order;

template <class T>
GM_ADDR address(T* pointer) {
  return reinterpret_cast<GM_ADDR>(pointer);
}

struct Part {
  uint32_t rows, cols;  // of the matrices in global memory
  uint32_t row, col;    // of the part that is copied
  uint32_t high, wide;
};

/// A part of a matrix through the unified buffer to the same place of another one.
template <class T, class Pattern>
void copies_part(GM_ADDR from, GM_ADDR to, Part part) {
  const auto all = MakeFrameLayout<Pattern>(part.rows, part.cols);
  const auto shape = MakeShape(part.high, part.wide);
  const auto at = MakeCoord(part.row, part.col);
  const auto in = MakeTensor(MakeMemPtr(reinterpret_cast<T*>(from)), all).Slice(at, shape);
  const auto out = Slice(MakeTensor(MakeMemPtr(reinterpret_cast<T*>(to)), all), at, shape);
  // Each row, or each column, begins at a multiple of 32 bytes.
  const auto place =
      MakeTensor(MakeMemPtr<Location::UB, T>(0),
                 std::is_same_v<Pattern, NDExtLayoutPtn>
                     ? MakeFrameLayout<Pattern>(part.high, cube_test::up(part.wide, 32))
                     : MakeFrameLayout<Pattern>(cube_test::up(part.high, 32), part.wide));
  const auto first = place.Slice(MakeCoord(0, 0), shape);
  const auto second_place = MakeTensor(MakeMemPtr<Location::UB, T>(64 * 1024), place.Layout());
  const auto second = second_place.Slice(MakeCoord(0, 0), shape);
  Copy(MakeCopy(CopyGM2UB{}), first, in);
  order<HardEvent::MTE2_V>();
  Copy(MakeCopy(CopyUB2UB{}), second, first);
  order<HardEvent::V_MTE3>();
  Copy(MakeCopy(CopyUB2GM{}, CopyUB2GMTraitDefault{}), out, second);
}

template <class T, class Pattern>
void check_part(const char* types, Part part) {
  CAPTURE(types, part.rows, part.cols, part.row, part.col, part.high, part.wide);
  std::vector<T> values(std::size_t{part.rows} * part.cols);
  std::iota(values.begin(), values.end(), T{1});
  Device device;
  const auto from = device.memory(values);
  const auto to = device.memory(std::vector<T>(values.size(), T{0}));
  Said said;
  REQUIRE(launch("copies_part", (copies_part<T, Pattern>), 1, address(from.data()),
                 address(to.data()), part) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
  const std::vector<T> made = to.host();
  for (uint32_t row = 0; row < part.rows; ++row) {
    for (uint32_t col = 0; col < part.cols; ++col) {
      CAPTURE(row, col);
      const std::size_t at = std::is_same_v<Pattern, NDExtLayoutPtn>
                                 ? std::size_t{row} * part.cols + col
                                 : std::size_t{col} * part.rows + row;
      const bool copied = row >= part.row && row < part.row + part.high && col >= part.col &&
                          col < part.col + part.wide;
      CHECK(made[at] == (copied ? values[at] : T{0}));
    }
  }
}

TEST_CASE("tensor API: a part of a matrix goes to the unified buffer and back, and nothing else",
          "[tensor_api][acl]") {
  check_part<float, NDExtLayoutPtn>("float by rows", {9, 40, 2, 3, 5, 21});
  check_part<float, DNExtLayoutPtn>("float by columns", {40, 9, 3, 2, 21, 5});
  check_part<int16_t, NDExtLayoutPtn>("int16_t by rows", {4, 64, 0, 0, 4, 64});
  check_part<int8_t, NDExtLayoutPtn>("int8_t by rows", {3, 40, 1, 1, 1, 39});
}

/// A stride of 0 repeats the same row.
void repeats_a_row(GM_ADDR x) {
  const auto shape = MakeShape(3, 16);
  const auto rows = [&](auto pointer, int stride) {
    return MakeTensor(pointer, MakePatternLayout<NDLayoutPtn, LayoutTraitDefault<>>(
                                   shape, MakeStride(stride, _1{})));
  };
  const auto place = rows(MakeMemPtr<Location::UB, float>(0), 16);
  Copy(MakeCopy(CopyGM2UB{}), place, rows(MakeMemPtr(reinterpret_cast<float*>(x)), 0));
  order<HardEvent::MTE2_MTE3>();
  Copy(MakeCopy(CopyUB2GM{}), rows(MakeMemPtr(reinterpret_cast<float*>(x) + 64), 16), place);
}
TEST_CASE("tensor API: a stride of 0 in global memory repeats a row", "[tensor_api][acl]") {
  std::vector<float> values(256, -1.0F);
  std::iota(values.begin(), values.begin() + 16, 1.0F);
  Device device;
  const auto memory = device.memory(values);
  Said said;
  REQUIRE(launch("repeats_a_row", repeats_a_row, 1, address(memory.data())) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
  const std::vector<float> made = memory.host();
  for (std::size_t i = 0; i < 48; ++i) CHECK(made[64 + i] == static_cast<float>(i % 16 + 1));
  CHECK(made[64 + 48] == -1.0F);
}

/// The vector core stores a matrix into L1 of its group; the cube core has it multiplied by the
/// unit matrix.
void passes_through_l1(GM_ADDR from, GM_ADDR unit, GM_ADDR to) {
  constexpr uint32_t kSide = 32;
  const auto fractals = MakeFrameLayout<NZLayoutPtn, half>(kSide, kSide);
  const auto a1 = MakeTensor(MakeMemPtr<Location::L1, half>(0), fractals);
  if (g_coreType == AscendC::AIV) {
    if (AscendC::GetSubBlockIdx() != 0) return;
    const auto in = MakeTensor(MakeMemPtr(reinterpret_cast<half*>(from)), fractals);
    const auto ub = MakeTensor(MakeMemPtr<Location::UB, half>(0), fractals);
    Copy(MakeCopy(CopyGM2UB{}), ub, in);
    order<HardEvent::MTE2_MTE3>();
    Copy(MakeCopy(CopyUB2L1{}), a1, ub);
    AscendC::CrossCoreSetFlag<4, PIPE_MTE3>(1);
    return;
  }
  const auto rows = MakeFrameLayout<NDExtLayoutPtn>(kSide, kSide);
  const auto b1 = MakeTensor(MakeMemPtr<Location::L1, half>(64 * 1024), fractals);
  Copy(MakeCopy(CopyGM2L1{}), b1, MakeTensor(MakeMemPtr(reinterpret_cast<half*>(unit)), rows));
  order<HardEvent::MTE2_MTE1>();
  AscendC::CrossCoreWaitFlag<4, PIPE_MTE1>(1);
  const auto a2 = MakeTensor(MakeMemPtr<Location::L0A, half>(0), fractals);
  const auto b2 = MakeTensor(MakeMemPtr<Location::L0B, half>(0),
                             MakeFrameLayout<ZNLayoutPtn, half>(kSide, kSide));
  Copy(MakeCopy(CopyL12L0A{}), a2, a1);
  Copy(MakeCopy(CopyL12L0B{}), b2, b1);
  order<HardEvent::MTE1_M>();
  const auto c =
      MakeTensor(MakeMemPtr<Location::L0C, float>(0), MakeFrameLayout<NZLayoutPtn>(kSide, kSide));
  Mmad(MakeMmad(MmadOperation{}).with(MmadParams(kSide, kSide, kSide, 0, true)), c, a2, b2);
  order<HardEvent::M_FIX>();
  Copy(MakeCopy(CopyL0C2GM{}), MakeTensor(MakeMemPtr(reinterpret_cast<float*>(to)), rows), c);
}
TEST_CASE("tensor API: vector cores store into L1 of their group", "[tensor_api][acl]") {
  constexpr uint32_t kSide = 32;
  std::mt19937 random(5);
  const cube_test::Matrix a = cube_test::random_matrix(kSide, kSide, random);
  std::vector<half> fractals(kSide * kSide);
  cube_test::Matrix unit(kSide, kSide);
  for (uint32_t row = 0; row < kSide; ++row) {
    unit.at(row, row) = 1;
    for (uint32_t col = 0; col < kSide; ++col) {
      fractals[cube_test::nz(row, col, kSide, 16)] = half(static_cast<float>(a.at(row, col)));
    }
  }
  Device device;
  const auto from = device.memory(fractals);
  const auto second = device.memory(cube_test::stored<half>(unit));
  const auto to = device.memory(std::vector<float>(kSide * kSide));
  Said said;
  REQUIRE(KernelOf<&passes_through_l1>::enqueue("passes_through_l1", ACLSIM_CORES_MIX_1_2, 1,
                                                nullptr, address(from.data()),
                                                address(second.data()), address(to.data())) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
  CHECK(to.host() == cube_test::stored<float>(a));
}

// ---- operations of a program

struct Twice {
  template <typename Tp, const Tp& trait, typename Dst, typename Src>
  static void Copy(const Dst& dst, const Src& src, const int& times) {
    for (int i = 0; i < times; ++i) dst[MakeCoord(0, i)] = src[MakeCoord(0, i)] * 2;
  }
};
}  // namespace
}  // namespace tensor_api_test

namespace AscendC {
namespace Te {
template <>
struct CopyTraits<tensor_api_test::Twice>
    : CopyTraits<tensor_api_test::Twice, CopyGM2UBTraitDefault, tensor_api_test::Twice,
                 CopyGM2UBTraitDefault> {};
}  // namespace Te
}  // namespace AscendC

namespace tensor_api_test {
namespace {

void runs_an_operation_of_the_program(GM_ADDR x) {
  const auto memory = MakeTensor(MakeMemPtr(reinterpret_cast<float*>(x)),
                                 MakeFrameLayout<NDExtLayoutPtn>(2, planted::kCount));
  const auto to = memory(MakeCoord(1, 0));
  MakeCopy(Twice{}).Call(to, memory, 3);
  MakeCopy(Twice{}).with(5).Call(to, memory);
}

TEST_CASE("tensor API: an operation of the program gets its arguments, then those of with()",
          "[tensor_api][acl]") {
  Device device;
  const auto memory = device.memory(std::vector<float>(2 * planted::kCount, 1.5F));
  Said said;
  REQUIRE(launch("runs_an_operation_of_the_program", runs_an_operation_of_the_program, 1,
                 address(memory.data())) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
  for (int i = 0; i < planted::kCount; ++i) {
    CAPTURE(i);
    CHECK(memory.host()[planted::kCount + i] == (i < 5 ? 3.0F : 1.5F));
  }
}

}  // namespace
}  // namespace tensor_api_test

// ---- mistakes

namespace planted {
namespace {
using namespace AscendC::Te;

PLANTED(copies_out_before_the_copy_in) {
  const auto row = MakeFrameLayout<NDExtLayoutPtn>(1, kCount);
  const auto memory = MakeTensor(MakeMemPtr(reinterpret_cast<float*>(x)), row);
  const auto place = MakeTensor(MakeMemPtr<Location::UB, float>(0), row);
  Copy(MakeCopy(CopyGM2UB{}), place, memory);
  if (good) order<AscendC::HardEvent::MTE2_MTE3>();
  Copy(MakeCopy(CopyUB2GM{}), memory, place);
}
PLANTED(copies_from_behind_the_allocation) {
  const auto row = MakeFrameLayout<NDExtLayoutPtn>(1, kCount);
  const auto memory =
      MakeTensor(MakeMemPtr(reinterpret_cast<float*>(x) + (good ? 0 : kFloats)), row);
  Copy(MakeCopy(CopyGM2UB{}), MakeTensor(MakeMemPtr<Location::UB, float>(0), row), memory);
}
PLANTED(copies_past_the_unified_buffer) {
  const auto row = MakeFrameLayout<NDExtLayoutPtn>(1, kCount);
  const auto memory = MakeTensor(MakeMemPtr(reinterpret_cast<float*>(x)), row);
  const auto place = MakeTensor(MakeMemPtr<Location::UB, float>(good ? 0 : 256 * 1024 - 32), row);
  Copy(MakeCopy(CopyGM2UB{}), place, memory);
}

TEST_CASE("tensor API: a mistake is found at the line of the kernel, and its repair is not",
          "[tensor_api][planted]") {
  check(ROW(copies_out_before_the_copy_in, 0, "pipe-race"), "copies_test.cpp:");
  check(ROW(copies_from_behind_the_allocation, 507035, "gm-exceeded"), "copies_test.cpp:");
  check(ROW(copies_past_the_unified_buffer, 507035, "local-exceeded"), "copies_test.cpp:");
}
}  // namespace
}  // namespace planted
