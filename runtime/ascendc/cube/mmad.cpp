// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/cube/mmad.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "ascendc/impl/half.h"
#include "ascendc/impl/narrow.h"
#include "runtime/ascendc/cube/narrow_sources.h"
#include "runtime/ascendc/cube/product.h"
#include "runtime/ascendc/vector/rows.h"

namespace ascendc::cube {
namespace {

constexpr std::uint32_t kHigh = ACLSIM_FRACTAL_ROWS;
constexpr std::uint32_t kWide = ACLSIM_FRACTAL_BYTES / kHigh;

std::uint32_t up(std::uint32_t value, std::uint32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// One source as it is stored.
struct Tile {
  aclsimMatrix layout{};
  std::uint32_t rows = 0;
  std::uint32_t cols = 0;
  std::uint32_t bits = 0;

  /// Elements that the tile covers in its memory.
  std::uint64_t elements() const {
    if (layout.format == ACLSIM_MATRIX_ROWS) return layout.stride * rows;
    if (layout.format == ACLSIM_MATRIX_BANDS) return up(rows, kHigh) / kHigh * layout.stride;
    return layout.stride * up(cols, layout.fractal);
  }
};

Tile tile_a(const aclsimMmad& mmad, std::uint8_t element) {
  const std::uint32_t bits = vector::element_bits(element), wide = kWide * 8 / bits;
  Tile tile{{}, mmad.rows, mmad.depth, bits};
  tile.layout.fractal = wide;
  if (mmad.vector) {
    tile.layout.stride = mmad.depth;
    return tile;
  }
  tile.layout.format = mmad.bands ? ACLSIM_MATRIX_BANDS : ACLSIM_MATRIX_FRACTALS;
  tile.layout.stride =
      mmad.bands ? up(mmad.depth, mmad.wide_depth ? kHigh : wide) * kHigh : up(mmad.rows, kHigh);
  return tile;
}

/// L0B has the columns of B as rows.
Tile tile_b(const aclsimMmad& mmad, std::uint8_t element) {
  const std::uint32_t bits = vector::element_bits(element), wide = kWide * 8 / bits;
  Tile tile{{}, mmad.cols, mmad.sparse != 0 ? mmad.depth / 2 : mmad.depth, bits};
  tile.layout = {ACLSIM_MATRIX_FRACTALS, 1, up(mmad.cols, kHigh), wide, 0};
  return tile;
}

aclsimMatrix tile_c(const aclsimMmad& mmad) {
  return {ACLSIM_MATRIX_FRACTALS, 0, up(mmad.rows, kHigh), kHigh, 0};
}

void touch_tile(const Tile& tile, unsigned operand, bool write, std::uintptr_t begin,
                Touches& touches, bool padding = false) {
  const std::uint32_t wide =
      tile.layout.format == ACLSIM_MATRIX_ROWS ? tile.cols : tile.layout.fractal;
  for (std::uint32_t col = 0; col < tile.cols; col += wide) {
    const std::uint64_t here = std::min(wide, tile.cols - col);
    for (std::uint32_t row = 0; row < tile.rows; ++row) {
      const std::uint64_t at = place(tile.layout, 1, row, col);
      touches.add(operand, write, begin + at * tile.bits / 8, (here * tile.bits + 7) / 8, padding);
    }
  }
}

/// The offset of the scale of an element: fractals of 16 rows with 2 scales of each, row by row.
std::uint64_t place_of_scale(std::uint32_t row, std::uint32_t depth, std::uint32_t depths) {
  const std::uint32_t group = depth / kScaled, pairs = (depths + 2 * kScaled - 1) / (2 * kScaled);
  return (std::uint64_t{row / kHigh} * pairs + group / 2) * (2 * kHigh) + row % kHigh * 2 +
         group % 2;
}

void touch_scales(const aclsimInstruction& instruction, const aclsimMmad& mmad, bool is_b,
                  std::uint32_t row, Touches& touches) {
  const unsigned operand = is_b ? 5 : 4;
  for (std::uint32_t depth = 0; depth < mmad.depth; depth += 2 * kScaled) {
    touches.add(operand, false,
                begin_of(instruction, operand) + place_of_scale(row, depth, mmad.depth), 2);
  }
}

/// Bytes of a column of fractals of the index of a sparse B.
std::uint64_t index_stride(const aclsimMmad& mmad) {
  return std::uint64_t{up(mmad.cols, kHigh)} * (kWide / 4);
}
void touch_index(const aclsimInstruction& instruction, const aclsimMmad& mmad, std::uint32_t col,
                 Touches& touches) {
  for (std::uint32_t number = 0; number < mmad.depth / 2; number += kWide) {
    const std::uint32_t here = std::min(kWide, mmad.depth / 2 - number);
    touches.add(5, false,
                begin_of(instruction, 5) + place_of_index(index_stride(mmad), col, number),
                (here + 3) / 4);
  }
}

/// The product with a sparse B: of 4 elements of A along the depth, the first index selects one of
/// the first 3 for the first number, and the second one of the last 3 for the second.
void multiply_sparse(const aclsimInstruction& instruction, const aclsimMmad& mmad,
                     std::uint32_t* sums) {
  const auto* const a = static_cast<const std::int8_t*>(instruction.operand[1].address);
  const auto* const b = static_cast<const std::int8_t*>(instruction.operand[2].address);
  const auto* const index = static_cast<const std::uint8_t*>(instruction.operand[5].address);
  const Tile tile_of_a = tile_a(mmad, ACLSIM_INT8), tile_of_b = tile_b(mmad, ACLSIM_INT8);
  for (std::uint32_t col = 0; col < mmad.cols; ++col) {
    std::uint32_t first = 0;
    for (std::uint32_t number = 0; number < mmad.depth / 2; ++number) {
      const unsigned byte = index[place_of_index(index_stride(mmad), col, number)];
      const std::uint32_t bits = byte >> (number % 4 * 2) & 3U;
      first = number % 2 == 0 ? bits : std::max(first, bits + 1);
      const std::uint32_t depth = number / 2 * 4 + std::min(first, 3U);
      const int value = b[place(tile_of_b.layout, 1, col, number)];
      for (std::uint32_t row = 0; row < mmad.rows; ++row) {
        sums[std::size_t{row} * mmad.cols + col] +=
            static_cast<std::uint32_t>(value * a[place(tile_of_a.layout, 1, row, depth)]);
      }
    }
  }
}

/// A source whose elements are converted, in the order in which they are stored.
class Converted {
 public:
  Converted(const aclsimOperand& operand, const Tile& tile, const aclsimMmad& mmad,
            const aclsimOperand& scales) {
    source.element = computed(operand.element);
    source.layout = tile.layout;
    source.data = operand.address;
    if (operand.element == ACLSIM_INT4) {
      unpack(static_cast<const std::uint8_t*>(operand.address), tile.elements());
    } else if (narrow_of(operand.element) != Narrow::none) {
      decode(operand, tile, mmad.scaled != 0 ? &scales : nullptr);
    } else if (operand.element == ACLSIM_FLOAT && mmad.rounding != ACLSIM_HF32_OFF) {
      round(static_cast<const float*>(operand.address), tile.elements(), mmad);
    }
  }
  Converted(const Converted&) = delete;
  Converted& operator=(const Converted&) = delete;

  Source source;

 private:
  void unpack(const std::uint8_t* from, std::uint64_t elements) {
    small_.resize(elements);
    for (std::uint64_t i = 0; i < elements; ++i) {
      const int bits = from[i / 2] >> (i % 2 * 4) & 0xf;
      small_[i] = static_cast<std::int8_t>((bits ^ 8) - 8);
    }
    source.data = small_.data();
  }
  void decode(const aclsimOperand& operand, const Tile& tile, const aclsimOperand* scales) {
    const std::array<float, 256> numbers = numbers_of(operand.element);
    const auto* const from = static_cast<const std::uint8_t*>(operand.address);
    floats_.resize(tile.elements());
    for (std::uint32_t row = 0; row < tile.rows; ++row) {
      for (std::uint32_t depth = 0; depth < tile.cols; ++depth) {
        const std::uint64_t at = place(tile.layout, 1, row, depth);
        const unsigned code = tile.bits == 4 ? from[at / 2] >> (at % 2 * 4) & 0xfU : from[at];
        floats_[at] = numbers[code];
        if (!scales) continue;
        floats_[at] *= aclsim_narrow::decode_e8m0(static_cast<const std::uint8_t*>(
            scales->address)[place_of_scale(row, depth, tile.cols)]);
      }
    }
    source.data = floats_.data();
  }
  void round(const float* from, std::uint64_t elements, const aclsimMmad& mmad) {
    floats_.resize(elements);
    for (std::uint64_t i = 0; i < elements; ++i) {
      floats_[i] = to_hf32(from[i], mmad.hf32_bits, mmad.rounding);
    }
    source.data = floats_.data();
  }

  std::vector<std::int8_t> small_;
  std::vector<float> floats_;
};

/// The sums that the product starts from, row by row.
std::vector<std::uint32_t> old_sums(const aclsimInstruction& instruction, const aclsimMmad& mmad) {
  std::vector<std::uint32_t> sums(std::size_t{mmad.rows} * mmad.cols);
  const auto* const from = static_cast<const std::byte*>(instruction.operand[0].address);
  const aclsimMatrix layout = tile_c(mmad);
  for (std::uint32_t row = 0; row < mmad.rows; ++row) {
    for (std::uint32_t col = 0; col < mmad.cols; col += kHigh) {
      std::memcpy(sums.data() + std::size_t{row} * mmad.cols + col,
                  from + place(layout, 4, row, col) * 4, std::min(kHigh, mmad.cols - col) * 4);
    }
  }
  return sums;
}

std::vector<std::byte> sparse_product(const aclsimInstruction& instruction,
                                      const aclsimMmad& mmad) {
  std::vector<std::uint32_t> sums(std::size_t{mmad.rows} * mmad.cols);
  if (mmad.start == ACLSIM_MMAD_ADD) sums = old_sums(instruction, mmad);
  for (std::uint32_t row = 0; mmad.start == ACLSIM_MMAD_BIAS && row < mmad.rows; ++row) {
    std::memcpy(sums.data() + std::size_t{row} * mmad.cols, instruction.operand[3].address,
                std::size_t{mmad.cols} * 4);
  }
  multiply_sparse(instruction, mmad, sums.data());
  std::vector<std::byte> result(sums.size() * 4);
  std::memcpy(result.data(), sums.data(), result.size());
  return result;
}

void limit(std::vector<std::byte>& result) {
  auto* const values = reinterpret_cast<float*>(result.data());
  for (std::size_t i = 0; i < result.size() / sizeof(float); ++i) {
    if (std::isnan(values[i])) {
      values[i] = 0;
    } else if (std::isinf(values[i])) {
      values[i] = std::copysign(std::numeric_limits<float>::max(), values[i]);
    }
  }
}

}  // namespace

float to_hf32(float value, std::uint32_t bits, std::uint32_t rounding) noexcept {
  if (!std::isfinite(value)) return value;
  const std::uint32_t dropped = 23 - bits, half = 1U << (dropped - 1);
  std::uint32_t word = aclsim_half::float_bits(value);
  const std::uint32_t rest = word & ((1U << dropped) - 1);
  word -= rest;
  const bool odd = (word >> dropped & 1U) != 0;
  const bool up = rest > half || (rest == half && odd && rounding == ACLSIM_HF32_NEAREST_EVEN);
  return aclsim_half::bits_float(up ? word + (1U << dropped) : word);
}

std::optional<std::string> check_mmad(const aclsimInstruction& instruction,
                                      const aclsimMmad& mmad) {
  const std::uint8_t a = instruction.operand[1].element, b = instruction.operand[2].element;
  const std::uint8_t c = instruction.operand[0].element;
  const bool known = vector::element_bits(a) != 0 && vector::element_bits(b) != 0;
  if (!known || (c != ACLSIM_FLOAT && c != ACLSIM_INT32) || narrow_of(a) != narrow_of(b) ||
      !multiplies(computed(a), computed(b), c, false)) {
    return fmt::format("no product of {} and {} has sums of {}", vector::element_name(a),
                       vector::element_name(b), vector::element_name(c));
  }
  if (mmad.sparse != 0) {
    if (a != ACLSIM_INT8 || b != ACLSIM_INT8) {
      return fmt::format("no sparse product of {} and {}; expected int8_t", vector::element_name(a),
                         vector::element_name(b));
    }
    if (mmad.depth % 4 != 0) {
      return fmt::format("k is {}; expected a multiple of 4", mmad.depth);
    }
  }
  if (mmad.scaled != 0) {
    if (narrow_of(a) == Narrow::none || narrow_of(a) == Narrow::hifloat8) {
      return fmt::format("no product of {} and {} has scales", vector::element_name(a),
                         vector::element_name(b));
    }
    if (mmad.depth % (2 * kScaled) != 0) {
      return fmt::format("k is {}; expected a multiple of {}", mmad.depth, 2 * kScaled);
    }
  } else if (narrow_of(a) == Narrow::bits4) {
    return fmt::format("a product of {} and {} needs scales (MmadMx)", vector::element_name(a),
                       vector::element_name(b));
  }
  if (mmad.start == ACLSIM_MMAD_BIAS && instruction.operand[3].element != c) {
    return fmt::format("the bias has elements of {}; expected {}",
                       vector::element_name(instruction.operand[3].element),
                       vector::element_name(c));
  }
  static constexpr std::uint32_t kMost = 4095;
  const auto beyond = [](const char* name, std::uint32_t value) {
    return fmt::format("{} is {}; expected 0 to {}", name, value, kMost);
  };
  if (mmad.rows > kMost) return beyond("m", mmad.rows);
  if (mmad.cols > kMost) return beyond("n", mmad.cols);
  if (mmad.depth > kMost) return beyond("k", mmad.depth);
  if (mmad.unit_flag == 1 || mmad.unit_flag > 3) {
    return fmt::format("unitFlag is {}; expected 0, 2 or 3", mmad.unit_flag);
  }
  return {};
}

void touched_by_mmad(const aclsimInstruction& instruction, const aclsimMmad& mmad,
                     Touches& touches) {
  touch_tile(tile_a(mmad, instruction.operand[1].element), 1, false, begin_of(instruction, 1),
             touches);
  touch_tile(tile_b(mmad, instruction.operand[2].element), 2, false, begin_of(instruction, 2),
             touches);
  for (const bool is_b : {false, true}) {
    if (mmad.scaled == 0) break;
    for (std::uint32_t row = 0; row < (is_b ? mmad.cols : mmad.rows); ++row) {
      touch_scales(instruction, mmad, is_b, row, touches);
    }
  }
  for (std::uint32_t col = 0; mmad.sparse != 0 && col < mmad.cols; ++col) {
    touch_index(instruction, mmad, col, touches);
  }
  const Tile c{tile_c(mmad), mmad.rows, mmad.cols, 32};
  if (mmad.start == ACLSIM_MMAD_BIAS) {
    touches.add(3, false, begin_of(instruction, 3), std::uint64_t{mmad.cols} * 4);
  } else if (mmad.start == ACLSIM_MMAD_ADD) {
    touch_tile(c, 0, false, begin_of(instruction, 0), touches);
  }
  touch_tile(c, 0, true, begin_of(instruction, 0), touches);
  // The unit writes whole fractals.
  const Tile whole{c.layout, up(mmad.rows, kHigh), up(mmad.cols, kHigh), 32};
  if (whole.rows != c.rows || whole.cols != c.cols) {
    touch_tile(whole, 0, true, begin_of(instruction, 0), touches, true);
  }
}

void lines_of(const aclsimInstruction& instruction, std::vector<Line>& lines) {
  const auto mmad = params_of<aclsimMmad>(instruction);
  for (std::uint32_t row = 0; row < mmad.rows; ++row) lines.push_back({false, row});
  for (std::uint32_t col = 0; col < mmad.cols; ++col) lines.push_back({true, col});
}

void sources_of(const aclsimInstruction& instruction, const Line& line,
                std::vector<Touch>& touches) {
  const auto mmad = params_of<aclsimMmad>(instruction);
  const unsigned operand = line.is_col ? 2 : 1;
  const std::uint8_t element = instruction.operand[operand].element;
  const Tile tile = line.is_col ? tile_b(mmad, element) : tile_a(mmad, element);
  const std::uint32_t wide =
      tile.layout.format == ACLSIM_MATRIX_ROWS ? tile.cols : tile.layout.fractal;
  Touches collected(touches);
  for (std::uint32_t col = 0; col < tile.cols; col += wide) {
    const std::uint64_t at = place(tile.layout, 1, line.number, col);
    collected.add(operand, false, begin_of(instruction, operand) + at * tile.bits / 8,
                  (std::uint64_t{std::min(wide, tile.cols - col)} * tile.bits + 7) / 8);
  }
  if (mmad.scaled != 0) touch_scales(instruction, mmad, line.is_col, line.number, collected);
  if (mmad.sparse != 0 && line.is_col) touch_index(instruction, mmad, line.number, collected);
  if (line.is_col && mmad.start == ACLSIM_MMAD_BIAS) {
    collected.add(3, false, begin_of(instruction, 3) + std::uint64_t{line.number} * 4, 4);
  }
}

void results_of(const aclsimInstruction& instruction, const Line& line,
                std::vector<Touch>& touches) {
  const auto mmad = params_of<aclsimMmad>(instruction);
  const aclsimMatrix layout = tile_c(mmad);
  const std::uintptr_t begin = begin_of(instruction, 0);
  Touches collected(touches);
  if (line.is_col) {
    for (std::uint32_t row = 0; row < mmad.rows; ++row) {
      collected.add(0, true, begin + place(layout, 4, row, line.number) * 4, 4);
    }
    return;
  }
  for (std::uint32_t col = 0; col < mmad.cols; col += kHigh) {
    collected.add(0, true, begin + place(layout, 4, line.number, col) * 4,
                  std::uint64_t{std::min(kHigh, mmad.cols - col)} * 4);
  }
}

namespace {

std::vector<std::byte> dense_product(const aclsimInstruction& instruction, const aclsimMmad& mmad,
                                     bool saturates) {
  const aclsimOperand* const operand = instruction.operand;
  const Converted a(operand[1], tile_a(mmad, operand[1].element), mmad, operand[4]);
  const Converted b(operand[2], tile_b(mmad, operand[2].element), mmad, operand[5]);
  Problem problem;
  problem.rows = mmad.rows;
  problem.cols = mmad.cols;
  problem.depth = mmad.depth;
  problem.a = a.source;
  problem.b = b.source;
  problem.result = operand[0].element;
  std::vector<std::uint32_t> sums;
  if (mmad.start == ACLSIM_MMAD_BIAS) {
    problem.bias = operand[3].address;
    problem.bias_element = operand[3].element;
  } else if (mmad.start == ACLSIM_MMAD_ADD) {
    sums = old_sums(instruction, mmad);
    problem.sums = sums.data();
  }
  std::vector<std::byte> result = product(problem);
  if (saturates && problem.result == ACLSIM_FLOAT) limit(result);
  return result;
}

}  // namespace

void execute_mmad(const aclsimInstruction& instruction, const aclsimMmad& mmad, bool saturates,
                  Output& output) {
  const std::vector<std::byte> result = mmad.sparse != 0
                                            ? sparse_product(instruction, mmad)
                                            : dense_product(instruction, mmad, saturates);
  const aclsimMatrix layout = tile_c(mmad);
  for (std::uint32_t col = 0; col < mmad.cols; col += kHigh) {
    for (std::uint32_t row = 0; row < mmad.rows; ++row) {
      output.row(0, begin_of(instruction, 0) + place(layout, 4, row, col) * 4,
                 result.data() + (std::size_t{row} * mmad.cols + col) * 4,
                 std::min(kHigh, mmad.cols - col) * 4);
    }
  }
}

}  // namespace ascendc::cube
