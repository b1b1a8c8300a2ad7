// SPDX-License-Identifier: Apache-2.0
// Quantisation of the library: each function, type, form and policy against plain loops.
#include <cmath>

#include "ascendc/impl/library_tiling_quantization.h"
#include "tests/ascendc_library/bench.h"

namespace library_test {
namespace {

#if __NPU_ARCH__ == 2201
constexpr bool kInHalf = true;
#else
constexpr bool kInHalf = false;
#endif

/// A step of AscendQuant and AscendAntiQuant: rounded to half on the older architecture.
double step(double value) {
  if (!kInHalf) return static_cast<double>(static_cast<float>(value));
  return std::clamp(number(half(value)), -65504.0, 65504.0);
}
double to_int8(double value) { return std::clamp(std::nearbyint(value), -128.0, 127.0); }
double quantised(double x, double scale, double offset) {
  return to_int8(step(step(step(x) * step(scale)) + step(offset)));
}
double single(double value) { return static_cast<double>(static_cast<float>(value)); }

template <typename T>
std::vector<double> doubles(const std::vector<T>& values) {
  std::vector<double> result;
  for (const T value : values) result.push_back(number(value));
  return result;
}

template <typename T>
void check_quant_values() {
  constexpr std::uint32_t kCount = 301;
  const auto from = random<T>(kCount, -90, 90);
  const auto check = [&](auto&& call, std::size_t count) {
    CHECK(run([&] {
            Memory memory;
            const auto src = memory.take(from);
            const Result<std::int8_t> dst(memory, count);
            const auto tmp = memory.take<std::uint8_t>(768);
            AscendC::PipeBarrier<PIPE_ALL>();
            call(dst.tensor(), src, tmp);
            check_each(dst.values(), [&](std::size_t i) {
              return i < kCount ? quantised(number(from[i]), 1.7F, 0.9F) : to_int8(0.9F);
            });
          }) == "");
  };
  using AscendC::AscendQuant;
  const std::size_t all = (kCount * sizeof(T) + 31) / 32 * 32 / sizeof(T);
  check([](auto& d, auto& s, auto& t) { AscendQuant<T>(d, s, t, 1.7F, 0.9F, kCount); }, kCount);
  check([](auto& d, auto& s, auto&) { AscendQuant<T>(d, s, 1.7F, 0.9F, kCount); }, kCount);
  check([](auto& d, auto& s, auto& t) { AscendQuant(d, s, t, 1.7F, 0.9F); }, all);
  check([](auto& d, auto& s, auto&) { AscendQuant<T, true>(d, s, 1.7F, 0.9F); }, all);
#if __NPU_ARCH__ == 3510
  check([](auto& d, auto& s, auto& t) { AscendQuant<std::int8_t, T>(d, s, t, 1.7F, 0.9F); }, all);
#endif
}

TEST_CASE("AscendQuant with one scale multiplies, adds and rounds to int8_t", "[quantization]") {
  check_quant_values<half>();
  check_quant_values<float>();
#if __NPU_ARCH__ == 3510
  // Only the forms with the type of dst take bfloat16_t.
  const auto from = random<bfloat16_t>(64, -90, 90);
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(from);
          const Result<std::int8_t> dst(memory, 64);
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::AscendQuant<std::int8_t, bfloat16_t>(dst.tensor(), src, 1.7F, 0.9F, 64U);
          check_each(dst.values(),
                     [&](std::size_t i) { return quantised(number(from[i]), 1.7F, 0.9F); });
        }) == "");
#endif
}

