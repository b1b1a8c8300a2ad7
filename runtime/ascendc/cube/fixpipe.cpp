// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/cube/fixpipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "ascendc/impl/half.h"
#include "ascendc/impl/narrow.h"
#include "ascendc/impl/vector_rows.h"
#include "runtime/ascendc/vector/loops.h"
#include "runtime/ascendc/vector/rows.h"

namespace ascendc::cube {
namespace {

constexpr std::uint32_t kBlock = 16;  // elements of a row of a fractal of L0C

enum class Type : std::uint8_t { ANY, FLOAT, HALF, BFLOAT16, INT32, B8, FP8, HIF8 };

struct QuantRow {
  const char* name;
  Type from;
  Type to;
  bool per_column;
};
constexpr QuantRow kQuants[] = {
#define ACLSIM_QUANT(name, source, target, per_column) \
  {#name, Type::source, Type::target, (per_column) != 0},
    ACLSIM_QUANT_ROWS(ACLSIM_QUANT)
#undef ACLSIM_QUANT
};

bool is_of(Type type, std::uint8_t element) {
  switch (type) {
    case Type::ANY:
      return true;
    case Type::FLOAT:
      return element == ACLSIM_FLOAT;
    case Type::HALF:
      return element == ACLSIM_HALF;
    case Type::BFLOAT16:
      return element == ACLSIM_BFLOAT16;
    case Type::INT32:
      return element == ACLSIM_INT32;
    case Type::B8:
      return element == ACLSIM_INT8 || element == ACLSIM_UINT8;
    case Type::FP8:
      return element == ACLSIM_FP8_E4M3FN;
    case Type::HIF8:
      return element == ACLSIM_HIFLOAT8;
    default:
      return false;
  }
}

std::uint32_t width_of(std::uint8_t element) { return vector::element_bits(element) / 8; }
/// Bits 37 to 45 of a parameter, with a sign.
int offset_of(std::uint64_t parameter) {
  const int bits = static_cast<int>(parameter >> 37 & 0x1ff);
  return bits >= 256 ? bits - 512 : bits;
}
bool is_signed(std::uint64_t parameter) { return (parameter >> 46 & 1U) != 0; }

/// Makes a row of the destination from a row of L0C.
class RowMaker {
 public:
  RowMaker(const aclsimInstruction& instruction, const aclsimFixpipe& fixpipe, bool saturates)
      : fixpipe_(fixpipe),
        row_(kQuants[fixpipe.quant]),
        from_(instruction.operand[1].element),
        to_(instruction.operand[0].element),
        saturates_(saturates),
        parameters_(row_.per_column ? static_cast<const std::byte*>(instruction.operand[2].address)
                                    : nullptr),
        values_(fixpipe.cols),
        made_(std::size_t{fixpipe.cols} * 4) {}

  const std::byte* make(const std::byte* from) {
    gather(from);
    if (to_ == ACLSIM_INT32) return raw();
    if (row_.to == Type::B8) return quantize();
    if (fixpipe_.quant > static_cast<std::uint32_t>(Quant::F322BF16)) {
      for (std::uint32_t i = 0; i < fixpipe_.cols; ++i) values_[i] *= factor_of(parameter(i));
    }
    return row_.to == Type::FP8 || row_.to == Type::HIF8 ? narrow() : convert();
  }

 private:
  std::uint64_t parameter(std::uint32_t col) const {
    if (!parameters_) return fixpipe_.scale;
    std::uint64_t bits = 0;
    std::memcpy(&bits, parameters_ + std::size_t{col} * sizeof bits, sizeof bits);
    return bits;
  }
  void gather(const std::byte* from) {
    for (std::uint32_t col = 0; col < fixpipe_.cols; col += kBlock, from += fixpipe_.src_stride) {
      const std::uint32_t here = std::min(kBlock, fixpipe_.cols - col);
      std::memcpy(made_.data() + std::size_t{col} * 4, from, std::size_t{here} * 4);
    }
    if (to_ == ACLSIM_INT32) return;
    for (std::uint32_t i = 0; i < fixpipe_.cols; ++i) {
      if (from_ == ACLSIM_INT32) {
        std::int32_t value = 0;
        std::memcpy(&value, made_.data() + std::size_t{i} * 4, sizeof value);
        values_[i] = static_cast<float>(shifted(value, parameter(i)));
      } else {
        std::memcpy(&values_[i], made_.data() + std::size_t{i} * 4, sizeof(float));
      }
      if (fixpipe_.relu && !(values_[i] > 0)) values_[i] = 0;
    }
  }
  /// The control bit of a parameter asks for a shift to the right and for 16 bits.
  std::int32_t shifted(std::int32_t value, std::uint64_t parameter) const {
    const bool requantizes = row_.to == Type::B8 && from_ == ACLSIM_INT32;
    if (!requantizes || (parameter >> 36 & 1U) == 0) return value;
    const auto distance = static_cast<unsigned>(parameter >> 32 & 0xf) + 1;
    return std::clamp(value >> distance, -32768, 32767);
  }
  const std::byte* raw() {
    if (!fixpipe_.relu) return made_.data();
    for (std::uint32_t i = 0; i < fixpipe_.cols; ++i) {
      std::int32_t value = 0;
      std::memcpy(&value, made_.data() + std::size_t{i} * 4, sizeof value);
      value = std::max(value, 0);
      std::memcpy(made_.data() + std::size_t{i} * 4, &value, sizeof value);
    }
    return made_.data();
  }
  const std::byte* quantize() {
    for (std::uint32_t i = 0; i < fixpipe_.cols; ++i) {
      const std::uint64_t bits = parameter(i);
      const float scaled = values_[i] * factor_of(bits);
      const float whole =
          std::isnan(scaled) ? 0 : std::nearbyint(std::clamp(scaled, -256.F, 255.F));
      const int moved = static_cast<int>(whole) + offset_of(bits);
      const bool negative = is_signed(bits) || to_ == ACLSIM_INT8;
      made_[i] = static_cast<std::byte>(negative ? std::clamp(moved, -128, 127)
                                                 : std::clamp(moved, 0, 255));
    }
    return made_.data();
  }
  const std::byte* narrow() {
    const bool hybrid = fixpipe_.quant == static_cast<std::uint32_t>(Quant::QF322HIF8_PRE_HYBRID) ||
                        fixpipe_.quant == static_cast<std::uint32_t>(Quant::VQF322HIF8_PRE_HYBRID);
    for (std::uint32_t i = 0; i < fixpipe_.cols; ++i) {
      made_[i] = static_cast<std::byte>(
          row_.to == Type::FP8
              ? aclsim_narrow::encode(aclsim_narrow::kE4M3, values_[i], aclsim_narrow::kRint,
                                      saturates_)
              : aclsim_narrow::encode_hifloat8(
                    values_[i], hybrid ? aclsim_narrow::kHybrid : aclsim_narrow::kRound,
                    saturates_));
    }
    return made_.data();
  }
  const std::byte* convert() {
    if (to_ == ACLSIM_FLOAT) {
      if (saturates_) {
        for (float& value : values_) value = limited(value);
      }
      return reinterpret_cast<const std::byte*>(values_.data());
    }
    std::uint8_t* const both[] = {reinterpret_cast<std::uint8_t*>(made_.data()),
                                  reinterpret_cast<std::uint8_t*>(values_.data())};
    vector::Setting setting;
    setting.saturate = saturates_;
    vector::find_loop(ACLSIM_OP_Cast, to_, ACLSIM_FLOAT)(both, values_.size(), setting);
    return made_.data();
  }
  static float limited(float value) {
    if (std::isnan(value)) return 0;
    return std::isinf(value) ? std::copysign(std::numeric_limits<float>::max(), value) : value;
  }

  const aclsimFixpipe& fixpipe_;
  const QuantRow& row_;
  std::uint8_t from_;
  std::uint8_t to_;
  bool saturates_;
  const std::byte* parameters_;
  std::vector<float> values_;
  std::vector<std::byte> made_;
};

/// The places of the parts of a row: f(half, offset in the destination, first column, columns).
class Targets {
 public:
  Targets(const aclsimInstruction& instruction, const aclsimFixpipe& fixpipe)
      : fixpipe_(fixpipe), width_(width_of(instruction.operand[0].element)) {}

  std::uint32_t width() const { return width_; }
  template <typename F>
  void each(std::uint32_t row, F&& f) const {
    const std::uint32_t cols = fixpipe_.cols;
    if (fixpipe_.dual == ACLSIM_FIXPIPE_DUAL_ROWS) {
      const std::uint32_t rows = fixpipe_.rows / 2;
      return row < rows ? each_part({0, 0, cols}, row, f) : each_part({1, 0, cols}, row - rows, f);
    }
    if (fixpipe_.dual == ACLSIM_FIXPIPE_DUAL_COLUMNS) {
      each_part({0, 0, cols / 2}, row, f);
      return each_part({1, cols / 2, cols / 2}, row, f);
    }
    each_part({0, 0, cols}, row, f);
  }

 private:
  /// Columns that one core gets.
  struct Part {
    std::uint32_t half;
    std::uint32_t first;
    std::uint32_t cols;
  };
  template <typename F>
  void each_part(const Part& part, std::uint32_t row, F&& f) const {
    if (fixpipe_.layout == ACLSIM_FIXPIPE_ROWS)
      return f(part.half, row * fixpipe_.dst_stride, part.first, part.cols);
    if (fixpipe_.layout == ACLSIM_FIXPIPE_COLUMNS) {
      for (std::uint32_t col = 0; col < part.cols; ++col) {
        f(part.half, col * fixpipe_.dst_stride + std::int64_t{row} * width_, part.first + col, 1U);
      }
      return;
    }
    for (std::uint32_t col = 0; col < part.cols;) {
      const std::uint32_t wide = block_at(part.cols - col);
      f(part.half, col / block() * fixpipe_.dst_stride + std::int64_t{row} * wide * width_,
        part.first + col, std::min(wide, part.cols - col));
      col += wide;
    }
  }
  /// Elements of a row of a fractal of the destination: bytes are merged to 32, unless only 16 are
  /// left; floats may be split to 8.
  std::uint32_t block() const { return width_ == 1 ? 32 : fixpipe_.split ? 8 : kBlock; }
  std::uint32_t block_at(std::uint32_t left) const {
    return width_ == 1 && left <= kBlock ? kBlock : block();
  }

  const aclsimFixpipe& fixpipe_;
  std::uint32_t width_;
};

}  // namespace

float factor_of(std::uint64_t parameter) noexcept {
  return aclsim_half::bits_float(static_cast<std::uint32_t>(parameter) & 0xffffe000U);
}

std::optional<std::string> check_fixpipe(const aclsimInstruction& instruction,
                                         const aclsimFixpipe& fixpipe) {
  if (fixpipe.quant >= static_cast<std::uint32_t>(Quant::count)) {
    return fmt::format("quantPre is {}; expected a value of QuantMode_t", fixpipe.quant);
  }
  const QuantRow& row = kQuants[fixpipe.quant];
  const std::uint8_t from = instruction.operand[1].element, to = instruction.operand[0].element;
  const bool plain = fixpipe.quant == 0;
  if (plain ? from != to || (from != ACLSIM_FLOAT && from != ACLSIM_INT32)
            : !is_of(row.from, from) || !is_of(row.to, to)) {
    return fmt::format("quantPre {} does not turn {} into {}", row.name, vector::element_name(from),
                       vector::element_name(to));
  }
  if (row.per_column && instruction.operands < 3) {
    return fmt::format("quantPre {} needs a tensor of parameters", row.name);
  }
  if (fixpipe.cols > 4095) return fmt::format("nSize is {}; expected at most 4095", fixpipe.cols);
  const std::uint32_t multiple = fixpipe.split ? 8 : kBlock;
  if (fixpipe.layout == ACLSIM_FIXPIPE_FRACTALS && fixpipe.cols % multiple != 0) {
    return fmt::format("nSize is {}; expected a multiple of {}", fixpipe.cols, multiple);
  }
  if (fixpipe.split && (to != ACLSIM_FLOAT || fixpipe.layout != ACLSIM_FIXPIPE_FRACTALS)) {
    return "isChannelSplit needs float on both sides, and fractals as the destination";
  }
  if (fixpipe.dual > ACLSIM_FIXPIPE_DUAL_COLUMNS) {
    return fmt::format("dualDstCtl is {}; expected 0, 1 or 2", fixpipe.dual);
  }
  if (fixpipe.dual != 0 && fixpipe.layout == ACLSIM_FIXPIPE_COLUMNS) {
    return "dualDstCtl is set; a column-major result has one destination";
  }
  if (fixpipe.dual == ACLSIM_FIXPIPE_DUAL_ROWS && fixpipe.rows % 2 != 0) {
    return fmt::format("mSize is {} with a dualDstCtl of 1; expected a multiple of 2",
                       fixpipe.rows);
  }
  if (fixpipe.dual == ACLSIM_FIXPIPE_DUAL_COLUMNS && fixpipe.cols % 32 != 0) {
    return fmt::format("nSize is {} with a dualDstCtl of 2; expected a multiple of 32",
                       fixpipe.cols);
  }
  if (fixpipe.unit_flag == 1 || fixpipe.unit_flag > 3) {
    return fmt::format("unitFlag is {}; expected 0, 2 or 3", fixpipe.unit_flag);
  }
  return {};
}

void touched_by_fixpipe(const aclsimInstruction& instruction, const aclsimFixpipe& fixpipe,
                        Touches& touches) {
  const Targets targets(instruction, fixpipe);
  const std::uintptr_t from = begin_of(instruction, 1), to = begin_of(instruction, 0);
  for (std::uint32_t matrix = 0; matrix < fixpipe.matrices; ++matrix) {
    const auto start = from + static_cast<std::uintptr_t>(matrix * fixpipe.src_matrix);
    for (std::uint32_t col = 0; col < fixpipe.cols; col += kBlock) {
      const auto column = start + static_cast<std::uintptr_t>(col / kBlock * fixpipe.src_stride);
      for (std::uint32_t row = 0; row < fixpipe.rows; ++row) {
        touches.add(1, false, column + static_cast<std::uintptr_t>(row * fixpipe.src_row),
                    std::uint64_t{std::min(kBlock, fixpipe.cols - col)} * 4);
      }
    }
  }
  if (kQuants[fixpipe.quant].per_column) {
    touches.add(2, false, begin_of(instruction, 2), std::uint64_t{fixpipe.cols} * 8);
  }
  // Fractals are written column by column, so that neighbouring rows join.
  const bool by_column = fixpipe.layout != ACLSIM_FIXPIPE_ROWS;
  for (std::uint32_t matrix = 0; matrix < fixpipe.matrices; ++matrix) {
    const auto start = to + static_cast<std::uintptr_t>(matrix * fixpipe.dst_matrix);
    std::vector<Touch> parts;
    for (std::uint32_t row = 0; row < fixpipe.rows; ++row) {
      targets.each(row, [&](std::uint32_t, std::int64_t offset, std::uint32_t, std::uint32_t cols) {
        parts.push_back({0, true, start + static_cast<std::uintptr_t>(offset),
                         std::uint64_t{cols} * targets.width()});
      });
    }
    if (by_column) {
      std::sort(parts.begin(), parts.end(),
                [](const Touch& a, const Touch& b) { return a.begin < b.begin; });
    }
    for (const Touch& part : parts) touches.add(0, true, part.begin, part.bytes);
  }
}

void execute_fixpipe(const aclsimInstruction& instruction, const aclsimFixpipe& fixpipe,
                     bool saturates, Output& output) {
  RowMaker maker(instruction, fixpipe, saturates);
  const Targets targets(instruction, fixpipe);
  const auto* const from = static_cast<const std::byte*>(instruction.operand[1].address);
  const std::uintptr_t to = begin_of(instruction, 0);
  for (std::uint32_t matrix = 0; matrix < fixpipe.matrices; ++matrix) {
    for (std::uint32_t row = 0; row < fixpipe.rows; ++row) {
      const std::byte* const made =
          maker.make(from + matrix * fixpipe.src_matrix + row * fixpipe.src_row);
      targets.each(
          row, [&](std::uint32_t half, std::int64_t offset, std::uint32_t col, std::uint32_t cols) {
            output.row(half, to + static_cast<std::uintptr_t>(matrix * fixpipe.dst_matrix + offset),
                       made + std::size_t{col} * targets.width(), cols * targets.width());
          });
    }
  }
}

}  // namespace ascendc::cube
