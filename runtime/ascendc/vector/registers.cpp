// SPDX-License-Identifier: Apache-2.0
// Instructions that only set or read registers.
#include <cstring>

#include "runtime/ascendc/vector/kind.h"

namespace ascendc::vector {
namespace {

void nothing(const aclsimInstruction&, const State&, std::vector<Touch>&, bool) {}

// scalar[0] is the value; scalar[1] the first bit and scalar[2] the last one.
std::uint64_t control_bits(const aclsimInstruction& instruction) {
  const std::uint64_t width = instruction.scalar[2] - instruction.scalar[1] + 1;
  return (width >= 64 ? ~0ULL : (1ULL << width) - 1) << instruction.scalar[1];
}

void set_control(const aclsimInstruction& instruction, State& state) {
  const std::uint64_t bits = control_bits(instruction);
  state.control = (state.control & ~bits) | (instruction.scalar[0] << instruction.scalar[1] & bits);
}

// scalar[0]: the bits of a float, or of a half with mode 0; scalar[1]: the offset; scalar[2]:
// signMode. mode 0: one half; 1: one float with offset; 2: `more` has one for each of 16 elements.
void set_deq(const aclsimInstruction& instruction, State& state) {
  if (instruction.mode == 0) {
    state.deq_half = static_cast<std::uint16_t>(instruction.scalar[0]);
    return;
  }
  for (unsigned i = 0; i < 16; ++i) {
    if (instruction.mode == 1) {
      const auto bits = static_cast<std::uint32_t>(instruction.scalar[0]);
      std::memcpy(&state.deq_scale[i], &bits, sizeof(bits));
      state.deq_offset[i] = static_cast<std::int16_t>(instruction.scalar[1]);
      state.deq_signed[i] = instruction.scalar[2] != 0;
    } else {
      const auto& scales = *static_cast<const aclsimDeqScales*>(instruction.more);
      state.deq_scale[i] = scales.scale[i];
      state.deq_offset[i] = scales.offset[i];
      state.deq_signed[i] = scales.sign[i] != 0;
    }
  }
}

void tell(const aclsimInstruction& instruction, const State& state) {
  auto* answer = static_cast<aclsimAnswer*>(const_cast<void*>(instruction.more));
  switch (instruction.opcode) {
    case ACLSIM_OP_GetReduceRepeatMaxMinSpr:
      answer->value[0] = state.reduced_value;
      answer->value[1] = state.reduced_index;
      break;
    case ACLSIM_OP_GetReduceRepeatSumSpr:
      answer->value[0] = state.accumulated;
      break;
    case ACLSIM_OP_GetGatherMaskRemainCount:
      answer->value[0] = state.gathered;
      break;
    case ACLSIM_OP_GetMrgSortResult:
      for (unsigned i = 0; i < 4; ++i) answer->value[i] = state.merged[i];
      break;
    default:
      answer->value[0] = (state.control & control_bits(instruction)) >> instruction.scalar[1];
  }
}

void compute(const aclsimInstruction& instruction, State& state) {
  switch (instruction.opcode) {
    case ACLSIM_OP_SetControl:
      return set_control(instruction, state);
    case ACLSIM_OP_SetDeqScale:
      return set_deq(instruction, state);
    case ACLSIM_OP_SetVectorMask:
    case ACLSIM_OP_SetMaskMode:
      return;  // note() does it
    default:
      return tell(instruction, state);
  }
}

std::optional<Violation> limits(const aclsimInstruction& instruction, const State&) {
  const bool control =
      instruction.opcode == ACLSIM_OP_SetControl || instruction.opcode == ACLSIM_OP_GetControl;
  if (!control) return std::nullopt;
  if (instruction.scalar[1] <= instruction.scalar[2] && instruction.scalar[2] < 64) {
    return std::nullopt;
  }
  return out_of_range(instruction, "bits " + std::to_string(instruction.scalar[1]) + " to " +
                                       std::to_string(instruction.scalar[2]) +
                                       " of the control register, expected 0 to 63 in order");
}

}  // namespace

const Kind kRegisterKind = {limits, nothing, compute, nullptr, true};

}  // namespace ascendc::vector
