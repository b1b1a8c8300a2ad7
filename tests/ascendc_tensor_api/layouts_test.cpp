// SPDX-License-Identifier: Apache-2.0
// Layouts of the tensor API: shapes, strides, offsets of coordinates, and the patterns of
// fractals. The compiler evaluates most of it.
#include <cstddef>
#include <tuple>
#include <type_traits>

#include "ascendc/kernel_operator.h"
#include "ascendc/tensor_api/tensor.h"
#include "tests/ascendc_cube/matrices.h"
#include "tests/support/catch.h"

namespace tensor_api_test {
namespace {

using namespace AscendC::Te;

constexpr auto kRows = MakeLayout(MakeShape(4, 2), MakeStride(4, 1));
static_assert(kRows(MakeCoord(1, 1)) == 5);
static_assert(kRows.Size() == 8 && kRows.Capacity() == 16 && kRows.Rank() == 2);
static_assert(kRows.Shape<0>() == 4 && kRows.Stride<1>() == 1 && kRows.depth == 1);

constexpr auto kPacked = MakeLayout(MakeShape(8, 16, 32));
static_assert(kPacked.Stride<0>() == 512 && kPacked.Stride<1>() == 32 && kPacked.Stride<2>() == 1);

constexpr auto kColumns = MakeLayout(MakeShape(10, 20, 30), MakeStride(1, 10, 200));
static_assert(Capacity(kColumns) == 6000 && Capacity<0, 1>(kColumns) == 200);
static_assert(GetShape<2>(kColumns) == 30 && GetStride<2>(kColumns) == 200);
static_assert(Size(kColumns) == 6000 && Rank(kColumns) == 3);

constexpr auto kApart = MakeLayout(MakeShape(10, 20), MakeStride(1, 100));
static_assert(Coshape(kApart) == 9 + 1900 + 1 && Cosize(kApart) == 1910);
static_assert(Coshape<0>(kApart) == 10 && Coshape<1>(kApart) == 1901);
static_assert(Rank<0>(kApart) == 1 && Select<1>(kApart)(MakeCoord(3)) == 300);

constexpr auto kNested = MakeLayout(MakeShape(MakeShape(10, 20), MakeShape(20, 30)),
                                    MakeStride(MakeStride(10, 200), MakeStride(1, 4000)));
static_assert(std::get<1>(Get<1>(kNested).Stride()) == 4000 && kNested.depth == 2);
/* The first number of a pair counts fastest. */
static_assert(kNested(MakeCoord(13, 21)) == 3 * 10 + 1 * 200 + 1 * 1 + 1 * 4000);
static_assert(GetElement<AttrInfo::Shape, AttrInfo::Row, 1>(kNested) == 20);
static_assert(GetElement<AttrInfo::Stride, AttrInfo::Column, 1>(kNested) == 4000);
static_assert(GetTotalRowShape(kNested) == 200 && GetTotalColumnShape(kNested) == 600);

/* Constants remain types. */
constexpr auto kConstant = MakeLayout(MakeShape(_16{}, _32{}));
static_assert(std::is_same_v<decltype(kConstant.Stride()), std::tuple<_32, _1>>);
static_assert(std::is_same_v<std::decay_t<decltype(kConstant.Size())>, _512>);

constexpr auto kOnes = MakeLayout(MakeShape(_1{}, _4{}, _1{}), MakeStride(_4{}, _1{}, _1{}));
constexpr auto kFour = Squeeze<0, 2>(kOnes);
static_assert(std::is_same_v<decltype(kFour.Shape()), std::tuple<_4>>);
static_assert(std::is_same_v<decltype(kFour.Stride()), std::tuple<_1>>);
static_assert(std::is_same_v<decltype(Squeeze(kOnes, MakeCoord(_1{}, _, _1{}))),
                             std::remove_const_t<decltype(kFour)>>);
/* A constant other than 1 stays. */
static_assert(std::is_same_v<decltype(Squeeze<1>(kOnes).Shape()), std::tuple<_1, _4, _1>>);
/* Only the matrix of a batch of 1 remains, with its pattern. */
static_assert(std::is_same_v<decltype(Squeeze<0>(MakeFrameLayout<NZLayoutPtn, half>(1, 32, 64))),
                             decltype(MakeFrameLayout<NZLayoutPtn, half>(32, 64))>);

template <class Pattern, class Trait, class... Extents>
using Made = decltype(MakeFrameLayout<Pattern, Trait>(std::declval<Extents>()...));
static_assert(std::is_same_v<GetLayoutPattern<Made<ZZLayoutPtn, half, int, int>>, ZZLayoutPtn>);
static_assert(std::is_same_v<decltype(FrameLayoutFormat<ZNLayoutPtn, _32>{}(64, 32)),
                             Made<ZNLayoutPtn, _32, int, int>>);
static_assert(
    std::is_same_v<GetLayoutPattern<decltype(MakeLayout(MakeShape(_16{}, _16{})))>, NDLayoutPtn>);
static_assert(C0_ELEMENT<float> == 8 && C0_ELEMENT<half> == 16 && C0_SIZE<fp8_e5m2_t> == 32 &&
              C0_SIZE<fp4x2_e2m1_t> == 64 && AscendC::AuxGetC0Size<int8_t>() == 32);
static_assert(AscendC::CeilAlign(33, 16U) == 48 && AscendC::CeilAlign(uint64_t{32}, 16) == 32 &&
              AscendC::CeilAlign(5, 0) == 0 && AscendC::CeilDiv(33, 16U) == 3 &&
              AscendC::Std::min(uint64_t{7}, 5) == 5 && AscendC::Std::max(7, uint64_t{5}) == 7 &&
              AscendC::Std::ceil_align(_4{}, 3) == 6);
static_assert(AscendC::Std::is_tuple_v<decltype(MakeShape(1, 2))> && !AscendC::Std::is_tuple_v<_4>);

TEST_CASE("tensor API: frames place an element as the drawing of their pattern does",
          "[tensor_api]") {
  constexpr uint32_t kHigh = 48, kWide = 80;
  const auto nd = MakeFrameLayout<NDExtLayoutPtn>(kHigh, kWide);
  const auto dn = MakeFrameLayout<DNExtLayoutPtn>(kHigh, kWide);
  const auto nz = MakeFrameLayout<NZLayoutPtn, half>(kHigh, kWide);
  const auto zn = MakeFrameLayout<ZNLayoutPtn, half>(kHigh, kWide);
  const auto zz = MakeFrameLayout<ZZLayoutPtn, half>(kHigh, kWide);
  for (uint32_t row = 0; row < kHigh; ++row) {
    for (uint32_t col = 0; col < kWide; ++col) {
      CAPTURE(row, col);
      const auto at = MakeCoord(row, col);
      CHECK(std::size_t(nd(at)) == std::size_t{row} * kWide + col);
      CHECK(std::size_t(dn(at)) == std::size_t{col} * kHigh + row);
      CHECK(std::size_t(nz(at)) == cube_test::nz(row, col, kHigh, 16));
      CHECK(std::size_t(zn(at)) == cube_test::zn(row, col, kWide, 16));
      CHECK(std::size_t(zz(at)) == cube_test::zz(row, col, kWide, 16));
    }
  }
}

TEST_CASE("tensor API: fractals of scales have two scales of 16 rows or columns", "[tensor_api]") {
  constexpr uint32_t kAcross = 48, kDepth = 10;
  const auto zz = MakeFrameLayout<ZZLayoutPtn, fp8_e8m0_t>(kAcross, kDepth);
  const auto nn = MakeFrameLayout<NNLayoutPtn, fp8_e8m0_t>(kDepth, kAcross);
  for (uint32_t i = 0; i < kAcross; ++i) {
    for (uint32_t k = 0; k < kDepth; ++k) {
      CAPTURE(i, k);
      const std::size_t fractal = std::size_t{i / 16} * (kDepth / 2) + k / 2;
      const std::size_t offset = fractal * 32 + (i % 16) * 2 + k % 2;
      CHECK(std::size_t(zz(MakeCoord(i, k))) == offset);
      CHECK(std::size_t(nn(MakeCoord(k, i))) == offset);
    }
  }
}

TEST_CASE("tensor API: parts of a tensor begin at their coordinate and keep the strides",
          "[tensor_api]") {
  half memory[64 * 128] = {};
  const auto all = MakeTensor(MakeMemPtr(memory), MakeFrameLayout<NDExtLayoutPtn>(64, 128));
  const auto part = all.Slice(MakeCoord(3, 5), MakeShape(16, 32));
  CHECK(part.Data().Get() == memory + 3 * 128 + 5);
  CHECK(std::size_t(part.Layout()(MakeCoord(2, 1))) == 2 * 128 + 1);
  CHECK(std::size_t(part.Size()) == 16 * 32);
  CHECK(all(MakeCoord(2, 4)).Data().Get() == memory + 2 * 128 + 4);
  CHECK(all(2, 4).Data().Get() == memory + 2 * 128 + 4);
  CHECK(std::size_t(all(2, 4).Size()) == 62 * 124);

  const auto fractals =
      MakeTensor(MakeMemPtr<Location::L1>(memory), MakeFrameLayout<NZLayoutPtn, half>(64, 128));
  const auto piece = fractals.Slice(MakeCoord(16, 32), MakeShape(20, 32));
  CHECK(piece.Data().Get() == memory + 2 * 64 * 16 + 256);
  CHECK(std::size_t(Get<0, 1>(piece.Shape())) == 2);
  CHECK(std::size_t(Get<1, 1>(piece.Shape())) == 2);
  CHECK(std::size_t(Get<1, 1>(piece.Stride())) == 64 * 16);
  static_assert(IsSatisfiedPtnFormatV<decltype(piece), NZLayoutPtn>);
  static_assert(!IsSatisfiedPtnFormatV<decltype(all), NZLayoutPtn>);

  const auto batch =
      MakeTensor(MakeMemPtr<Location::L1>(memory), MakeFrameLayout<NZLayoutPtn, half>(1, 32, 64));
  const auto matrix = Squeeze<0>(batch);
  CHECK(matrix.Data().Get() == memory);
  static_assert(IsSatisfiedPtnFormatV<decltype(matrix), NZLayoutPtn>);
}

}  // namespace
}  // namespace tensor_api_test
