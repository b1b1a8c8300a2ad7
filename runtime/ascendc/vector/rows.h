// SPDX-License-Identifier: Apache-2.0
// The rows of include/ascendc/impl/vector_rows.h, to look up by number.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "ascendc/impl/instruction.h"

namespace ascendc::vector {

struct InstructionRow {
  std::uint16_t opcode;
  const char* name;
  const char* operands;     // "dst,src0,src1"
  std::uint32_t old_types;  // bits of aclsimElement, on architecture 2201
  std::uint32_t new_types;  // on architecture 3510
  std::uint32_t flags;      // aclsimVectorFlag
};

/// The element types and modes of an instruction with two element types.
struct Pair {
  std::uint16_t opcode;
  std::uint8_t dst;
  std::uint8_t src;
  std::uint32_t old_modes;  // bits of RoundMode; 0: the architecture has no such conversion
  std::uint32_t new_modes;
};

extern const std::array<const InstructionRow*, 256> kRowsByOpcode;

/// nullptr: there is no such instruction.
inline const InstructionRow* row_of(std::uint16_t opcode) noexcept {
  return opcode < kRowsByOpcode.size() ? kRowsByOpcode[opcode] : nullptr;
}
const Pair* pair_of(std::uint16_t opcode, std::uint8_t dst, std::uint8_t src) noexcept;

struct Rows {
  const InstructionRow* first;
  const InstructionRow* last;
  const InstructionRow* begin() const { return first; }
  const InstructionRow* end() const { return last; }
};
struct Pairs {
  const Pair* first;
  const Pair* last;
  const Pair* begin() const { return first; }
  const Pair* end() const { return last; }
};
Rows all_rows() noexcept;
Pairs all_pairs() noexcept;

/// Bits of one element; 0 for types with which the unit does not compute.
unsigned element_bits(std::uint8_t element) noexcept;
/// As programs write it: "half", "int32_t".
const char* element_name(std::uint8_t element) noexcept;
/// The name of an operand, from the row.
std::string operand_name(const InstructionRow& row, unsigned operand);

}  // namespace ascendc::vector
