// SPDX-License-Identifier: Apache-2.0
// Results of L0C on their way out, and the products of tiles, against plain loops.
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "ascendc/impl/half.h"
#include "ascendc/impl/opcodes.h"
#include "runtime/ascendc/cube/fixpipe.h"
#include "runtime/ascendc/cube/mmad.h"
#include "tests/ascendc_cube/matrices.h"
#include "tests/support/catch.h"

namespace {

using namespace ascendc;
using cube_test::up;

/// Bytes by address.
class Written final : public cube::Output {
 public:
  void row(std::uint32_t /*half*/, std::uintptr_t to, const std::byte* from,
           std::uint32_t bytes) override {
    for (std::uint32_t i = 0; i < bytes; ++i) {
      twice_ = twice_ || !bytes_.emplace(to + i, from[i]).second;
    }
  }
  template <class T>
  T at(std::uintptr_t address) const {
    std::byte value[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i) value[i] = bytes_.at(address + i);
    T made{};
    std::memcpy(&made, value, sizeof made);
    return made;
  }
  std::size_t size() const { return bytes_.size(); }
  bool twice() const { return twice_; }

 private:
  std::map<std::uintptr_t, std::byte> bytes_;
  bool twice_ = false;
};

constexpr std::uintptr_t kTo = 1 << 20;

struct Case {
  uint32_t rows, cols;
  std::uint8_t from, to;
  QuantMode_t quant = NoQuant;
  std::uint64_t scale = 0;
  bool relu = false;
};

/// L0C with numbers, as fractals of 16 x 16.
struct Sums {
  explicit Sums(const Case& of)
      : rows(of.rows), words(std::size_t{up(of.rows, 16)} * up(of.cols, 16)) {
    for (uint32_t row = 0; row < of.rows; ++row) {
      for (uint32_t col = 0; col < of.cols; ++col) {
        const float value = number(row, col);
        auto& word = words[cube_test::nz(row, col, rows, 16)];
        word = of.from == ACLSIM_FLOAT
                   ? aclsim_half::float_bits(value)
                   : static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
      }
    }
  }
  static float number(uint32_t row, uint32_t col) {
    return static_cast<float>(static_cast<int>(row * 31 + col * 7) % 401 - 200);
  }
  uint32_t rows;
  std::vector<std::uint32_t> words;
};

aclsimInstruction instruction_of(const Case& of, const Sums& sums, const aclsimFixpipe& fixpipe,
                                 const std::vector<std::uint64_t>& parameters = {}) {
  aclsimInstruction made{};
  made.size = sizeof made;
  made.opcode = ACLSIM_CUBE_FIXPIPE;
  made.operands = parameters.empty() ? 2 : 3;
  made.more = &fixpipe;
  made.operand[0].address = reinterpret_cast<void*>(kTo);
  made.operand[0].element = of.to;
  made.operand[1].address = const_cast<std::uint32_t*>(sums.words.data());
  made.operand[1].element = of.from;
  made.operand[2].address = const_cast<std::uint64_t*>(parameters.data());
  return made;
}

aclsimFixpipe fixpipe_of(const Case& of, uint32_t layout, std::int64_t stride) {
  aclsimFixpipe made{};
  made.size = sizeof made;
  made.called = "Fixpipe";
  made.rows = of.rows;
  made.cols = of.cols;
  made.matrices = 1;
  made.src_stride = std::int64_t{up(of.rows, 16)} * 64;
  made.src_row = 64;
  made.dst_stride = stride;
  made.layout = layout;
  made.quant = of.quant;
  made.scale = of.scale;
  made.relu = of.relu;
  return made;
}

template <class T, class F>
void check(const Case& of, uint32_t layout, std::int64_t stride, F&& expected,
           std::size_t (*place)(const Case&, uint32_t, uint32_t, std::int64_t),
           const std::vector<std::uint64_t>& parameters = {}) {
  const Sums sums(of);
  const aclsimFixpipe fixpipe = fixpipe_of(of, layout, stride);
  const aclsimInstruction instruction = instruction_of(of, sums, fixpipe, parameters);
  REQUIRE(cube::check_fixpipe(instruction, fixpipe) == std::nullopt);
  Written written;
  cube::execute_fixpipe(instruction, fixpipe, true, written);
  CHECK(written.size() == std::size_t{of.rows} * of.cols * sizeof(T));
  CHECK_FALSE(written.twice());
  for (uint32_t row = 0; row < of.rows; ++row) {
    for (uint32_t col = 0; col < of.cols; ++col) {
      const float value = Sums::number(row, col);
      const T made = written.at<T>(kTo + place(of, row, col, stride));
      if (made != expected(of.relu && value < 0 ? 0 : value, col)) {
        FAIL("element " << row << ", " << col << " of layout " << layout);
      }
    }
  }
  // Each byte is among the touched ones.
  std::vector<cube::Touch> touches;
  cube::Touches collected(touches);
  cube::touched_by_fixpipe(instruction, fixpipe, collected);
  std::size_t bytes = 0;
  for (const cube::Touch& touch : touches) bytes += touch.write ? touch.bytes : 0;
  CHECK(bytes == written.size());
}

template <class T>
std::size_t in_rows(const Case&, uint32_t row, uint32_t col, std::int64_t stride) {
  return row * static_cast<std::size_t>(stride) + col * sizeof(T);
}
template <class T>
std::size_t in_columns(const Case&, uint32_t row, uint32_t col, std::int64_t stride) {
  return col * static_cast<std::size_t>(stride) + row * sizeof(T);
}
template <class T, uint32_t wide>
std::size_t in_fractals(const Case&, uint32_t row, uint32_t col, std::int64_t stride) {
  return col / wide * static_cast<std::size_t>(stride) + (row * wide + col % wide) * sizeof(T);
}
/// Two fractals are merged; the last one alone is not.
std::size_t in_bytes(const Case& of, uint32_t row, uint32_t col, std::int64_t stride) {
  const bool alone = of.cols - col / 32 * 32 <= 16;
  return col / 32 * static_cast<std::size_t>(stride) + row * (alone ? 16 : 32) + col % 32;
}

float as_is(float value, uint32_t) { return value; }
std::int32_t whole(float value, uint32_t) { return static_cast<std::int32_t>(value); }
std::uint64_t bits_of(float value) { return aclsim_half::float_bits(value); }

TEST_CASE("results leave L0C as rows, as columns and as fractals") {
  const Case plain{37, 48, ACLSIM_FLOAT, ACLSIM_FLOAT};
  check<float>(plain, ACLSIM_FIXPIPE_ROWS, 4 * 50, as_is, in_rows<float>);
  check<float>(plain, ACLSIM_FIXPIPE_COLUMNS, 4 * 40, as_is, in_columns<float>);
  check<float>(plain, ACLSIM_FIXPIPE_FRACTALS, 64 * 48, as_is, in_fractals<float, 16>);
  const Case odd{5, 19, ACLSIM_INT32, ACLSIM_INT32};
  check<std::int32_t>(odd, ACLSIM_FIXPIPE_ROWS, 4 * 19, whole, in_rows<std::int32_t>);
  const Case relu{16, 32, ACLSIM_INT32, ACLSIM_INT32, NoQuant, 0, true};
  check<std::int32_t>(relu, ACLSIM_FIXPIPE_ROWS, 4 * 32, whole, in_rows<std::int32_t>);
}

TEST_CASE("floats may leave L0C in fractals with 8 of a row") {
  const Case plain{20, 24, ACLSIM_FLOAT, ACLSIM_FLOAT};
  const Sums sums(plain);
  aclsimFixpipe fixpipe = fixpipe_of(plain, ACLSIM_FIXPIPE_FRACTALS, 32 * 32);
  fixpipe.split = 1;
  const aclsimInstruction instruction = instruction_of(plain, sums, fixpipe);
  REQUIRE(cube::check_fixpipe(instruction, fixpipe) == std::nullopt);
  Written written;
  cube::execute_fixpipe(instruction, fixpipe, true, written);
  for (uint32_t row = 0; row < 20; ++row) {
    for (uint32_t col = 0; col < 24; ++col) {
      CHECK(written.at<float>(kTo + col / 8 * 1024 + row * 32 + col % 8 * 4) ==
            Sums::number(row, col));
    }
  }
}

TEST_CASE("results are scaled by one factor or by one of each column, and rounded") {
  const auto half = [](float factor) {
    return [factor](float value, uint32_t col) {
      return aclsim_half::half_bits(value *
                                    (factor != 0 ? factor : 1.0F + static_cast<float>(col)));
    };
  };
  const Case halves{33, 32, ACLSIM_FLOAT, ACLSIM_HALF, F322F16, 0, true};
  check<std::uint16_t>(halves, ACLSIM_FIXPIPE_ROWS, 64, half(1), in_rows<std::uint16_t>);
  const Case scaled{17, 32, ACLSIM_INT32, ACLSIM_HALF, DEQF16, bits_of(0.5F)};
  check<std::uint16_t>(scaled, ACLSIM_FIXPIPE_FRACTALS, 32 * 32, half(0.5F),
                       in_fractals<std::uint16_t, 16>);
  std::vector<std::uint64_t> parameters;
  for (int col = 0; col < 32; ++col) parameters.push_back(bits_of(1.0F + static_cast<float>(col)));
  const Case each{17, 32, ACLSIM_INT32, ACLSIM_HALF, VDEQF16};
  check<std::uint16_t>(each, ACLSIM_FIXPIPE_ROWS, 64, half(0), in_rows<std::uint16_t>, parameters);
}

TEST_CASE("results become bytes with a factor, an offset and limits, and fractals of bytes merge") {
  const std::uint64_t parameter = bits_of(0.25F) | std::uint64_t{5} << 37 | std::uint64_t{1} << 46;
  const auto byte = [](float value, uint32_t) {
    return static_cast<std::int8_t>(std::clamp(std::nearbyint(value * 0.25F) + 5, -128.F, 127.F));
  };
  const Case bytes{18, 48, ACLSIM_FLOAT, ACLSIM_INT8, QF322B8_PRE, parameter};
  check<std::int8_t>(bytes, ACLSIM_FIXPIPE_ROWS, 48, byte, in_rows<std::int8_t>);
  check<std::int8_t>(bytes, ACLSIM_FIXPIPE_FRACTALS, 32 * 32, byte, in_bytes);
  const std::uint64_t negative = bits_of(1.0F) | std::uint64_t{0x1ff} << 37;  // an offset of -1
  const auto unsigned_byte = [](float value, uint32_t) {
    return static_cast<std::uint8_t>(std::clamp(value - 1, 0.F, 255.F));
  };
  const Case unsigned_bytes{18, 32, ACLSIM_INT32, ACLSIM_UINT8, REQ8, negative};
  check<std::uint8_t>(unsigned_bytes, ACLSIM_FIXPIPE_ROWS, 32, unsigned_byte,
                      in_rows<std::uint8_t>);
  // Bit 36 asks for a shift by one more than bits 32 to 35.
  const std::uint64_t shift = bits_of(1.0F) | std::uint64_t{1} << 32 | std::uint64_t{1} << 36;
  const auto shifted = [](float value, uint32_t) {
    return static_cast<std::int8_t>(std::clamp(static_cast<int>(value) >> 2, -128, 127));
  };
  const Case shifts{18, 32, ACLSIM_INT32, ACLSIM_INT8, REQ8, shift | std::uint64_t{1} << 46};
  check<std::int8_t>(shifts, ACLSIM_FIXPIPE_ROWS, 32, shifted, in_rows<std::int8_t>);
}

TEST_CASE("a factor keeps 10 bits of its mantissa") {
  CHECK(cube::factor_of(bits_of(1.0F + 1.0F / 1024)) == 1.0F + 1.0F / 1024);
  CHECK(cube::factor_of(bits_of(1.0F + 1.0F / 2048)) == 1.0F);
  CHECK(cube::factor_of(bits_of(-3.5F)) == -3.5F);
}

TEST_CASE("arguments of Fixpipe that fit nothing are errors that name them") {
  const auto wrong = [](const Case& of, auto&& change) {
    const Sums sums(of);
    aclsimFixpipe fixpipe = fixpipe_of(of, ACLSIM_FIXPIPE_FRACTALS, 1024);
    change(fixpipe);
    return cube::check_fixpipe(instruction_of(of, sums, fixpipe), fixpipe).value_or("");
  };
  const Case plain{16, 16, ACLSIM_FLOAT, ACLSIM_FLOAT};
  CHECK(wrong(plain, [](aclsimFixpipe& f) { f.cols = 20; }) ==
        "nSize is 20; expected a multiple of 16");
  CHECK(wrong(plain, [](aclsimFixpipe& f) { f.quant = F322F16; }) ==
        "quantPre F322F16 does not turn float into float");
  CHECK(wrong({16, 16, ACLSIM_INT32, ACLSIM_HALF}, [](aclsimFixpipe& f) { f.quant = VDEQF16; }) ==
        "quantPre VDEQF16 needs a tensor of parameters");
  CHECK(wrong(plain, [](aclsimFixpipe& f) { f.unit_flag = 1; }) ==
        "unitFlag is 1; expected 0, 2 or 3");
}

TEST_CASE("HF32 rounds to nearest, and ties to zero or to even") {
  const float step = std::ldexp(1.0F, -11);
  const auto even = [](float value) { return cube::to_hf32(value, 11, ACLSIM_HF32_NEAREST_EVEN); };
  const auto zero = [](float value) { return cube::to_hf32(value, 11, ACLSIM_HF32_NEAREST_ZERO); };
  CHECK(even(1 + 0.5F * step) == 1);
  CHECK(even(1 + 1.5F * step) == 1 + 2 * step);
  CHECK(zero(1 + 1.5F * step) == 1 + step);
  CHECK(zero(1 + 0.5F * step) == 1);
  CHECK(zero(-1 - 1.75F * step) == -1 - 2 * step);
  CHECK(even(1 + 0.75F * step) == 1 + step);
  CHECK(std::isinf(even(std::numeric_limits<float>::infinity())));
  CHECK(cube::to_hf32(1 + 2 * step, 10, ACLSIM_HF32_NEAREST_EVEN) == 1 + 2 * step);
  CHECK(cube::to_hf32(1 + step, 10, ACLSIM_HF32_NEAREST_EVEN) == 1);
}

}  // namespace
