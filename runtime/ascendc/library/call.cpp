// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/library/call.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "ascendc/impl/half.h"
#include "runtime/ascendc/vector/loops.h"
#include "runtime/ascendc/vector/rows.h"

namespace ascendc::library {
namespace {

std::vector<std::string> names_of(const char* text) {
  std::vector<std::string> names(1);
  for (; *text != 0; ++text) {
    if (*text == ',') {
      names.emplace_back();
    } else if (*text != '?') {
      names.back() += *text;
    }
  }
  return names;
}

/// Half and bfloat16 through their bits.
struct HalfFormat {
  static float widen(std::uint16_t bits) { return aclsim_half::half_value(bits); }
  static std::uint16_t narrow(double value) {
    return aclsim_half::half_bits(aclsim_half::to_odd(value));
  }
  static std::uint16_t narrow(float value) { return aclsim_half::half_bits(value); }
  static constexpr std::uint16_t kInfinity = 0x7c00;
};
struct BfloatFormat {
  static float widen(std::uint16_t bits) { return aclsim_half::bfloat16_value(bits); }
  static std::uint16_t narrow(double value) {
    return aclsim_half::bfloat16_bits(aclsim_half::to_odd(value));
  }
  static std::uint16_t narrow(float value) { return aclsim_half::bfloat16_bits(value); }
  static constexpr std::uint16_t kInfinity = 0x7f80;
};

template <typename Format>
std::uint16_t saturated(std::uint16_t bits) {
  const std::uint16_t size = bits & 0x7fffU;
  if (size < Format::kInfinity) return bits;
  if (size > Format::kInfinity) return 0;
  return static_cast<std::uint16_t>((bits & 0x8000U) | (Format::kInfinity - 1U));
}

template <typename Format, typename Number>
void load_16(const std::uint16_t* from, std::size_t number, Number* to) {
  for (std::size_t i = 0; i < number; ++i) to[i] = Format::widen(from[i]);
}

template <typename Format, typename Number>
void store_16(const Number* from, std::size_t number, std::uint16_t* to, bool saturates) {
  for (std::size_t i = 0; i < number; ++i) to[i] = Format::narrow(from[i]);
  if (!saturates) return;
  for (std::size_t i = 0; i < number; ++i) to[i] = saturated<Format>(to[i]);
}

/// Half and bfloat16, between which and float the vector unit has fast loops.
bool is_sixteen(std::uint8_t element) {
  return element == ACLSIM_HALF || element == ACLSIM_BFLOAT16;
}

template <typename Integer, typename Number>
Integer rounded(Number value) {
  if (std::isnan(value)) return 0;
  const Number near = std::nearbyint(value);
  constexpr auto kLeast = std::numeric_limits<Integer>::min();
  constexpr auto kMost = std::numeric_limits<Integer>::max();
  if (near <= static_cast<Number>(kLeast)) return kLeast;
  if (near >= static_cast<Number>(kMost)) return kMost;
  return static_cast<Integer>(near);
}

template <typename Number>
void load_any(const Call& call, unsigned i, std::uint64_t first, std::size_t number, Number* to) {
  switch (call.element(i)) {
    case ACLSIM_FLOAT: {
      const float* const from = call.at<float>(i, first);
      std::copy(from, from + number, to);
      return;
    }
    case ACLSIM_HALF:
      return load_16<HalfFormat>(call.at<std::uint16_t>(i, first), number, to);
    case ACLSIM_BFLOAT16:
      return load_16<BfloatFormat>(call.at<std::uint16_t>(i, first), number, to);
    default:
      with_integer(call.element(i), [&](auto type) {
        const auto* const from = call.at<decltype(type)>(i, first);
        for (std::size_t k = 0; k < number; ++k) to[k] = static_cast<Number>(from[k]);
      });
  }
}

template <typename Number>
void store_any(const Call& call, unsigned i, std::uint64_t first, std::size_t number,
               const Number* from) {
  switch (call.element(i)) {
    case ACLSIM_FLOAT: {
      float* const to = call.at<float>(i, first);
      for (std::size_t k = 0; k < number; ++k) to[k] = static_cast<float>(from[k]);
      return;
    }
    case ACLSIM_HALF:
      return store_16<HalfFormat>(from, number, call.at<std::uint16_t>(i, first), call.saturates());
    case ACLSIM_BFLOAT16:
      return store_16<BfloatFormat>(from, number, call.at<std::uint16_t>(i, first),
                                    call.saturates());
    default:
      with_integer(call.element(i), [&](auto type) {
        auto* const to = call.at<decltype(type)>(i, first);
        for (std::size_t k = 0; k < number; ++k) to[k] = rounded<decltype(type)>(from[k]);
      });
  }
}

}  // namespace

const std::vector<Row>& all_rows() {
  static const std::vector<Row> rows = {
#define ACLSIM_LIBRARY_ROW(number, name, shape, operands, old_types, new_types, temporary, flags) \
  {number, #name, names_of(operands), ACLSIM_SET_OF(old_types), ACLSIM_SET_OF(new_types), flags},
      ACLSIM_LIBRARY_ROWS(ACLSIM_LIBRARY_ROW)
#undef ACLSIM_LIBRARY_ROW
  };
  return rows;
}

const Row* row_of(std::uint16_t number) noexcept {
  static const std::vector<const Row*> by_number = [] {
    std::vector<const Row*> rows(ACLSIM_LIBRARY_LAST - ACLSIM_LIBRARY_FIRST + 1);
    for (const Row& row : all_rows()) rows[row.number] = &row;
    return rows;
  }();
  return number < by_number.size() ? by_number[number] : nullptr;
}

Call::Call(const aclsimInstruction& instruction, bool saturates)
    : function_(static_cast<std::uint16_t>(instruction.opcode - ACLSIM_LIBRARY_FIRST)),
      row_(row_of(function_)),
      call_(*static_cast<const aclsimLibraryCall*>(instruction.more)),
      saturates_(saturates) {}

unsigned Call::bytes(unsigned i) const noexcept {
  return element(i) == ACLSIM_BOOL ? 1 : (vector::element_bits(element(i)) + 7) / 8;
}

double Call::value(unsigned i, std::uint8_t element) const noexcept {
  const auto bits = static_cast<std::uint64_t>(number(i));
  switch (element) {
    case ACLSIM_FLOAT:
      return aclsim_half::bits_float(static_cast<std::uint32_t>(bits));
    case ACLSIM_HALF:
      return aclsim_half::half_value(static_cast<std::uint16_t>(bits));
    case ACLSIM_BFLOAT16:
      return aclsim_half::bfloat16_value(static_cast<std::uint16_t>(bits));
    default: {
      double value = 0;
      with_integer(element, [&](auto type) {
        value = static_cast<double>(static_cast<decltype(type)>(bits));
      });
      return value;
    }
  }
}

void Call::load(unsigned i, std::uint64_t first, std::size_t number, double* to) const {
  load_any(*this, i, first, number, to);
}
void Call::load(unsigned i, std::uint64_t first, std::size_t number, float* to) const {
  if (number == 0) return;  // `to` may be null
  if (element(i) == ACLSIM_FLOAT) {
    std::memcpy(to, at<float>(i, first), number * sizeof(float));
    return;
  }
  if (!is_sixteen(element(i))) return load_any(*this, i, first, number, to);
  std::uint8_t* const both[] = {reinterpret_cast<std::uint8_t*>(to),
                                at<std::uint8_t>(i, first * bytes(i))};
  vector::find_loop(ACLSIM_OP_Cast, ACLSIM_FLOAT, element(i))(both, number, {});
}
void Call::store(unsigned i, std::uint64_t first, std::size_t number, const double* from) const {
  store_any(*this, i, first, number, from);
}
void Call::store(unsigned i, std::uint64_t first, std::size_t number, const float* from) const {
  if (number == 0) return;  // `from` may be null
  if (element(i) == ACLSIM_FLOAT) {
    std::memcpy(at<float>(i, first), from, number * sizeof(float));
    return;
  }
  if (!is_sixteen(element(i))) return store_any(*this, i, first, number, from);
  std::uint8_t* const both[] = {
      at<std::uint8_t>(i, first * bytes(i)),
      const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(from))};
  vector::Setting setting;
  setting.saturate = saturates_;
  vector::find_loop(ACLSIM_OP_Cast, element(i), ACLSIM_FLOAT)(both, number, setting);
}

}  // namespace ascendc::library