template <typename T>
void check_quant_channels() {
  constexpr std::uint32_t kChannels = 32, kCount = 96;
  const auto from = random<T>(kCount, -90, 90), scales = random<T>(kChannels, -3, 3, 2),
             offsets = random<T>(kChannels, -20, 20, 3);
  const auto check = [&](bool tensor, auto&& call) {
    CHECK(run([&] {
            Memory memory;
            const auto src = memory.take(from), scale = memory.take(scales),
                       offset = memory.take(offsets);
            const Result<std::int8_t> dst(memory, kCount);
            const auto tmp = memory.take<std::uint8_t>(768);
            AscendC::PipeBarrier<PIPE_ALL>();
            call(dst.tensor(), src, tmp, scale, offset);
            check_each(dst.values(), [&](std::size_t i) {
              return quantised(number(from[i]), number(scales[i % kChannels]),
                               tensor ? number(offsets[i % kChannels]) : 2.5);
            });
          }) == "");
  };
  using AscendC::AscendQuant;
  check(true, [](auto& d, auto& s, auto& t, auto& scale, auto& offset) {
    AscendQuant<T>(d, s, t, scale, offset, kChannels, kChannels, kCount);
  });
  check(true, [](auto& d, auto& s, auto&, auto& scale, auto& offset) {
    AscendQuant<T>(d, s, scale, offset, kChannels, kChannels, kCount);
  });
  check(true, [](auto& d, auto& s, auto& t, auto& scale, auto& offset) {
    AscendQuant<T>(d, s, t, scale, offset);
  });
  check(true,
        [](auto& d, auto& s, auto&, auto& scale, auto& o) { AscendQuant<T>(d, s, scale, o); });
  const T value = T(2.5F);
  check(false, [&](auto& d, auto& s, auto& t, auto& scale, auto&) {
    AscendQuant<T>(d, s, t, scale, value, kChannels, kCount);
  });
  check(false, [&](auto& d, auto& s, auto&, auto& scale, auto&) {
    AscendQuant<T>(d, s, scale, value, kChannels, kCount);
  });
  check(false, [&](auto& d, auto& s, auto& t, auto& scale, auto&) {
    AscendQuant<T>(d, s, t, scale, value);
  });
  check(false,
        [&](auto& d, auto& s, auto&, auto& scale, auto&) { AscendQuant<T>(d, s, scale, value); });
}

TEST_CASE("AscendQuant with a scale for each channel repeats the scales", "[quantization]") {
  check_quant_channels<half>();
  check_quant_channels<float>();
}

constexpr AscendC::AscendQuantConfig kConstant = {64, 32, 32, 1024};
TEST_CASE("the counts of a configuration replace those of AscendQuant", "[quantization]") {
  const auto from = random<float>(96, -90, 90);
  const auto text = [&](std::uint32_t bytes) {
    return std::function<void()>([&from, bytes] {
      Memory memory;
      const auto src = memory.take(from), scale = memory.take(std::vector<float>(32, 0.5F));
      const Result<std::int8_t> dst(memory, 64);
      const auto tmp = memory.take<std::uint8_t>(bytes);
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::AscendQuant<float, false, kConstant>(dst.tensor(), src, tmp, scale, scale, 32U, 32U,
                                                    96U);
      check_each(dst.values(), [&](std::size_t i) { return quantised(number(from[i]), 0.5, 0.5); });
    });
  };
  CHECK(run(text(1024)) == "");
  CHECK(contains(refused(text(992)), "AscendQuant: tensor tmp: 1024 bytes needed, 992 there"));
}

TEST_CASE("AscendQuant may write the memory of its source", "[quantization]") {
  const auto from = random<half>(1024, -90, 90);
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(from);
          const auto dst = src.ReinterpretCast<std::int8_t>();
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::AscendQuant<half>(dst, src, 1.5F, 0.25F, 1024U);
          AscendC::PipeBarrier<PIPE_ALL>();
          std::vector<std::int8_t> got;
          for (std::uint32_t i = 0; i < 1024; ++i) got.push_back(dst.GetValue(i));
          check_each(got, [&](std::size_t i) { return quantised(number(from[i]), 1.5, 0.25); });
        }) == "");
}

template <typename D>
std::uint32_t padded(std::uint32_t n) {
  constexpr std::uint32_t kBlock = 32 / sizeof(D);
  return (n + kBlock - 1) / kBlock * kBlock;
}

