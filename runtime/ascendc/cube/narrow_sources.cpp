// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/cube/narrow_sources.h"

#include <algorithm>

#include "ascendc/impl/narrow.h"
#include "runtime/ascendc/vector/rows.h"

namespace ascendc::cube {
namespace {

float decoded(std::uint8_t element, std::uint8_t code) {
  switch (element) {
    case ACLSIM_FP8_E4M3FN:
      return aclsim_narrow::decode(aclsim_narrow::kE4M3, code);
    case ACLSIM_FP8_E5M2:
      return aclsim_narrow::decode(aclsim_narrow::kE5M2, code);
    case ACLSIM_FP4_E1M2:
      return aclsim_narrow::decode(aclsim_narrow::kE1M2, code);
    case ACLSIM_FP4_E2M1:
      return aclsim_narrow::decode(aclsim_narrow::kE2M1, code);
    default:
      return aclsim_narrow::decode_hifloat8(code);
  }
}

}  // namespace

Narrow narrow_of(std::uint8_t element) noexcept {
  switch (element) {
    case ACLSIM_FP8_E4M3FN:
    case ACLSIM_FP8_E5M2:
      return Narrow::bits8;
    case ACLSIM_HIFLOAT8:
      return Narrow::hifloat8;
    case ACLSIM_FP4_E1M2:
    case ACLSIM_FP4_E2M1:
      return Narrow::bits4;
    default:
      return Narrow::none;
  }
}

std::uint8_t computed(std::uint8_t element) noexcept {
  if (narrow_of(element) != Narrow::none) return ACLSIM_FLOAT;
  return element == ACLSIM_INT4 ? std::uint8_t{ACLSIM_INT8} : element;
}

std::array<float, 256> numbers_of(std::uint8_t element) {
  std::array<float, 256> numbers{};
  for (unsigned code = 0; code < 1U << vector::element_bits(element); ++code) {
    numbers[code] = decoded(element, static_cast<std::uint8_t>(code));
  }
  return numbers;
}

std::uint64_t place(const aclsimScales& layout, std::uint64_t row, std::uint64_t group) noexcept {
  constexpr std::uint64_t kHigh = ACLSIM_FRACTAL_ROWS;
  const std::uint64_t in_rows =
      layout.band == 0 ? row * layout.row : row / kHigh * layout.band + row % kHigh * layout.row;
  return in_rows + group / 2 * layout.pair + group % 2;
}

Widened::Widened(const Source& from, std::uint32_t rows, std::uint32_t cols, bool by_row,
                 const Scales* scales)
    : source(from) {
  const bool is_int4 = from.element == ACLSIM_INT4;
  if (!is_int4 && narrow_of(from.element) == Narrow::none) return;
  const bool half = vector::element_bits(from.element) == 4;
  const auto* const bytes = static_cast<const std::uint8_t*>(from.data);
  const auto numbers = is_int4 ? std::array<float, 256>{} : numbers_of(from.element);
  const std::size_t count = std::size_t{rows} * cols;
  if (is_int4) {
    small_.resize(count);
  } else {
    floats_.resize(count);
  }
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t col = 0; col < cols; ++col) {
      const std::uint64_t at = from.layout.transposed != 0 ? place(from.layout, 1, col, row)
                                                           : place(from.layout, 1, row, col);
      const unsigned code = half ? bytes[at / 2] >> (at % 2 * 4) & 0xfU : bytes[at];
      const std::size_t to = std::size_t{row} * cols + col;
      if (is_int4) {
        small_[to] = static_cast<std::int8_t>((static_cast<int>(code) ^ 8) - 8);
        continue;
      }
      floats_[to] = numbers[code];
      if (!scales) continue;
      const std::uint32_t line = by_row ? row : col, depth = by_row ? col : row;
      floats_[to] *=
          aclsim_narrow::decode_e8m0(scales->data[place(scales->layout, line, depth / kScaled)]);
    }
  }
  source.element = computed(from.element);
  source.layout = {ACLSIM_MATRIX_ROWS, 0, cols, 0, 0};
  source.data = is_int4 ? static_cast<const void*>(small_.data()) : floats_.data();
}

std::uint64_t place_of_index(std::uint64_t stride, std::uint64_t col,
                             std::uint64_t number) noexcept {
  const std::uint64_t byte = number / 4;
  return byte / 8 * stride + col * 8 + byte % 8;
}

std::vector<std::int8_t> dense_of_sparse(const Source& from, std::uint32_t depth,
                                         std::uint32_t cols, const std::uint8_t* index,
                                         std::uint64_t stride) {
  const auto* const numbers = static_cast<const std::int8_t*>(from.data);
  std::vector<std::int8_t> dense(std::size_t{depth} * cols);
  for (std::uint32_t col = 0; col < cols; ++col) {
    std::uint32_t position = 0;
    for (std::uint32_t number = 0; number < depth / 2; ++number) {
      const std::uint32_t bits =
          index[place_of_index(stride, col, number)] >> (number % 4 * 2) & 3U;
      position = number % 2 == 0 ? bits : std::max(position, bits + 1);
      const std::size_t row = std::size_t{number} / 2 * 4 + std::min(position, 3U);
      const std::uint64_t at = from.layout.transposed != 0 ? place(from.layout, 1, col, number)
                                                           : place(from.layout, 1, number, col);
      std::int8_t& element = dense[row * cols + col];
      element = static_cast<std::int8_t>(element + numbers[at]);
    }
  }
  return dense;
}

}  // namespace ascendc::cube
