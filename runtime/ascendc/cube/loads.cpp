// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/cube/loads.h"

#include <fmt/format.h>

#include <cstring>

#include "ascendc/impl/half.h"
#include "runtime/ascendc/vector/rows.h"

namespace ascendc::cube {
namespace {

constexpr std::uint32_t kFractal = ACLSIM_FRACTAL_BYTES;
constexpr std::uint32_t kHigh = ACLSIM_FRACTAL_ROWS;
constexpr std::uint32_t kWide = kFractal / kHigh;  // bytes of a row of a fractal

/// The shape of a square of fractals.
struct Square {
  explicit Square(std::uint32_t bits)
      : wide(kWide * 8 / bits),
        side(wide < kHigh ? kHigh : wide),
        fractals(side * side / (kHigh * wide)) {}
  /// The fractal that has an element, and the number of the element within the fractal.
  std::uint32_t fractal(std::uint32_t row, std::uint32_t col) const {
    return side > kHigh ? row / kHigh : col / wide;
  }
  std::uint32_t within(std::uint32_t row, std::uint32_t col) const {
    return row % kHigh * wide + col % wide;
  }

  std::uint32_t wide;  // elements of a row of a fractal
  std::uint32_t side;
  std::uint32_t fractals;
};

/// Calls f with the offsets of the source and of the destination of each square.
template <typename F>
void each_square(const aclsimSquares& load, F&& f) {
  for (std::uint32_t i = 0; i < load.count[0]; ++i) {
    for (std::uint32_t j = 0; j < load.count[1]; ++j) {
      f(i * load.from_step[0] + j * load.from_step[1], i * load.to_step[0] + j * load.to_step[1]);
    }
  }
}

/// Transposes a square whose elements are bytes, or words of 2 or 4 bytes.
template <typename T>
void transpose(const aclsimSquares& load, std::byte* to, const std::byte* from) {
  const Square square(load.bits);
  for (std::uint32_t row = 0; row < square.side; ++row) {
    for (std::uint32_t col = 0; col < square.side; ++col) {
      const std::int64_t source = square.fractal(row, col) * load.from_next;
      const std::int64_t target = square.fractal(col, row) * load.to_next;
      std::memcpy(to + target + square.within(col, row) * sizeof(T),
                  from + source + square.within(row, col) * sizeof(T), sizeof(T));
    }
  }
}

/// Transposes a square of two elements a byte, the first in the low bits.
void transpose_halves(const aclsimSquares& load, std::byte* to, const std::byte* from) {
  const Square square(load.bits);
  const auto half = [&](std::uint32_t row, std::uint32_t col) {
    const std::uint32_t at = square.within(row, col);
    const auto byte = from[square.fractal(row, col) * load.from_next + at / 2];
    return (byte >> (at % 2 * 4)) & std::byte{0xf};
  };
  for (std::uint32_t row = 0; row < square.side; ++row) {
    for (std::uint32_t col = 0; col < square.side; col += 2) {
      to[square.fractal(row, col) * load.to_next + square.within(row, col) / 2] =
          half(col, row) | half(col + 1, row) << 4;
    }
  }
}

}  // namespace

void touched(const aclsimSquares& load, std::uintptr_t to, std::uintptr_t from, Touches& touches) {
  const Square square(load.bits);
  for (const bool write : {false, true}) {
    each_square(load, [&](std::int64_t source, std::int64_t target) {
      for (std::uint32_t i = 0; i < square.fractals; ++i) {
        const std::int64_t offset = write ? target + i * load.to_next : source + i * load.from_next;
        touches.add(write ? 0 : 1, write, (write ? to : from) + static_cast<std::uintptr_t>(offset),
                    kFractal);
      }
    });
  }
}

void execute(const aclsimSquares& load, std::byte* to, const std::byte* from) {
  each_square(load, [&](std::int64_t source, std::int64_t target) {
    switch (load.bits) {
      case 4:
        return transpose_halves(load, to + target, from + source);
      case 8:
        return transpose<std::uint8_t>(load, to + target, from + source);
      case 16:
        return transpose<std::uint16_t>(load, to + target, from + source);
      default:
        return transpose<std::uint32_t>(load, to + target, from + source);
    }
  });
}

namespace {

/// Calls f with the offsets of each element on both sides; a column of L1 is a row of the source.
template <typename F>
void each_row(const aclsimColumns& load, F&& f) {
  for (std::uint32_t matrix = 0; matrix < load.matrices; ++matrix) {
    for (std::uint32_t row = 0; row < load.rows; ++row) {
      f(matrix * load.from_matrix + std::int64_t{row} * load.bytes,
        matrix * load.to_matrix + row * load.to_row);
    }
  }
}
std::uint32_t blocks_of(const aclsimColumns& load) {
  return (load.cols * load.bytes + kWide - 1) / kWide;
}

}  // namespace

void touched(const aclsimColumns& load, std::uintptr_t to, std::uintptr_t from, Touches& touches) {
  for (std::uint32_t matrix = 0; matrix < load.matrices; ++matrix) {
    for (std::uint32_t col = 0; col < load.cols; ++col) {
      touches.add(
          1, false,
          from + static_cast<std::uintptr_t>(matrix * load.from_matrix + col * load.from_col),
          std::uint64_t{load.rows} * load.bytes);
    }
  }
  for (std::uint32_t block = 0; block < blocks_of(load); ++block) {
    each_row(load, [&](std::int64_t, std::int64_t target) {
      touches.add(0, true, to + static_cast<std::uintptr_t>(target + block * load.to_block), kWide);
    });
  }
}

void execute(const aclsimColumns& load, std::byte* to, const std::byte* from) {
  const std::uint32_t in_block = kWide / load.bytes;
  each_row(load, [&](std::int64_t source, std::int64_t target) {
    for (std::uint32_t col = 0; col < blocks_of(load) * in_block; ++col) {
      std::byte* const at =
          to + target + col / in_block * load.to_block + col % in_block * load.bytes;
      if (col < load.cols) {
        std::memcpy(at, from + source + col * load.from_col, load.bytes);
      } else {
        std::memset(at, 0, load.bytes);
      }
    }
  });
}

std::optional<std::string> check(const aclsimInstruction& instruction, const aclsimBias&) {
  const std::uint8_t to = instruction.operand[0].element, from = instruction.operand[1].element;
  if (to == ACLSIM_FLOAT && (from == ACLSIM_HALF || from == ACLSIM_BFLOAT16)) return {};
  return fmt::format("{} does not become {}; expected half or bfloat16_t, and float",
                     vector::element_name(from), vector::element_name(to));
}

void touched(const aclsimInstruction& instruction, const aclsimBias& copy, Touches& touches) {
  for (std::uint32_t i = 0; i < copy.blocks; ++i) {
    touches.add(1, false,
                begin_of(instruction, 1) + static_cast<std::uintptr_t>(i * copy.from_step),
                std::uint64_t{copy.count} * 2);
  }
  for (std::uint32_t i = 0; i < copy.blocks; ++i) {
    touches.add(0, true, begin_of(instruction, 0) + static_cast<std::uintptr_t>(i * copy.to_step),
                std::uint64_t{copy.count} * 4);
  }
}

void execute(const aclsimInstruction& instruction, const aclsimBias& copy) {
  const auto* const from = static_cast<const std::byte*>(instruction.operand[1].address);
  auto* const to = static_cast<std::byte*>(instruction.operand[0].address);
  const bool half = instruction.operand[1].element == ACLSIM_HALF;
  for (std::uint32_t i = 0; i < copy.blocks; ++i) {
    for (std::uint32_t k = 0; k < copy.count; ++k) {
      std::uint16_t bits = 0;
      std::memcpy(&bits, from + i * copy.from_step + k * sizeof bits, sizeof bits);
      const float value = half ? aclsim_half::half_value(bits) : aclsim_half::bfloat16_value(bits);
      std::memcpy(to + i * copy.to_step + k * sizeof value, &value, sizeof value);
    }
  }
}

void touched(const aclsimBlocks& fill, std::uintptr_t to, Touches& touches) {
  for (std::uint32_t i = 0; i < fill.times; ++i) {
    touches.add(0, true, to + static_cast<std::uintptr_t>(i * fill.step), fill.bytes);
  }
}

void execute(const aclsimBlocks& fill, std::byte* to) {
  for (std::uint32_t i = 0; i < fill.times; ++i) {
    for (std::uint32_t at = 0; at < fill.bytes; at += fill.width) {
      std::memcpy(to + i * fill.step + at, &fill.value, fill.width);
    }
  }
}

}  // namespace ascendc::cube