/// Each row of m x n: `count` products, then values that the documents leave open.
template <typename D, typename Scale, typename Value>
void check_dequant_rows(std::uint32_t m, std::uint32_t n, std::uint32_t count, Value&& value,
                        const std::vector<Scale>& scales) {
  CAPTURE(sizeof(D), sizeof(Scale), m, n, count);
  const auto from = random<std::int32_t>(m * n, -3000, 3000);
  for (const int form : {0, 1, 2, 3}) {
    const bool tensor = form < 2;
    if (!tensor && (std::is_same_v<Scale, std::uint64_t> || std::is_same_v<D, half>)) continue;
    CHECK(run([&] {
            Memory memory;
            const auto src = memory.take(from);
            const auto scale = memory.take(scales);
            const Result<D> dst(memory, m * padded<D>(n));
            const auto tmp = memory.take<std::uint8_t>(512);
            AscendC::PipeBarrier<PIPE_ALL>();
            if (form == 0) AscendC::AscendDequant(dst.tensor(), src, scale, tmp, {m, n, count});
            if (form == 1) AscendC::AscendDequant(dst.tensor(), src, scale, {m, n, count});
            if constexpr (!std::is_same_v<Scale, std::uint64_t> && !std::is_same_v<D, half>) {
              const Scale first = scales[0];
              if (form == 2) AscendC::AscendDequant(dst.tensor(), src, first, tmp, {m, n, count});
              if (form == 3) AscendC::AscendDequant(dst.tensor(), src, first, {m, n, count});
            }
            const auto got = dst.values();
            std::vector<D> computed;
            std::vector<double> expected;
            for (std::uint32_t row = 0; row < m; ++row) {
              for (std::uint32_t i = 0; i < count; ++i) {
                computed.push_back(got[row * padded<D>(n) + i]);
                expected.push_back(single(from[row * n + i] * value(tensor ? i : 0)));
              }
            }
            check_each(computed, [&](std::size_t i) { return expected[i]; });
          }) == "");
  }
}

TEST_CASE("AscendDequant multiplies the first columns of each row", "[quantization]") {
  const auto floats = random<float>(24, -4, 4);
  const auto narrow = random<bfloat16_t>(24, -4, 4);
  std::vector<std::uint64_t> packed;  // the upper halves are ignored
  for (const float value : floats) {
    packed.push_back(std::bit_cast<std::uint32_t>(value) | std::uint64_t{0x1234} << 32);
  }
  const auto of_floats = [&](std::size_t i) { return number(floats[i]); };
  const auto of_narrow = [&](std::size_t i) { return number(narrow[i]); };
  for (const std::uint32_t count : {1U, 20U, 24U}) {
    check_dequant_rows<half>(3, 24, count, of_floats, packed);
    check_dequant_rows<float>(3, 24, count, of_floats, floats);
    check_dequant_rows<float>(3, 24, count, of_narrow, narrow);
    check_dequant_rows<bfloat16_t>(3, 24, count, of_floats, floats);
    check_dequant_rows<bfloat16_t>(3, 24, count, of_narrow, narrow);
  }
}

