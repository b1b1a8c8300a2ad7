// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/vector/unit.h"

#include "runtime/ascendc/vector/kind.h"

namespace ascendc::vector {
namespace {

bool is_of_registers(std::uint16_t opcode) noexcept {
  switch (opcode) {
    case ACLSIM_OP_GetReduceRepeatMaxMinSpr:
    case ACLSIM_OP_GetReduceRepeatSumSpr:
    case ACLSIM_OP_GetGatherMaskRemainCount:
    case ACLSIM_OP_GetMrgSortResult:
    case ACLSIM_OP_SetVectorMask:
    case ACLSIM_OP_SetMaskMode:
    case ACLSIM_OP_SetControl:
    case ACLSIM_OP_GetControl:
    case ACLSIM_OP_SetDeqScale:
      return true;
    default:
      return false;
  }
}

}  // namespace

const Kind* kind_of(std::uint16_t opcode) noexcept {
  switch (opcode) {
    case ACLSIM_OP_Brcb:
      return &kBrcbKind;
    case ACLSIM_OP_Interleave:
      return &kInterleaveKind;
    case ACLSIM_OP_DeInterleave:
      return &kDeInterleaveKind;
    case ACLSIM_OP_Compare:
    case ACLSIM_OP_Compares:
      return &kCompareKind;
    case ACLSIM_OP_CompareToMask:
      return &kCompareToMaskKind;
    case ACLSIM_OP_Select:
    case ACLSIM_OP_SelectScalar:
    case ACLSIM_OP_SelectByMask:
    case ACLSIM_OP_SelectScalarByMask:
      return &kSelectKind;
    case ACLSIM_OP_GetCmpMask:
      return &kGetCmpMaskKind;
    case ACLSIM_OP_SetCmpMask:
      return &kSetCmpMaskKind;
    case ACLSIM_OP_ReduceDataBlock:
    case ACLSIM_OP_ReducePairElem:
      return &kReduceGroupKind;
    case ACLSIM_OP_ReduceRepeat:
      return &kReduceRepeatKind;
    case ACLSIM_OP_ReduceSum:
    case ACLSIM_OP_ReduceMax:
    case ACLSIM_OP_ReduceMin:
      return &kReduceAllKind;
    case ACLSIM_OP_Gather:
      return &kGatherKind;
    case ACLSIM_OP_Gatherb:
      return &kGatherbKind;
    case ACLSIM_OP_Scatter:
      return &kScatterKind;
    case ACLSIM_OP_GatherMask:
      return &kGatherMaskKind;
    case ACLSIM_OP_Sort32:
      return &kSort32Kind;
    case ACLSIM_OP_MrgSort:
      return &kMrgSortKind;
    case ACLSIM_OP_Extract:
      return &kExtractKind;
    case ACLSIM_OP_Sort:
      return &kSortKind;
    case ACLSIM_OP_Transpose:
      return &kTransposeKind;
    case ACLSIM_OP_TransDataTo5HD:
      return &kTransDataKind;
    case ACLSIM_OP_TransposeExt:
      return &kTransposeExtKind;
    default:
      if (is_of_registers(opcode)) return &kRegisterKind;
      return row_of(opcode) != nullptr ? &kLaneKind : nullptr;
  }
}

bool knows(std::uint16_t opcode) noexcept { return row_of(opcode) != nullptr; }

const char* name(std::uint16_t opcode) noexcept {
  const InstructionRow* row = row_of(opcode);
  return row == nullptr ? "?" : row->name;
}

bool answers(std::uint16_t opcode) noexcept {
  const InstructionRow* row = row_of(opcode);
  return row != nullptr && (row->flags & ACLSIM_ANSWERS) != 0;
}

std::size_t more_bytes(const aclsimInstruction& instruction) noexcept {
  switch (instruction.opcode) {
    case ACLSIM_OP_TransDataTo5HD:
      return sizeof(aclsimBlockLists);
    case ACLSIM_OP_SetDeqScale:
      return instruction.mode == 2 ? sizeof(aclsimDeqScales) : 0;
    default:
      return 0;
  }
}

std::optional<Violation> check_addresses(const aclsimInstruction& instruction, const State& state) {
  return check_gather_addresses(instruction, state);
}

void touched(const aclsimInstruction& instruction, const State& state, std::vector<Touch>& touches,
             bool exact) {
  if (const Kind* kind = kind_of(instruction.opcode))
    kind->reach(instruction, state, touches, exact);
}

void execute(const aclsimInstruction& instruction, State& state) {
  const Kind* kind = kind_of(instruction.opcode);
  if (kind == nullptr) return;
  kind->execute(instruction, state);
  note(instruction, state);
}

void note(const aclsimInstruction& instruction, State& state) noexcept {
  switch (instruction.opcode) {
    case ACLSIM_OP_SetVectorMask:
      state.mask[0] = instruction.mask[0];
      state.mask[1] = instruction.mask[1];
      return;
    case ACLSIM_OP_SetMaskMode:
      state.counter = instruction.mode != 0;
      return;
    case ACLSIM_OP_GatherMask:
      state.counter = false;
      return;
    default:
      break;
  }
  switch (instruction.form) {
    case ACLSIM_COUNT:
      state.mask[0] = state.mask[1] = ~0ULL;
      state.counter = false;
      break;
    case ACLSIM_MASK_BITS:
      state.mask[0] = instruction.mask[0];
      state.mask[1] = instruction.mask[1];
      break;
    case ACLSIM_MASK_N: {
      const std::uint64_t lanes = instruction.mask[0];
      if (state.counter) {
        state.mask[0] = lanes;
        state.mask[1] = 0;
      } else {
        state.mask[0] = lanes >= 64 ? ~0ULL : (1ULL << lanes) - 1;
        state.mask[1] = lanes >= 128 ? ~0ULL : lanes <= 64 ? 0 : (1ULL << (lanes - 64)) - 1;
      }
      break;
    }
    default:
      break;
  }
}

}  // namespace ascendc::vector
