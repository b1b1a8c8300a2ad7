// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/cube/unit.h"

#include <array>

#include "ascendc/impl/opcodes.h"

#include "runtime/ascendc/cube/fixpipe.h"
#include "runtime/ascendc/cube/loads.h"
#include "runtime/ascendc/cube/mmad.h"

namespace ascendc::cube {
namespace {

struct Row {
  std::size_t more;
  std::array<Operand, 6> operands;
};

constexpr std::uint16_t kL0 = kL0A | kL0B;
// By opcode, from ACLSIM_CUBE_SQUARES on. The documentation of each function has its
// positions and alignment.
constexpr Row kRows[] = {
    {sizeof(aclsimSquares), {{{"dst", kL0, 512}, {"src", kL1, 32}}}},
    {sizeof(aclsimImage), {{{"dst", kL0, 512}, {"src", kL1, 32}}}},
    {sizeof(aclsimColumns), {{{"dst", kL1, 32}, {"src", kGlobal, 1}}}},
    {sizeof(aclsimBlocks), {{{"dst", kL1 | kL0, 32}}}},
    {sizeof(aclsimMmad),
     {{{"dst", kL0C, 1024},
       {"fm", kL0A, 512},
       {"filter", kL0B, 512},
       {"bias", kBias, 64},
       {"the scales of fm", kScalesA, 32},
       {"the scales or the index of filter", kScalesB | kIndex, 32}}}},
    {sizeof(aclsimFixpipe),
     {{{"dst", kGlobal | kL1 | kUb, 32},
       {"src", kL0C, 64},
       {"cbufWorkspace", kL1 | kFixpipe, 32}}}},
    {sizeof(aclsimBias), {{{"dst", kBias, 64}, {"src", kL1, 32}}}},
};
constexpr std::uint16_t kFirst = ACLSIM_CUBE_SQUARES;

const Row* row_of(std::uint16_t opcode) {
  const std::size_t index = static_cast<std::size_t>(opcode) - kFirst;
  return index < std::size(kRows) ? &kRows[index] : nullptr;
}

std::byte* target(const aclsimInstruction& instruction) {
  return static_cast<std::byte*>(instruction.operand[0].address);
}
const std::byte* source(const aclsimInstruction& instruction) {
  return static_cast<const std::byte*>(instruction.operand[1].address);
}

/// Calls f with the structure of the instruction.
template <typename F>
auto with_params(const aclsimInstruction& instruction, F&& f) {
  switch (instruction.opcode) {
    case ACLSIM_CUBE_SQUARES:
      return f(params_of<aclsimSquares>(instruction));
    case ACLSIM_CUBE_IMAGE:
      return f(params_of<aclsimImage>(instruction));
    case ACLSIM_CUBE_COLUMNS:
      return f(params_of<aclsimColumns>(instruction));
    case ACLSIM_CUBE_BLOCKS:
      return f(params_of<aclsimBlocks>(instruction));
    case ACLSIM_CUBE_MMAD:
      return f(params_of<aclsimMmad>(instruction));
    case ACLSIM_CUBE_BIAS:
      return f(params_of<aclsimBias>(instruction));
    default:
      return f(params_of<aclsimFixpipe>(instruction));
  }
}

bool is_empty_of(const aclsimSquares& load) { return load.count[0] == 0 || load.count[1] == 0; }
bool is_empty_of(const aclsimImage& load) {
  return load.height == 0 || load.width == 0 || load.channels == 0 || load.rows == 0 ||
         load.cols == 0 || load.filter_height == 0 || load.filter_width == 0;
}
bool is_empty_of(const aclsimColumns& load) {
  return load.matrices == 0 || load.rows == 0 || load.cols == 0;
}
bool is_empty_of(const aclsimBlocks& fill) { return fill.times == 0 || fill.bytes == 0; }
bool is_empty_of(const aclsimBias& copy) { return copy.blocks == 0 || copy.count == 0; }
bool is_empty_of(const aclsimMmad& mmad) {
  return mmad.rows == 0 || mmad.cols == 0 || mmad.depth == 0;
}
bool is_empty_of(const aclsimFixpipe& fixpipe) {
  return fixpipe.rows == 0 || fixpipe.cols == 0 || fixpipe.matrices == 0;
}

}  // namespace

bool knows(std::uint16_t opcode) noexcept { return row_of(opcode) != nullptr; }

// All structures have the name at the same offset.
const char* called(const aclsimInstruction& instruction) noexcept {
  static_assert(offsetof(aclsimSquares, called) == offsetof(aclsimMmad, called) &&
                offsetof(aclsimImage, called) == offsetof(aclsimMmad, called) &&
                offsetof(aclsimColumns, called) == offsetof(aclsimMmad, called) &&
                offsetof(aclsimBlocks, called) == offsetof(aclsimMmad, called) &&
                offsetof(aclsimBias, called) == offsetof(aclsimMmad, called) &&
                offsetof(aclsimFixpipe, called) == offsetof(aclsimMmad, called));
  return params_of<aclsimMmad>(instruction).called;
}

std::size_t more_bytes(const aclsimInstruction& instruction) noexcept {
  return *static_cast<const std::uint32_t*>(instruction.more);
}

const Operand* operand(std::uint16_t opcode, unsigned number) noexcept {
  const Row* const row = row_of(opcode);
  return row && number < row->operands.size() && row->operands[number].name ? &row->operands[number]
                                                                            : nullptr;
}

bool is_empty(const aclsimInstruction& instruction) noexcept {
  return with_params(instruction, [](const auto& params) { return is_empty_of(params); });
}

std::optional<std::string> check(const aclsimInstruction& instruction) {
  switch (instruction.opcode) {
    case ACLSIM_CUBE_IMAGE:
      return check(params_of<aclsimImage>(instruction));
    case ACLSIM_CUBE_MMAD:
      return check_mmad(instruction, params_of<aclsimMmad>(instruction));
    case ACLSIM_CUBE_FIXPIPE:
      return check_fixpipe(instruction, params_of<aclsimFixpipe>(instruction));
    case ACLSIM_CUBE_BIAS:
      return check(instruction, params_of<aclsimBias>(instruction));
    default:
      return {};
  }
}

void touched(const aclsimInstruction& instruction, std::vector<Touch>& to) {
  Touches touches(to);
  const std::uintptr_t first = begin_of(instruction, 0), second = begin_of(instruction, 1);
  switch (instruction.opcode) {
    case ACLSIM_CUBE_SQUARES:
      return touched(params_of<aclsimSquares>(instruction), first, second, touches);
    case ACLSIM_CUBE_IMAGE:
      return touched(params_of<aclsimImage>(instruction), first, second, touches);
    case ACLSIM_CUBE_COLUMNS:
      return touched(params_of<aclsimColumns>(instruction), first, second, touches);
    case ACLSIM_CUBE_BLOCKS:
      return touched(params_of<aclsimBlocks>(instruction), first, touches);
    case ACLSIM_CUBE_MMAD:
      return touched_by_mmad(instruction, params_of<aclsimMmad>(instruction), touches);
    case ACLSIM_CUBE_BIAS:
      return touched(instruction, params_of<aclsimBias>(instruction), touches);
    default:
      return touched_by_fixpipe(instruction, params_of<aclsimFixpipe>(instruction), touches);
  }
}

void execute(const aclsimInstruction& instruction, bool saturates, Output& output) {
  switch (instruction.opcode) {
    case ACLSIM_CUBE_SQUARES:
      return execute(params_of<aclsimSquares>(instruction), target(instruction),
                     source(instruction));
    case ACLSIM_CUBE_IMAGE:
      return execute(params_of<aclsimImage>(instruction), target(instruction), source(instruction));
    case ACLSIM_CUBE_COLUMNS:
      return execute(params_of<aclsimColumns>(instruction), target(instruction),
                     source(instruction));
    case ACLSIM_CUBE_BLOCKS:
      return execute(params_of<aclsimBlocks>(instruction), target(instruction));
    case ACLSIM_CUBE_MMAD:
      return execute_mmad(instruction, params_of<aclsimMmad>(instruction), saturates, output);
    case ACLSIM_CUBE_BIAS:
      return execute(instruction, params_of<aclsimBias>(instruction));
    default:
      return execute_fixpipe(instruction, params_of<aclsimFixpipe>(instruction), saturates, output);
  }
}

}  // namespace ascendc::cube