TEST_CASE("AscendDequant takes one long row as rows, unless the mode forbids it",
          "[quantization]") {
  const auto from = random<std::int32_t>(16, -50, 50);
  const auto scales = random<float>(8, 1, 2);
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(from);
          const auto scale = memory.take(scales);
          const Result<float> rows(memory, 16), row(memory, 16), old(memory, 16), few(memory, 12);
          const auto tmp = memory.take<std::uint8_t>(512);
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::AscendDequant(rows.tensor(), src, scale, {1, 16, 8});
          AscendC::AscendDequant<float, float, AscendC::DeQuantMode::DEQUANT_WITH_MULTI_ROW>(
              row.tensor(), src, scale, tmp, {1, 16, 8});
          AscendC::AscendDequant(old.tensor(), src, scale);
          AscendC::AscendDequant(few.tensor(), src, scale, 12U);
          const auto expected = [&](std::size_t i) { return single(from[i] * scales[i % 8]); };
          check_each(rows.values(), expected);
          check_each(old.values(), expected);
          check_each(few.values(), expected);
          check_each(row.values(),
                     [&](std::size_t i) { return i < 8 ? expected(i) : double(from[i]); });
        }) == "");
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(from);
          const auto scale = memory.take(scales);
          const Result<float> all(memory, 16), few(memory, 12);
          const auto tmp = memory.take<std::uint8_t>(512);
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::AscendDequant(all.tensor(), src, scale, tmp);
          AscendC::AscendDequant(few.tensor(), src, scale, tmp, 12U);
          const auto expected = [&](std::size_t i) { return single(from[i] * scales[i % 8]); };
          check_each(all.values(), expected);
          check_each(few.values(), expected);
        }) == "");
}

template <typename D>
double antiquantised(double x, double scale, double offset) {
  if (std::is_same_v<D, half>) return step(step(x + offset) * scale);
  return single(single(x + offset) * scale);
}

/// k x n, or n x k transposed, with scales and offsets for groups of k.
template <typename D, bool transposed>
void check_antiquant(std::uint32_t groups) {
  constexpr std::uint32_t kK = 64, kN = 32;
  CAPTURE(sizeof(D), transposed, groups);
  const auto from = random<std::int8_t>(kK * kN, -128, 128);
  const auto scales = random<D>(groups * kN, -3, 3, 2), offsets = random<D>(groups * kN, -9, 9, 3);
  const AscendC::AntiQuantShapeInfo shape =
      transposed ? AscendC::AntiQuantShapeInfo{kN, groups, kN, groups}
                 : AscendC::AntiQuantShapeInfo{groups, kN, groups, kN};
  const auto parameter = [&](std::size_t i) {
    return transposed ? i / kK * groups + i % kK / (kK / groups)
                      : i / kN / (kK / groups) * kN + i % kN;
  };
  for (const int form : {0, 1, 2}) {
    CHECK(run([&] {
            Memory memory;
            const auto src = memory.take(from);
            auto scale = memory.take(scales), offset = memory.take(offsets);
            const Result<D> dst(memory, kK * kN);
            const auto tmp = memory.take<std::uint8_t>(512);
            AscendC::PipeBarrier<PIPE_ALL>();
            using AscendC::AscendAntiQuant;
            if (form == 0) {
              AscendAntiQuant<std::int8_t, D, transposed>(dst.tensor(), src, offset, scale, tmp, kK,
                                                          shape);
            } else if (form == 1) {
              AscendAntiQuant<std::int8_t, D, transposed>(dst.tensor(), src, offset, scale, kK,
                                                          shape);
            } else {
              const std::uint32_t dims[] = {transposed ? kN : groups, transposed ? groups : kN};
              scale.SetShapeInfo(AscendC::ShapeInfo(2, dims));
              AscendAntiQuant<std::int8_t, D, transposed>(dst.tensor(), src, scale, tmp, kK);
            }
            check_each(dst.values(), [&](std::size_t i) {
              return antiquantised<D>(number(from[i]), number(scales[parameter(i)]),
                                      form == 2 ? 0 : number(offsets[parameter(i)]));
            });
          }) == "");
  }
}

TEST_CASE("AscendAntiQuant adds the offset and multiplies, for groups of rows or columns",
          "[quantization]") {
  for (const std::uint32_t groups : {1U, 2U, 32U}) {
    check_antiquant<half, false>(groups);
    check_antiquant<half, true>(groups);
    check_antiquant<bfloat16_t, false>(groups);
    check_antiquant<bfloat16_t, true>(groups);
  }
}

