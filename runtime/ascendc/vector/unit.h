// SPDX-License-Identifier: Apache-2.0
// The vector unit: what an instruction requires, touches and computes. Pure: it starts nothing,
// keeps nothing, and knows neither blocks nor ACL. All of it may be called by any thread at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ascendc/impl/instruction.h"

namespace ascendc::vector {

/// The registers of the unit: one per core.
struct State {
  std::uint64_t mask[2] = {~0ULL,
                           ~0ULL};  // low, high; in counter mode mask[0] is the number of lanes
  bool counter = false;             // SetMaskCount
  std::uint64_t control = 0;        // the control register; see docs/kernels.md for the bits
  std::uint64_t compare[2] = {};    // the result of Compare without destination
  std::uint16_t deq_half = 0x3c00;  // SetDeqScale(half)
  float deq_scale[16] = {};         // SetDeqScale(float ...) in all of them, or one per element
  std::int16_t deq_offset[16] = {};
  bool deq_signed[16] = {};
  std::uint64_t reduced_value = 0;  // bits of the last whole reduction to a maximum or minimum
  std::uint64_t reduced_index = 0;
  std::uint64_t accumulated = 0;  // bits of the last sum over a repeat
  std::uint64_t gathered = 0;     // elements that the last GatherMask kept
  std::uint16_t merged[4] = {};   // records that the last MrgSort took from each list
};

/// Whether half and bfloat16 results become the largest number instead of an infinity.
inline bool saturates(const State& state) noexcept { return (state.control >> 48 & 1U) == 0; }

enum class Fault : std::uint8_t {
  kNone,
  kUnknown,    // the instruction does not exist, or does not accept these types
  kRange,      // an argument is out of range: repeats, mask, stride, count
  kAlignment,  // an address is not a multiple of the required alignment
  kSize,       // a tensor is too small
  kEmpty,      // it has no memory
  kOverlap,    // a destination overlaps a source in part
};

struct Violation {
  Fault fault = Fault::kNone;
  std::int8_t operand = -1;  // which operand; -1: none in particular
  std::string sentence;      // "Add: tensor dst: 512 bytes needed, 256 there"
};

/// An address without memory: of an empty tensor, or of one of its elements.
inline bool is_nowhere(std::uintptr_t address) noexcept { return address < 0x400000; }
inline bool is_nowhere(const void* address) noexcept {
  return is_nowhere(reinterpret_cast<std::uintptr_t>(address));
}

/// Whether it begins at the end of its tensor, or behind that.
inline bool is_past(const aclsimOperand& operand) noexcept {
  return operand.bytes > ~operand.bytes;
}
/// From its address to the end of its tensor, which is known.
inline std::uint64_t room(const aclsimOperand& operand) noexcept {
  return is_past(operand) ? 0 : operand.bytes;
}

/// `times` pieces of `bytes` bytes each, the first at `address`, each `stride` bytes after the one
/// before. All pieces belong to one operand.
struct Touch {
  std::uint8_t operand;
  std::uint8_t access;  // aclsimAccess: one of them
  std::uintptr_t address;
  std::uint64_t bytes;
  std::uint64_t stride;
  std::uint64_t times;
};

/// Whether the opcode is one of this unit.
bool knows(std::uint16_t opcode) noexcept;

/// The name of the function, as programs write it; "?" for an opcode that is not known.
const char* name(std::uint16_t opcode) noexcept;

/// Whether the program that issues it reads a result at once (GetAccVal, the count of GatherMask
/// ...): it has to be computed, with all that comes before it on its pipe, before the issue
/// returns.
bool answers(std::uint16_t opcode) noexcept;

/// The size of the data that an instruction's `more` points to and that execute reads. A caller
/// that executes an instruction after its issue has returned keeps a copy of them. (The destination
/// of an answer is not counted.)
std::size_t more_bytes(const aclsimInstruction& instruction) noexcept;

/// The error of an instruction; empty if it may be executed. `state` is the state after the
/// instructions issued before. Reads no tensor; check_addresses does so for the offsets of gather
/// and scatter. `touches` becomes the accesses of the instruction, as from `touched`.
std::optional<Violation> check(const aclsimInstruction& instruction, const State& state,
                               std::vector<Touch>& touches);
inline std::optional<Violation> check(const aclsimInstruction& instruction, const State& state) {
  std::vector<Touch> touches;
  return check(instruction, state, touches);
}

/// The mask bits beyond the lanes of a repeat, which the unit ignores; check has passed.
std::optional<std::string> mask_beyond_lanes(const aclsimInstruction& instruction,
                                             const State& state);

/// Checks that depend on values in tensors (offsets of Gather, Gatherb, Scatter): called just
/// before the instruction is executed, after check has passed.
std::optional<Violation> check_addresses(const aclsimInstruction& instruction, const State& state);

/// Whether the bytes that it reaches depend on values in tensors (Gather, Gatherb, Scatter).
bool reaches_by_values(std::uint16_t opcode) noexcept;

/// Appends the bytes that an instruction reads and writes; check has passed. For accesses of Gather
/// and Scatter through offsets, `exact` false gives the whole tensor; otherwise the offsets are
/// read.
void touched(const aclsimInstruction& instruction, const State& state, std::vector<Touch>& touches,
             bool exact = false);

/// Joins neighbouring ranges of one operand. If more than a few remain, for example scattered
/// elements, one range from the first to the last replaces them.
void join(std::vector<Touch>& touches);

/// Computes the instruction; check and check_addresses have passed.
void execute(const aclsimInstruction& instruction, State& state);

/// Does to `state` what later instructions' geometry depends on (mask, mask mode) and nothing else:
/// for a second State that follows the issue while the instructions themselves wait in their pipes.
void note(const aclsimInstruction& instruction, State& state) noexcept;

}  // namespace ascendc::vector
