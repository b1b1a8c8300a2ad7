// SPDX-License-Identifier: Apache-2.0
// The instructions by how they reach their operands. unit.cpp asks these; each kind is one file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ascendc/impl/vector_rows.h"
#include "runtime/ascendc/vector/geometry.h"
#include "runtime/ascendc/vector/loops.h"
#include "runtime/ascendc/vector/rows.h"
#include "runtime/ascendc/vector/unit.h"

namespace ascendc::vector {

struct Kind {
  /// Checks the ranges of this instruction, beyond the checks of all instructions. May be nullptr.
  std::optional<Violation> (*limits)(const aclsimInstruction&, const State&);
  /// Appends what is read and written; limits has passed.
  void (*reach)(const aclsimInstruction&, const State&, std::vector<Touch>&, bool exact);
  void (*execute)(const aclsimInstruction&, State&);
  /// The alignment of addresses in bytes. nullptr: 32 for every operand.
  std::uint64_t (*alignment)(const aclsimInstruction&, unsigned operand);
  bool may_overlap;  // all is read before anything is written
  /// How many lanes a repeat has, where a mask chooses among them; nullptr: none does.
  unsigned (*lanes)(const aclsimInstruction&) = nullptr;
  /// Whether the result is defined although the destination overlaps a source; nullptr: it is not.
  bool (*overlap_is_defined)(const aclsimInstruction&, const State&, unsigned dst,
                             unsigned src) = nullptr;
};

const Kind* kind_of(std::uint16_t opcode) noexcept;

extern const Kind kLaneKind, kBrcbKind, kInterleaveKind, kDeInterleaveKind;
extern const Kind kCompareKind, kCompareToMaskKind, kSelectKind;
extern const Kind kGetCmpMaskKind, kSetCmpMaskKind, kRegisterKind;
extern const Kind kReduceGroupKind, kReduceRepeatKind, kReduceAllKind;
extern const Kind kGatherKind, kGatherbKind, kScatterKind, kGatherMaskKind;
extern const Kind kSort32Kind, kMrgSortKind, kExtractKind, kSortKind;
extern const Kind kTransposeKind, kTransDataKind, kTransposeExtKind;

/// The violation if the writes of one operand overlap the accesses of another.
std::optional<Violation> overlap_of(const aclsimInstruction& instruction,
                                    const std::vector<Touch>& touches, unsigned dst, unsigned other,
                                    std::uint8_t access);
std::optional<Violation> check_gather_addresses(const aclsimInstruction& instruction,
                                                const State& state);

// ---- what kinds share
// ----------------------------------------------------------------------------

inline unsigned bytes_of(const aclsimInstruction& instruction, unsigned operand) {
  return (element_bits(instruction.operand[operand].element) + 7) / 8;
}
inline std::uint8_t* address_of(const aclsimInstruction& instruction, unsigned operand) {
  return static_cast<std::uint8_t*>(instruction.operand[operand].address);
}
inline std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Lanes in a repeat: 256 bytes of the widest of the operands [first, first + number).
unsigned lanes_per_repeat(const aclsimInstruction& instruction, unsigned first, unsigned number);

/// The parameters of loops from an instruction and the registers.
Setting setting_of(const aclsimInstruction& instruction, const State& state);

/// The bits of one element in memory.
std::uint64_t element_at(const std::uint8_t* address, unsigned bytes);

/// "Add: ...", of a fault in an argument.
Violation out_of_range(const aclsimInstruction& instruction, const std::string& what);
/// "Add: tensor dst: ...".
Violation wrong_operand(const aclsimInstruction& instruction, Fault fault, unsigned operand,
                        const std::string& what);

}  // namespace ascendc::vector