template <typename D, typename S>
void check_antiquant_values(const std::vector<S>& from, const std::vector<double>& values) {
  const auto count = static_cast<std::uint32_t>(values.size());
  for (const int form : {0, 1, 2}) {
    CHECK(run([&] {
            Memory memory;
            const auto bytes = memory.take(from);
            const auto src = [&] {
              if constexpr (std::is_same_v<S, std::uint8_t>) {
                return bytes.template ReinterpretCast<int4b_t>();
              } else {
                return bytes;
              }
            }();
            using In = std::conditional_t<std::is_same_v<S, std::uint8_t>, int4b_t, S>;
            const Result<D> dst(memory, count);
            const auto tmp = memory.take<std::uint8_t>(512);
            const D offset = D(1.5F), scale = D(-2.25F);
            AscendC::PipeBarrier<PIPE_ALL>();
            using AscendC::AscendAntiQuant;
            if (form == 0) {
              AscendAntiQuant<In, D, false>(dst.tensor(), src, offset, scale, tmp, 8U);
            }
            if (form == 1) AscendAntiQuant<In, D, true>(dst.tensor(), src, offset, scale, 32U);
            if (form == 2) AscendAntiQuant<In, D, false>(dst.tensor(), src, scale, tmp, 8U);
            check_each(dst.values(), [&](std::size_t i) {
              return antiquantised<D>(values[i], -2.25, form == 2 ? 0 : 1.5);
            });
          }) == "");
  }
}

TEST_CASE("AscendAntiQuant takes one scale for all elements, and int4b_t on 2201",
          "[quantization]") {
  const auto whole = random<std::int8_t>(256, -128, 128);
  check_antiquant_values<half>(whole, doubles(whole));
  check_antiquant_values<bfloat16_t>(whole, doubles(whole));
#if __NPU_ARCH__ == 2201
  std::vector<std::uint8_t> bytes;
  std::vector<double> nibbles;
  for (int i = 0; i < 128; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(i * 37));
    for (const int nibble : {bytes.back() & 15, bytes.back() >> 4}) {
      nibbles.push_back(nibble < 8 ? nibble : nibble - 16);
    }
  }
  check_antiquant_values<half>(bytes, nibbles);
  check_antiquant_values<bfloat16_t>(bytes, nibbles);
#endif
}

TEST_CASE("host code learns the temporary memory of quantisation", "[quantization]") {
  const AscendC::TensorShape shape({64, 512}), scale({1, 512});
  std::uint32_t most = 0, least = 0, nodes = 0, extra = 9;
  AscendC::GetAscendQuantMaxMinTmpSize(shape, 2, most, least);
  CHECK(least == 768);
  CHECK(most == 3 * 64 * 512 * 4);
  AscendC::GetAscendQuantTmpBufferFactorSize(nodes, extra);
  CHECK(nodes == 3);
  CHECK(extra == 0);
  AscendC::GetAscendDequantMaxMinTmpSize(shape, 4, most, least);
  CHECK(least == 512);
  AscendC::GetAscendDequantTmpBufferFactorSize(shape, nodes, extra);
  CHECK(nodes == 2);
  const auto from = AscendC::TensorDataType::DT_INT8, to = AscendC::TensorDataType::DT_BF16;
  AscendC::GetAscendAntiQuantMaxMinTmpSize(shape, scale, false, from, to, most, least);
  CHECK(least == AscendC::GetAscendAntiQuantMinTmpSize(shape, scale, false, from, to));
  CHECK(most == AscendC::GetAscendAntiQuantMaxTmpSize(shape, scale, false, from, to));
  AscendC::GetAscendAntiQuantTmpBufferFactorSize(shape, scale, true, from, to, nodes, extra);
  CHECK(nodes == 2);
  // Registers hold the intermediate values of these.
  AscendC::GetQuantizeMaxMinTmpSize(shape, 2, most, least);
  CHECK(most + least == 0);
  AscendC::GetDequantizeMaxMinTmpSize(shape, 4, most, least);
  CHECK(most + least == 0);
  AscendC::GetAntiQuantizeMaxMinTmpSize(shape, scale, false, from, to, most, least);
  CHECK(most + least == 0);
}

