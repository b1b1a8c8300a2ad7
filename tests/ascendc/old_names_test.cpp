// SPDX-License-Identifier: Apache-2.0
// Functions of the vector unit with a name of their own but no row: older names, registers, and the
// parts of a sort. Each with a value from a plain loop.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/rows.h"
#include "tests/support/catch.h"

namespace oldnames {
namespace {

using namespace AscendC;

constexpr uint32_t kFloats = 128;  // two repeats

/// Element i that the kernels compute with: no two of a repeat are the same, and sums are exact.
float number_at(std::size_t i) { return static_cast<float>(i * 37 % 128) / 4.0F - 8.0F; }

void fill(const LocalTensor<float>& t) {
  for (uint32_t i = 0; i < kFloats; ++i) t.SetValue(i, number_at(i));
  PipeBarrier<PIPE_ALL>();
}
template <class T>
void put(GM_ADDR x, uint32_t byte, const LocalTensor<T>& t, uint32_t count) {
  GlobalTensor<T> to;
  to.SetGlobalBuffer(reinterpret_cast<T*>(x + byte), count);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(to, t, DataCopyExtParams(1, count * sizeof(T), 0, 0, 0));
  PipeBarrier<PIPE_ALL>();
}
LocalTensor<float> floats(uint32_t place) { return {TPosition::VECCALC, place * 1024, kFloats}; }

std::vector<float> as_floats(const std::vector<int32_t>& words) {
  std::vector<float> values(words.size());
  std::memcpy(values.data(), words.data(), words.size() * 4);
  return values;
}

void reductions(GM_ADDR x) {
  const auto src = floats(0), dst = floats(1);
  fill(src);
  BlockReduceSum(dst, src, 2, 64, 1, 1, 8);
  put(x, 0, dst, 16);
  BlockReduceMax(dst, src, 2, 64, 1, 1, 8);
  put(x, 64, dst, 16);
  BlockReduceMin(dst, src, 2, 64, 1, 1, 8);
  put(x, 128, dst, 16);
  PairReduceSum(dst, src, 2, 64, 1, 1, 8);
  put(x, 192, dst, 64);
  RepeatReduceSum(dst, src, 2, 60, 1, 1, 1, 8);
  put(x, 448, dst, 2);
  WholeReduceSum(dst, src, 60, 2, 1, 1, 8);
  put(x, 456, dst, 2);
  WholeReduceMax(dst, src, 60, 2, 1, 1, 8);
  put(x, 464, dst, 4);
  WholeReduceMin(dst, src, 60, 2, 1, 1, 8);
  put(x, 480, dst, 4);
}

void pairs_of_tensors(GM_ADDR x) {
  const auto a = floats(0), b = floats(1), dst = floats(2);
  fill(a);
  Duplicate(b, 3.0F, kFloats);
  Duplicate(dst, -2.0F, kFloats);
  PipeBarrier<PIPE_ALL>();
  FusedMulAddRelu(dst, a, b, 70);  // max(dst * a + b, 0)
  put(x, 0, dst, kFloats);
  FusedAbsSub(dst, a, b, 70);
  put(x, 512, dst, kFloats);
  Duplicate(a, 4.0F, kFloats);
  PipeBarrier<PIPE_ALL>();
  FusedExpSub(dst, a, b, 70);
  put(x, 1024, dst, kFloats);
  const auto narrow = floats(3).ReinterpretCast<half>();
  LocalTensor<float> factor = floats(4);
  Duplicate(factor, 0.5F, 8);
  PipeBarrier<PIPE_ALL>();
  FusedMulsCast(narrow, a, factor[0], 70);
  put(x, 1536, narrow, 70);
}

void comparisons_and_casts(GM_ADDR x) {
  const auto a = floats(0);
  const auto bits = floats(1).ReinterpretCast<uint8_t>();
  fill(a);
  CompareScalar(bits, a, 1.0F, CMPMODE::LT, kFloats);
  put(x, 0, bits, 16);
  const auto words = floats(2).ReinterpretCast<int16_t>();
  for (uint32_t i = 0; i < 64; ++i) words.SetValue(i, static_cast<int16_t>(i * 9) - 200);
  PipeBarrier<PIPE_ALL>();
  SetDeqScale(0.5F, 3, true);
  const auto bytes = floats(3).ReinterpretCast<int8_t>();
  Duplicate(floats(3), 0.0F, 32);
  PipeBarrier<PIPE_ALL>();
  CastDeq<int8_t, int16_t, false, false>(bytes, words, 64);  // to the lower half of each block
  put(x, 64, bytes, 128);
}

void masks(GM_ADDR x) {
  const auto a = floats(0), dst = floats(1);
  fill(a);
  Duplicate(dst, 100.0F, kFloats);
  PipeBarrier<PIPE_ALL>();
  SetMaskCount();
  SetVectorMask<float, MaskMode::COUNTER>(70);
  Adds<float, false>(dst, a, 1.0F, MASK_PLACEHOLDER, 1, UnaryRepeatParams(1, 1, 8, 8));
  SetMaskNorm();
  ResetMask();
  put(x, 0, dst, kFloats);
  Adds<float, false>(dst, a, 2.0F, MASK_PLACEHOLDER, 2, UnaryRepeatParams(1, 1, 8, 8));
  put(x, 512, dst, kFloats);
}

void registers(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  const auto a = floats(0), dst = floats(1);
  fill(a);
  SetCtrlSpr<48, 48>(0);
  out[0] = static_cast<int32_t>(GetCtrlSpr<48, 48>());
  SetCtrlSpr<48, 48>(1);
  out[1] = static_cast<int32_t>(GetCtrlSpr<48, 48>());
  SetCtrlSpr<6, 9>(5);
  out[2] = static_cast<int32_t>(GetCtrlSpr<6, 9>());
  out[3] = static_cast<int32_t>(GetCtrlSpr<7, 9>());
  ResetCtrlSpr<6, 9>();
  out[4] = static_cast<int32_t>(GetCtrlSpr<6, 9>());
  WholeReduceMax(dst, a, 64, 1, 1, 1, 8);
  PipeBarrier<PIPE_ALL>();
  float greatest = 0, where = 0;
  GetReduceMaxMinCount<float>(greatest, where);
  out[5] = static_cast<int32_t>(greatest * 4);
  std::memcpy(&out[6], &where, 4);
  ReduceSum<float>(dst, a, floats(2), 64);
  PipeBarrier<PIPE_ALL>();
  out[7] = static_cast<int32_t>(GetAccVal<float>() * 4);
  const uint64_t bits = GetAccVal();
  float sum = 0;
  std::memcpy(&sum, &bits, sizeof sum);
  out[8] = static_cast<int32_t>(sum * 4);
  out[9] = AscendCUtils::GetC0Count(2);
}

// Scores with the index of each, sorted from the greatest on.
void sorts(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  out[0] = static_cast<int32_t>(GetSortLen<float>(3));
  out[1] = static_cast<int32_t>(GetSortLen<half>(3));
  out[2] = static_cast<int32_t>(GetSortOffset<float>(5));
  out[3] = static_cast<int32_t>(GetSortOffset<half>(5));
  const auto scores = floats(0), sorted = floats(2), values = floats(6);
  auto tmp = floats(4);
  const auto index = floats(8).ReinterpretCast<uint32_t>(),
             places = floats(9).ReinterpretCast<uint32_t>();
  fill(scores);
  LocalTensor<float> concat;
  Concat(concat, scores, tmp, 2);
  for (uint32_t i = 0; i < 32; ++i) index.SetValue(i, i + 1000);
  PipeBarrier<PIPE_ALL>();
  Sort<float, true>(sorted, concat, index, tmp, 1);
  Extract(values, places, sorted, 1);
  put(x, 64, values, 32);
  put(x, 192, places, 32);
}

}  // namespace

TEST_CASE(
    "reductions by their older names give sums, greatest and least of blocks, pairs and repeats",
    "[old_names]") {
  const std::vector<int32_t> words = run<reductions>();
  const std::vector<float> got = as_floats(words);
  for (std::size_t block = 0; block < 16; ++block) {
    float sum = 0, most = -100, least = 100;
    for (std::size_t i = block * 8; i < block * 8 + 8; ++i) {
      sum += number_at(i);
      most = std::max(most, number_at(i));
      least = std::min(least, number_at(i));
    }
    CHECK(got[block] == sum);
    CHECK(got[16 + block] == most);
    CHECK(got[32 + block] == least);
  }
  for (std::size_t i = 0; i < 64; ++i)
    CHECK(got[48 + i] == number_at(2 * i) + number_at(2 * i + 1));
  for (std::size_t repeat = 0; repeat < 2; ++repeat) {
    float sum = 0;
    std::size_t most = 0, least = 0;
    for (std::size_t i = 0; i < 60; ++i) {  // the mask leaves out the last four
      sum += number_at(repeat * 64 + i);
      if (number_at(repeat * 64 + i) > number_at(repeat * 64 + most)) most = i;
      if (number_at(repeat * 64 + i) < number_at(repeat * 64 + least)) least = i;
    }
    CAPTURE(repeat);
    CHECK(got[112 + repeat] == sum);
    CHECK(got[114 + repeat] == sum);
    CHECK(got[116 + 2 * repeat] == number_at(repeat * 64 + most));
    CHECK(words[117 + 2 * repeat] == static_cast<int32_t>(most));
    CHECK(got[120 + 2 * repeat] == number_at(repeat * 64 + least));
    CHECK(words[121 + 2 * repeat] == static_cast<int32_t>(least));
  }
}

TEST_CASE("the older names of steps that are done together compute what a loop does",
          "[old_names]") {
  const std::vector<int32_t> words = run<pairs_of_tensors>();
  const std::vector<float> got = as_floats(words);
  for (std::size_t i = 0; i < kFloats; ++i) {
    CAPTURE(i);
    const float relu = std::max(-2.0F * number_at(i) + 3.0F, 0.0F);
    CHECK(got[i] == (i < 70 ? relu : -2.0F));
    CHECK(got[128 + i] == (i < 70 ? std::fabs(number_at(i) - 3.0F) : -2.0F));
    CHECK(std::fabs(got[256 + i] - (i < 70 ? 2.7182818F : -2.0F)) < 1e-6F);
  }
  for (std::size_t i = 0; i < 35; ++i) CHECK(words[384 + i] == 0x40004000);  // 2 and 2
}

TEST_CASE("CompareScalar gives a bit for each lane, and CastDeq scales, adds and saturates",
          "[old_names]") {
  const std::vector<int32_t> words = run<comparisons_and_casts>();
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(words.data());
  for (std::size_t i = 0; i < kFloats; ++i)
    CHECK((bytes[i / 8] >> (i % 8) & 1) == (number_at(i) < 1.0F ? 1 : 0));
  for (int i = 0; i < 64; ++i) {
    const double scaled = std::nearbyint((i * 9 - 200) * 0.5) + 3;
    CAPTURE(i);
    CHECK(static_cast<int8_t>(bytes[64 + i / 16 * 32 + i % 16]) ==
          std::clamp(scaled, -128.0, 127.0));
  }
}

TEST_CASE("the mask counts elements until it is normal and whole again", "[old_names]") {
  const std::vector<float> got = as_floats(run<masks>());
  for (std::size_t i = 0; i < kFloats; ++i) {
    CHECK(got[i] == (i < 70 ? number_at(i) + 1.0F : 100.0F));
    CHECK(got[128 + i] == number_at(i) + 2.0F);
  }
}

TEST_CASE("registers hold the control bits, the greatest and its place, and the sum",
          "[old_names]") {
  std::size_t most = 0;
  float sum = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    if (number_at(i) > number_at(most)) most = i;
    sum += number_at(i);
  }
  CHECK(first_words<registers>(10) ==
        std::vector<int32_t>{0, 1, 5, 2, 0, static_cast<int32_t>(number_at(most) * 4),
                             static_cast<int32_t>(most), static_cast<int32_t>(sum * 4),
                             static_cast<int32_t>(sum * 4), 16});
}

TEST_CASE("Concat, Sort and Extract order scores from the greatest on, each with its index",
          "[old_names]") {
  const std::vector<int32_t> words = run<sorts>();
  const std::vector<float> got = as_floats(words);
  CHECK(std::vector<int32_t>(words.begin(), words.begin() + 4) ==
        std::vector<int32_t>{6, 12, 10, 20});
  std::vector<std::size_t> order(32);
  for (std::size_t i = 0; i < 32; ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [](std::size_t a, std::size_t b) { return number_at(a) > number_at(b); });
  for (std::size_t i = 0; i < 32; ++i) {
    CHECK(got[16 + i] == number_at(order[i]));
    CHECK(words[48 + i] == static_cast<int32_t>(order[i]) + 1000);
  }
}

}  // namespace oldnames
