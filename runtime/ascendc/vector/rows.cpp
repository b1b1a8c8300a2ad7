// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/vector/rows.h"

#include <iterator>

#include "ascendc/impl/vector_rows.h"

namespace ascendc::vector {
namespace {

constexpr InstructionRow kRows[] = {
#define ACLSIM_ROW(number, name, shape, operands, old_types, new_types, flags) \
  {number, #name, operands, ACLSIM_SET_OF(old_types), ACLSIM_SET_OF(new_types), flags},
    ACLSIM_VECTOR_ROWS(ACLSIM_ROW)
#undef ACLSIM_ROW
};

constexpr Pair kPairs[] = {
#define ACLSIM_PAIR(name, dst, src, old_modes, new_modes) \
  {ACLSIM_OP_##name, ACLSIM_##dst, ACLSIM_##src, old_modes, new_modes},
    ACLSIM_VECTOR_PAIRS(ACLSIM_PAIR)
#undef ACLSIM_PAIR
};

struct Element {
  const char* name;
  unsigned bits;
};
constexpr Element kElements[] = {
    {"?", 0},           {"bool", 8},       {"int4b_t", 4},      {"int8_t", 8},
    {"uint8_t", 8},     {"int16_t", 16},   {"uint16_t", 16},    {"int32_t", 32},
    {"uint32_t", 32},   {"int64_t", 64},   {"uint64_t", 64},    {"half", 16},
    {"bfloat16_t", 16}, {"float", 32},     {"double", 64},      {"complex32", 0},
    {"complex64", 0},   {"?", 0},          {"fp8_e4m3fn_t", 8}, {"fp8_e5m2_t", 8},
    {"fp8_e8m0_t", 8},  {"hifloat8_t", 8}, {"fp4x2_e1m2_t", 4}, {"fp4x2_e2m1_t", 4},
    {"int4x2_t", 4},
};

}  // namespace

constexpr std::array<const InstructionRow*, 256> by_opcode() {
  std::array<const InstructionRow*, 256> index{};
  for (const InstructionRow& row : kRows) index[row.opcode] = &row;
  return index;
}
constexpr std::array<const InstructionRow*, 256> kRowsByOpcode = by_opcode();

const Pair* pair_of(std::uint16_t opcode, std::uint8_t dst, std::uint8_t src) noexcept {
  for (const Pair& pair : kPairs) {
    if (pair.opcode == opcode && pair.dst == dst && pair.src == src) return &pair;
  }
  return nullptr;
}

Rows all_rows() noexcept { return {std::begin(kRows), std::end(kRows)}; }
Pairs all_pairs() noexcept { return {std::begin(kPairs), std::end(kPairs)}; }

unsigned element_bits(std::uint8_t element) noexcept {
  return element < std::size(kElements) ? kElements[element].bits : 0;
}

const char* element_name(std::uint8_t element) noexcept {
  return element < std::size(kElements) ? kElements[element].name : "?";
}

std::string operand_name(const InstructionRow& row, unsigned operand) {
  const char* begin = row.operands;
  for (; operand > 0 && *begin != 0; ++begin) operand -= *begin == ',';
  const char* end = begin;
  while (*end != 0 && *end != ',') ++end;
  return {begin, end};
}

}  // namespace ascendc::vector