TEST_CASE("a call of quantisation that does not fit ends the kernel with a sentence",
          "[quantization]") {
  using AscendC::AscendDequant;
  using AscendC::AscendQuant;
  struct Row {
    std::function<void(Memory&)> call;
    const char* sentence;
  };
  const std::vector<Row> rows = {
      {[](Memory& m) {
         AscendQuant<half>(m.take<std::int8_t>(32), m.take<half>(64), 1.0F, 0.0F, 64U);
       },
       "AscendQuant: tensor dst: 64 bytes needed, 32 there"},
      {[](Memory& m) {
         AscendQuant<half>(m.take<std::int8_t>(64), m.take<half>(64), m.take<std::uint8_t>(736),
                           1.0F, 0.0F);
       },
       "AscendQuant: tensor tmp: 768 bytes needed, 736 there"},
      {[](Memory& m) {
         AscendQuant<half>(m.take<std::int8_t>(64), m.take<half>(64), m.take<half>(16), half(0.0F));
       },
       "AscendQuant: scaleCount is 16; expected a multiple of 32"},
      {[](Memory& m) {
         AscendQuant<half>(m.take<std::int8_t>(64), m.take<half>(64), m.take<half>(32),
                           m.take<half>(64), 32U, 64U, 64U);
       },
       "AscendQuant: offsetCount is 64; expected 32 to 32"},
      {[](Memory& m) {
         AscendQuant<half>(m.take<std::int8_t>(64), m.take<half>(64), m.take<half>(32), half(0.0F),
                           32U, 33U);
       },
       "AscendQuant: calCount is 33; expected a multiple of 32"},
      {[](Memory& m) {
         AscendDequant(m.take<float>(36), m.take<std::int32_t>(36), m.take<float>(9), {4, 9, 9});
       },
       "AscendDequant: params.n * sizeof(int32_t) is 36; expected a multiple of 32"},
      {[](Memory& m) {
         AscendDequant(m.take<float>(32), m.take<std::int32_t>(32), m.take<float>(8), {4, 8, 9});
       },
       "AscendDequant: params.calCount is 9; expected 1 to 8"},
      {[](Memory& m) {
         AscendDequant(m.take<bfloat16_t>(32), m.take<std::int32_t>(32), m.take<float>(8),
                       {4, 8, 8});
       },
       "AscendDequant: tensor dst: 128 bytes needed, 64 there"},
      {[](Memory& m) {
         AscendC::AscendAntiQuant<std::int8_t, half, false>(
             m.take<half>(64), m.take<std::int8_t>(64), m.take<half>(32), m.take<half>(32), 2U);
       },
       "AscendAntiQuant: the shape of scale is unknown"},
      {[](Memory& m) {
         AscendC::AscendAntiQuant<std::int8_t, half, false>(
             m.take<half>(64), m.take<std::int8_t>(64), m.take<half>(16), m.take<half>(16), 2U,
             {1, 16, 1, 16});
       },
       "AscendAntiQuant: scaleWidth is 16; expected 32 to 32"},
      {[](Memory& m) {
         AscendC::AscendAntiQuant<std::int8_t, half, true>(
             m.take<half>(64), m.take<std::int8_t>(64), half(0.0F), half(1.0F), 16U);
       },
       "AscendAntiQuant: k is 16; expected a multiple of 32"},
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

TEST_CASE("AscendDequant and AscendAntiQuant want memory of their own", "[quantization]") {
  CHECK(contains(run([] {
                   Memory memory;
                   const auto src = memory.take(std::vector<std::int32_t>(8, 1));
                   AscendC::PipeBarrier<PIPE_ALL>();
                   AscendC::AscendDequant(src.ReinterpretCast<float>(), src, 2.0F, {1, 8, 8});
                 }),
                 "AscendDequant: tensors dst and src overlap"));
}

}  // namespace
}  // namespace library_test
