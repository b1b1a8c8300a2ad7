// SPDX-License-Identifier: Apache-2.0
// Selection by masks, progressions and random numbers of the library, against plain loops.
#include <array>

#include "tests/ascendc_library/bench.h"
#include "tiling/tiling_api.h"

namespace library_test {
namespace {

// ---- DropOut

enum class Mask { kBytes, kPaddedBytes, kBits, kPaddedBits };

template <typename T, std::uint32_t mode>
void check_dropout(std::uint32_t rows, std::uint32_t cols, Mask kind, float keep) {
  CAPTURE(sizeof(T), mode, rows, cols, static_cast<int>(kind), keep);
  const bool bits = kind == Mask::kBits || kind == Mask::kPaddedBits;
  const bool padded = kind == Mask::kPaddedBytes || kind == Mask::kPaddedBits;
  std::uint32_t mask_cols = bits ? cols / 8 : cols;
  if (padded) mask_cols = (mask_cols / 32 + 1) * 32;
  const std::vector<T> from = random<T>(std::size_t{rows} * cols, -9, 9);
  std::vector<std::uint8_t> mask = random<std::uint8_t>(std::size_t{rows} * mask_cols, 0, 255);
  if (!bits) {
    for (std::uint8_t& byte : mask) byte &= 1;
  }
  const auto kept = [&](std::size_t i) {
    const std::size_t row = i / cols, col = i % cols;
    if (!bits) return mask[row * mask_cols + col] != 0;
    return (mask[row * mask_cols + col / 8] >> (col % 8) & 1) != 0;
  };
  std::uint32_t most = 0, least = 0;
  AscendC::GetDropOutMaxMinTmpSize(AscendC::TensorShape({rows, cols}), sizeof(T), false, most,
                                   least);
  CHECK(AscendC::GetDropOutMinTmpSize(AscendC::TensorShape({rows, cols}), sizeof(T), false) ==
        least);
  const std::string text = run([&] {
    Memory memory;
    const auto src = memory.take(from);
    const auto first = memory.take(mask), second = memory.take(mask);
    const auto tmp = memory.take<std::uint8_t>(least);
    const Result<T> dst(memory, from.size()), own(memory, from.size());
    AscendC::DropOutShapeInfo info;
    info.firstAxis = rows;
    info.srcLastAxis = cols;
    info.maskLastAxis = mask_cols;
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DropOut<T, false, mode>(dst.tensor(), src, first, tmp, keep, info);
    AscendC::DropOut<T, true, mode>(own.tensor(), src, second, keep, info);
    const auto expected = [&](std::size_t i) { return kept(i) ? number(from[i]) / keep : 0; };
    check_each(dst.values(), expected);
    check_each(own.values(), expected);
  });
  CHECK(text == "");
}

template <typename T>
void check_dropouts() {
  for (const float keep : {0.5F, 0.7F}) {
    check_dropout<T, 0>(3, 64, Mask::kBytes, keep);
    check_dropout<T, 0>(3, 48, Mask::kPaddedBytes, keep);
    check_dropout<T, 0>(3, 64, Mask::kBits, keep);
    check_dropout<T, 0>(3, 320, Mask::kPaddedBits, keep);
    check_dropout<T, 1>(2, 16, Mask::kPaddedBytes, keep);
    check_dropout<T, 2>(2, 600, Mask::kBytes, keep);
    check_dropout<T, 3>(2, 128, Mask::kBits, keep);
    check_dropout<T, 4>(2, 32, Mask::kPaddedBits, keep);
  }
}

TEST_CASE("DropOut keeps the elements of the mask and divides them", "[filter]") {
  check_dropouts<float>();
  check_dropouts<half>();
#if __NPU_ARCH__ == 3510
  check_dropouts<bfloat16_t>();
#endif
}

TEST_CASE("DropOut and Select may write their source", "[filter]") {
  const std::vector<float> from = random<float>(32, -9, 9);
  std::vector<std::uint8_t> mask(32);
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = i % 3 == 0;
  CHECK(run([&] {
          Memory memory;
          const auto x = memory.take(from), y = memory.take(from);
          const auto chosen = memory.take(mask);
          const auto tmp = memory.take<std::uint8_t>(1024);
          AscendC::DropOutShapeInfo drop;
          drop.firstAxis = 1, drop.srcLastAxis = drop.maskLastAxis = 32;
          AscendC::SelectWithBytesMaskShapeInfo select;
          select.firstAxis = 1, select.srcLastAxis = select.maskLastAxis = 32;
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::DropOut(x, x, chosen, 0.5F, drop);
          AscendC::Select(y, y, 3.0F, chosen, tmp, select);
          AscendC::PipeBarrier<PIPE_ALL>();
          for (std::uint32_t i = 0; i < 32; ++i) {
            CHECK(x.GetValue(i) == (i % 3 == 0 ? from[i] * 2 : 0));
            CHECK(y.GetValue(i) == (i % 3 == 0 ? 3.0F : from[i]));
          }
        }) == "");
}

TEST_CASE("the result of DropOut may not overlap its mask", "[filter]") {
  const std::string text = run([] {
    Memory memory;
    const auto x = memory.take(random<float>(32, -9, 9));
    AscendC::DropOutShapeInfo info;
    info.firstAxis = 1, info.srcLastAxis = info.maskLastAxis = 32;
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DropOut(x, x, x.ReinterpretCast<std::uint8_t>(), 0.5F, info);
  });
  CHECK(contains(text, "DropOut: tensors dst and mask overlap; expected memory of their own"));
}

// ---- Select

template <typename T, typename U>
void check_select(std::uint32_t rows, std::uint32_t cols, std::uint32_t mask_cols) {
  CAPTURE(sizeof(T), sizeof(U), rows, cols, mask_cols);
  const std::vector<T> from = random<T>(std::size_t{rows} * cols, -9, 9);
  std::vector<std::uint8_t> chosen = random<std::uint8_t>(std::size_t{rows} * mask_cols, 0, 2);
  std::uint32_t most = 0, least = 0;
  const AscendC::TensorShape shape({rows, cols}), masks({rows, mask_cols}), one({1});
  AscendC::GetSelectMaxMinTmpSize(shape, one, sizeof(T), masks, sizeof(U), true, most, least);
  CHECK(AscendC::GetSelectWithBytesMaskMinTmpSize(shape, one, sizeof(T), masks, sizeof(U), true) ==
        least);
  CHECK(AscendC::GetSelectMaxTmpSize(shape, one, sizeof(T), masks, sizeof(U), true) == most);
  const std::string text = run([&] {
    Memory memory;
    const auto src = memory.take(from);
    const auto take_mask = [&] {
      auto mask = memory.take<U>(chosen.size());
      // Only the highest byte of a wide mask is set.
      for (std::uint32_t i = 0; i < chosen.size(); ++i)
        mask.SetValue(i, U(chosen[i] != 0 ? U(1) << (8 * sizeof(U) - 8) : 0));
      return mask;
    };
    const auto first = take_mask(), second = take_mask();
    const auto tmp = memory.take<std::uint8_t>(least);
    const Result<T> tensor_first(memory, from.size()), value_first(memory, from.size());
    AscendC::SelectWithBytesMaskShapeInfo info;
    info.firstAxis = rows;
    info.srcLastAxis = cols;
    info.maskLastAxis = mask_cols;
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Select(tensor_first.tensor(), src, T(2.5F), first, tmp, info);
    AscendC::SelectWithBytesMask<T, U, false>(value_first.tensor(), T(2.5F), src, second, tmp,
                                              info);
    const auto set = [&](std::size_t i) { return chosen[i / cols * mask_cols + i % cols] != 0; };
    check_each(tensor_first.values(),
               [&](std::size_t i) { return set(i) ? 2.5 : number(from[i]); });
    check_each(value_first.values(), [&](std::size_t i) { return set(i) ? number(from[i]) : 2.5; });
  });
  CHECK(text == "");
}

template <typename T>
void check_selects() {
  check_select<T, bool>(3, 16, 32);
  check_select<T, std::int8_t>(1, 64, 64);
  check_select<T, std::uint8_t>(2, 48, 64);
  check_select<T, std::int16_t>(2, 16, 16);
  check_select<T, std::uint16_t>(2, 16, 48);
  check_select<T, std::int32_t>(4, 32, 32);
  check_select<T, std::uint32_t>(4, 16, 32);
}

TEST_CASE("Select takes a tensor or a value by the elements of a mask", "[filter]") {
  check_selects<half>();
  check_selects<float>();
}

// ---- Arange

template <typename T>
void check_arange(T first, T step, std::int32_t count) {
  CAPTURE(sizeof(T), count);
  CHECK(run([&] {
          Memory memory;
          const Result<T> dst(memory, static_cast<std::uint64_t>(count));
          const Result<T> older(memory, static_cast<std::uint64_t>(count));
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::Arange<T>(dst.tensor(), first, step, count);
          AscendC::ArithProgression<T>(older.tensor(), first, step, count);
          const auto expected = [&](std::size_t i) {
            return number(first) + static_cast<double>(i) * number(step);
          };
          check_each(dst.values(), expected);
          check_each(older.values(), expected);
        }) == "");
}

TEST_CASE("Arange counts in all types", "[filter]") {
  for (const std::int32_t count : {1, 7, 64, 301}) {
    check_arange<std::int16_t>(-5, 3, count);
    check_arange<half>(half(1.5F), half(0.25F), count);
    check_arange<std::int32_t>(100000, 7, count);
    check_arange<float>(-2.5F, 0.1F, count);
#if __NPU_ARCH__ == 3510
    check_arange<std::int64_t>(-(std::int64_t{1} << 40), 1 << 20, count);
#endif
  }
  std::uint32_t most = 1, least = 1;
  AscendC::GetArangeMaxMinTmpSize(most, least);
  CHECK(most + least == 0);
}

// ---- PhiloxRandom

#if __NPU_ARCH__ == 3510
using Block = std::array<std::uint32_t, 4>;

/// The definition of Salmon et al. (2011), figure 2: four words for a counter and a key.
Block philox(Block c, std::uint32_t k0, std::uint32_t k1, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    const unsigned long long a = 0xD2511F53ULL * c[0], b = 0xCD9E8D57ULL * c[2];
    const Block next = {std::uint32_t(b >> 32) ^ c[1] ^ k0, std::uint32_t(b),
                        std::uint32_t(a >> 32) ^ c[3] ^ k1, std::uint32_t(a)};
    c = next;
    k0 += 0x9E3779B9U;
    k1 += 0xBB67AE85U;
  }
  return c;
}

TEST_CASE("PhiloxRandom has the published answers", "[filter]") {
  // Known answers of the library Random123, ten rounds.
  CHECK(philox({0, 0, 0, 0}, 0, 0, 10) == Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  const std::vector<std::uint32_t> zero = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  CHECK(run([&] {
          Memory memory;
          const Result<std::uint32_t> dst(memory, 4);
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::PhiloxRandom<10>(dst.tensor(), {0, 0}, {0, 0, 0, 0}, 4);
          CHECK(dst.values() == zero);
        }) == "");
}

template <int rounds>
void check_philox() {
  const AscendC::PhiloxKey key = {0xa4093822U, 0x299f31d0U};
  const AscendC::PhiloxCounter counter = {0xfffffffeU, 0xffffffffU, 3, 4};  // it carries
  const auto word = [&](std::uint64_t i) {
    const std::uint64_t low = (std::uint64_t{0xffffffffU} << 32 | 0xfffffffeU) + i / 4;
    const std::uint32_t carry = i / 4 >= 2 ? 1 : 0;
    const Block block = philox({std::uint32_t(low), std::uint32_t(low >> 32), 3 + carry, 4}, key[0],
                               key[1], rounds);
    return block[i % 4];
  };
  CHECK(run([&] {
          Memory memory;
          const Result<std::uint32_t> words(memory, 19), spaced(memory, 12);
          const Result<std::int32_t> integers(memory, 8);
          const Result<float> fractions(memory, 16);
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::PhiloxRandom<rounds>(words.tensor(), key, counter, 19);
          AscendC::PhiloxRandom<rounds>(integers.tensor(), key, counter, 8);
          AscendC::PhiloxRandom<rounds>(fractions.tensor(), key, counter, 16);
          AscendC::PhiloxRandom<rounds>(spaced.tensor(), key, counter, {8, 3, 4});
          check_each(words.values(), [&](std::size_t i) { return word(i); });
          check_each(integers.values(),
                     [&](std::size_t i) { return static_cast<std::int32_t>(word(i)); });
          check_each(fractions.values(),
                     [&](std::size_t i) { return (word(i) & 0x7fffff) / 8388608.0; });
          check_each(spaced.values(), [&](std::size_t i) { return word(i / 4 * 8 + i % 4); });
        }) == "");
}

TEST_CASE("PhiloxRandom counts on through its numbers and its rows", "[filter]") {
  check_philox<7>();
  check_philox<10>();
}
#endif

TEST_CASE("wrong arguments of filters end the kernel with a sentence", "[filter]") {
  struct Row {
    std::function<void(Memory&)> call;
    const char* sentence;
  };
  AscendC::DropOutShapeInfo drop;
  drop.firstAxis = 2, drop.srcLastAxis = drop.maskLastAxis = 16;
  AscendC::SelectWithBytesMaskShapeInfo select;
  select.firstAxis = 2, select.srcLastAxis = 16, select.maskLastAxis = 32;
  const std::vector<Row> rows = {
    {[=](Memory& m) {
       const auto src = m.take<float>(32);
       AscendC::DropOut(m.take<float>(32), src, m.take<std::uint8_t>(32), 0.0F, drop);
     },
     "DropOut: keepProb is 0; expected more than 0 and at most 1"},
    {[=](Memory& m) {
       const auto src = m.take<float>(32);
       AscendC::DropOut<float, false, 1>(m.take<float>(32), src, m.take<std::uint8_t>(32), 0.5F,
                                         drop);
     },
     "DropOut: info.maskLastAxis is 16; expected a multiple of 32"},
    {[=](Memory& m) {
       const auto src = m.take<float>(32);
       const auto mask = m.take<std::uint8_t>(32);
       AscendC::Select(m.take<float>(32), src, 1.0F, mask, m.take<std::uint8_t>(1024), select);
     },
     "Select: tensor mask: 64 bytes needed, 32 there"},
    {[=](Memory& m) {
       const auto src = m.take<float>(32);
       const auto mask = m.take<std::uint8_t>(64);
       AscendC::Select(m.take<float>(32), src, 1.0F, mask, m.take<std::uint8_t>(736), select);
     },
     "Select: tensor tmp: 768 bytes needed, 736 there"},
    {[](Memory& m) { AscendC::Arange<float>(m.take<float>(8), 0.0F, -1.0F, 8); },
     "Arange: diffValue is -1; expected at least 0"},
    {[](Memory& m) { AscendC::Arange<float>(m.take<float>(8), 0.0F, 1.0F, 9); },
     "Arange: tensor dst: 36 bytes needed, 32 there"},
#if __NPU_ARCH__ == 3510
    {[](Memory& m) {
       AscendC::PhiloxRandom(m.take<float>(32), {1, 2}, {0, 0, 0, 0}, {6, 2, 4});
     },
     "PhiloxRandom: stride is 6; expected a multiple of 4"},
#endif
  };
  for (const Row& row : rows) {
    const std::string text = refused([&] {
      Memory memory;
      row.call(memory);
    });
    CAPTURE(text, row.sentence);
    CHECK(contains(text, row.sentence));
  }
}

}  // namespace
}  // namespace library_test
