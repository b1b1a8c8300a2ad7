// SPDX-License-Identifier: Apache-2.0
// Elements and blocks from and to places that are computed: Gather, Gatherb, Scatter, GatherMask.
#include <cstring>

#include "runtime/ascendc/vector/kind.h"

namespace ascendc::vector {
namespace {

// operand 0: dst; 1: src; 2: offsets in bytes, one after the other; scalar[0]: base offset.
// Gather reads src by offsets, Scatter writes dst by them.
unsigned reached_by_offset(const aclsimInstruction& instruction) {
  return instruction.opcode == ACLSIM_OP_Scatter ? 0 : 1;
}
unsigned straight(const aclsimInstruction& instruction) {
  return instruction.opcode == ACLSIM_OP_Scatter ? 1 : 0;
}

unsigned gathered_per_repeat(const aclsimInstruction& instruction) {
  return lanes_per_repeat(instruction, 0, 1);
}
Lanes element_lanes(const aclsimInstruction& instruction, const State& state) {
  return lanes_of(instruction, state, gathered_per_repeat(instruction));
}

View offsets_view(const aclsimInstruction& instruction, const Lanes& lanes) {
  View view = view_of(instruction, 2, lanes, ACLSIM_READS);
  view.block = kBlock;
  view.repeat = std::uint64_t{lanes.per_repeat} * 4;
  return view;
}

std::uint64_t offset_at(const std::uint8_t* offsets, std::uint64_t i, std::uint64_t base) {
  return base + element_at(offsets + i * 4, 4);
}

/// Calls each(straight address, offset) for every active lane.
template <typename Each>
void each_offset(const aclsimInstruction& instruction, const State& state, Each each) {
  const Lanes lanes = element_lanes(instruction, state);
  const View views[] = {view_of(instruction, straight(instruction), lanes, ACLSIM_READS),
                        offsets_view(instruction, lanes)};
  const std::uint64_t base = static_cast<std::uint32_t>(instruction.scalar[0]);
  const unsigned bytes = bytes_of(instruction, 0);
  each_run(lanes, views, 2,
           [&](std::uint8_t* const* at, std::uint64_t number, std::uint64_t position) {
             for (std::uint64_t i = 0; i < number; ++i) {
               each(at[0] + i * bytes, offset_at(at[1], i, base), position + i);
             }
           });
}

void whole_operand(const aclsimInstruction& instruction, unsigned operand, std::uint8_t access,
                   std::vector<Touch>& touches) {
  const aclsimOperand& whole = instruction.operand[operand];
  touch_bytes(instruction, operand, access, 0,
              is_past(whole) || is_nowhere(whole.address) ? 1 : whole.bytes, touches);
}

void reach(const aclsimInstruction& instruction, const State& state, std::vector<Touch>& touches,
           bool exact) {
  const Lanes lanes = element_lanes(instruction, state);
  if (lanes.none()) return;
  const unsigned far = reached_by_offset(instruction);
  const std::uint8_t far_access = far == 0 ? ACLSIM_WRITES : ACLSIM_READS;
  const std::uint8_t near_access = far == 0 ? ACLSIM_READS : ACLSIM_WRITES;
  touch_view(lanes, view_of(instruction, straight(instruction), lanes, near_access), touches);
  touch_view(lanes, offsets_view(instruction, lanes), touches);
  if (!exact) return whole_operand(instruction, far, far_access, touches);
  each_offset(instruction, state, [&](std::uint8_t*, std::uint64_t offset, std::uint64_t) {
    touch_bytes(instruction, far, far_access, offset, bytes_of(instruction, 0), touches);
  });
}

void compute(const aclsimInstruction& instruction, State& state) {
  const bool scatter = instruction.opcode == ACLSIM_OP_Scatter;
  const unsigned bytes = bytes_of(instruction, 0);
  std::uint8_t* far = address_of(instruction, reached_by_offset(instruction));
  each_offset(instruction, state, [&](std::uint8_t* near, std::uint64_t offset, std::uint64_t) {
    std::memcpy(scatter ? far + offset : near, scatter ? near : far + offset, bytes);
  });
}

// ---- Gatherb: blocks
// -----------------------------------------------------------------------------

void block_reach(const aclsimInstruction& instruction, const State&, std::vector<Touch>& touches,
                 bool exact) {
  const aclsimOperand& dst = instruction.operand[0];
  const std::uint64_t stride = dst.block_stride == 0 ? 1 : dst.block_stride;
  touch_bytes(instruction, 2, ACLSIM_READS, 0, 32ULL * instruction.repeat, touches);
  for (unsigned k = 0; k < 8U * instruction.repeat; ++k) {
    touch_bytes(instruction, 0, ACLSIM_WRITES,
                (k / 8 * dst.repeat_stride + k % 8 * stride) * kBlock, kBlock, touches);
    if (!exact) continue;
    touch_bytes(instruction, 1, ACLSIM_READS, offset_at(address_of(instruction, 2), k, 0), kBlock,
                touches);
  }
  if (!exact && instruction.repeat != 0) whole_operand(instruction, 1, ACLSIM_READS, touches);
}

void block_compute(const aclsimInstruction& instruction, State&) {
  const aclsimOperand& dst = instruction.operand[0];
  const std::uint64_t stride = dst.block_stride == 0 ? 1 : dst.block_stride;
  for (unsigned k = 0; k < 8U * instruction.repeat; ++k) {
    std::memcpy(address_of(instruction, 0) + (k / 8 * dst.repeat_stride + k % 8 * stride) * kBlock,
                address_of(instruction, 1) + offset_at(address_of(instruction, 2), k, 0), kBlock);
  }
}

std::optional<Violation> wrong_offset(const aclsimInstruction& instruction, std::uint64_t lane,
                                      std::uint64_t offset, std::uint64_t unit,
                                      std::uint64_t bytes) {
  const unsigned far = reached_by_offset(instruction);
  const aclsimOperand& operand = instruction.operand[far];
  const std::uint64_t there = room(operand);
  const std::string what = "offset " + std::to_string(offset) + " of lane " + std::to_string(lane);
  if (offset % unit != 0) {
    return wrong_operand(instruction, Fault::kAlignment, far,
                         what + " is not a multiple of " + std::to_string(unit));
  }
  if (operand.bytes == 0 || offset + bytes <= there) return std::nullopt;
  return wrong_operand(instruction, Fault::kSize, far,
                       what + " leaves the tensor: " + std::to_string(offset + bytes) +
                           " bytes needed, " + std::to_string(there) + " there");
}

// ---- GatherMask
// ----------------------------------------------------------------------------------

// operand 0: dst; 1: src0; 2: the pattern, or none and scalar[1] has the number of a fixed one.
// mode 1: reduceMode; scalar[0]: its elements per repeat. `more`: aclsimAnswer.
bool fixed_pattern(const aclsimInstruction& instruction) { return instruction.operands < 3; }

std::uint64_t elements_per_repeat(const aclsimInstruction& instruction) {
  return instruction.mode != 0 ? static_cast<std::uint32_t>(instruction.scalar[0])
                               : kRepeat / bytes_of(instruction, 1);
}

std::optional<Violation> mask_limits(const aclsimInstruction& instruction, const State&) {
  const std::uint64_t pattern = instruction.scalar[1];
  if (fixed_pattern(instruction) && (pattern < 1 || pattern > 7)) {
    return out_of_range(instruction,
                        "src1Pattern " + std::to_string(pattern) + ", expected 1 to 7");
  }
  return std::nullopt;
}

bool in_pattern(const aclsimInstruction& instruction, std::uint64_t repeat, std::uint64_t lane) {
  if (fixed_pattern(instruction)) {
    switch (instruction.scalar[1]) {
      case 1:
        return lane % 2 == 0;
      case 2:
        return lane % 2 == 1;
      case 7:
        return true;
      default:
        return lane % 4 == instruction.scalar[1] - 3;
    }
  }
  const std::uint8_t* bits =
      address_of(instruction, 2) + repeat * instruction.operand[2].repeat_stride * kBlock;
  return (bits[lane / 8] >> lane % 8 & 1U) != 0;
}

std::uint64_t source_offset(const aclsimInstruction& instruction, std::uint64_t repeat,
                            std::uint64_t lane) {
  const aclsimOperand& src = instruction.operand[1];
  const unsigned bytes = bytes_of(instruction, 1);
  const std::uint64_t per_block = kBlock / bytes;
  return (repeat * src.repeat_stride + lane / per_block * src.block_stride) * kBlock +
         lane % per_block * bytes;
}

void mask_reach(const aclsimInstruction& instruction, const State&, std::vector<Touch>& touches,
                bool exact) {
  const std::uint64_t lanes = elements_per_repeat(instruction);
  const unsigned bytes = bytes_of(instruction, 1);
  const aclsimOperand& src = instruction.operand[1];
  const std::uint64_t times = src.repeat_stride == 0 ? 1 : instruction.repeat;
  if (instruction.repeat == 0 || lanes == 0) return;
  const std::uint64_t whole = lanes * bytes;
  if (src.block_stride == 1) {
    touch_bytes(instruction, 1, ACLSIM_READS, 0, whole, touches, src.repeat_stride * kBlock, times);
  } else {
    for (std::uint64_t at = 0; at < whole; at += kBlock) {
      touch_bytes(instruction, 1, ACLSIM_READS, at * src.block_stride,
                  whole - at < kBlock ? whole - at : kBlock, touches, src.repeat_stride * kBlock,
                  times);
    }
  }
  if (!fixed_pattern(instruction)) {
    const std::uint64_t stride = instruction.operand[2].repeat_stride * kBlock;
    touch_bytes(instruction, 2, ACLSIM_READS, 0, (lanes + 7) / 8, touches, stride,
                stride == 0 ? 1 : instruction.repeat);
  }
  std::uint64_t kept = 0;
  if (!fixed_pattern(instruction) && !exact) {
    kept = 1;  // how many depends on the pattern
  } else {
    for (unsigned repeat = 0; repeat < instruction.repeat; ++repeat) {
      for (std::uint64_t lane = 0; lane < lanes; ++lane) {
        kept += in_pattern(instruction, repeat, lane) ? 1 : 0;
      }
    }
  }
  if (fixed_pattern(instruction) || exact) {
    touch_bytes(instruction, 0, ACLSIM_WRITES, 0, kept * bytes, touches);
  } else {
    whole_operand(instruction, 0, ACLSIM_WRITES, touches);
  }
}

void mask_compute(const aclsimInstruction& instruction, State& state) {
  const unsigned bytes = bytes_of(instruction, 1);
  std::vector<std::uint8_t> kept;
  for (unsigned repeat = 0; repeat < instruction.repeat; ++repeat) {
    for (std::uint64_t lane = 0; lane < elements_per_repeat(instruction); ++lane) {
      if (!in_pattern(instruction, repeat, lane)) continue;
      const std::uint8_t* from =
          address_of(instruction, 1) + source_offset(instruction, repeat, lane);
      kept.insert(kept.end(), from, from + bytes);
    }
  }
  if (!kept.empty()) std::memcpy(address_of(instruction, 0), kept.data(), kept.size());
  state.gathered = kept.size() / bytes;
  state.counter = false;
  if (auto* answer = static_cast<aclsimAnswer*>(const_cast<void*>(instruction.more))) {
    answer->value[0] = state.gathered;
  }
}

std::optional<Violation> mask_room(const aclsimInstruction& instruction) {
  if (instruction.operand[0].bytes == 0) return std::nullopt;
  const std::uint64_t there = room(instruction.operand[0]);
  std::uint64_t kept = 0;
  for (unsigned repeat = 0; repeat < instruction.repeat; ++repeat) {
    for (std::uint64_t lane = 0; lane < elements_per_repeat(instruction); ++lane) {
      kept += in_pattern(instruction, repeat, lane) ? bytes_of(instruction, 1) : 0;
    }
  }
  if (kept <= there) return std::nullopt;
  return wrong_operand(instruction, Fault::kSize, 0,
                       std::to_string(kept) + " bytes needed by what the pattern keeps, " +
                           std::to_string(there) + " there");
}

}  // namespace

const Kind kGatherKind = {nullptr, reach, compute, nullptr, false, gathered_per_repeat};
const Kind kScatterKind = kGatherKind;
const Kind kGatherbKind = {nullptr, block_reach, block_compute, nullptr, false};
const Kind kGatherMaskKind = {mask_limits, mask_reach, mask_compute, nullptr, true};

namespace {

bool lie_apart(const aclsimOperand& a, const aclsimOperand& b) {
  const auto at = [](const aclsimOperand& operand) {
    return reinterpret_cast<std::uintptr_t>(operand.address);
  };
  if (a.bytes == 0 || b.bytes == 0) return false;  // not known
  return at(a) + a.bytes <= at(b) || at(b) + b.bytes <= at(a);
}

/// The overlap of the written bytes and the bytes that the valid offsets reach. Disjoint tensors
/// are not checked.
std::optional<Violation> reached_overlap(const aclsimInstruction& instruction, const State& state) {
  const unsigned last = instruction.opcode == ACLSIM_OP_Scatter ? 2 : 1;
  std::vector<Touch> touches;
  for (unsigned other = 1; other <= last; ++other) {
    if (lie_apart(instruction.operand[0], instruction.operand[other])) continue;
    if (touches.empty()) touched(instruction, state, touches, true);
    if (auto found = overlap_of(instruction, touches, 0, other, ACLSIM_READS)) return found;
  }
  return std::nullopt;
}

}  // namespace

bool reaches_by_values(std::uint16_t opcode) noexcept {
  return opcode == ACLSIM_OP_Gather || opcode == ACLSIM_OP_Gatherb || opcode == ACLSIM_OP_Scatter;
}

std::optional<Violation> check_gather_addresses(const aclsimInstruction& instruction,
                                                const State& state) {
  std::optional<Violation> found;
  switch (instruction.opcode) {
    case ACLSIM_OP_GatherMask:
      return mask_room(instruction);
    case ACLSIM_OP_Gatherb:
      for (unsigned k = 0; k < 8U * instruction.repeat && !found; ++k) {
        found = wrong_offset(instruction, k, offset_at(address_of(instruction, 2), k, 0), kBlock,
                             kBlock);
      }
      return found ? found : reached_overlap(instruction, state);
    case ACLSIM_OP_Gather:
    case ACLSIM_OP_Scatter: {
      const unsigned bytes = bytes_of(instruction, 0);
      each_offset(instruction, state, [&](std::uint8_t*, std::uint64_t offset, std::uint64_t lane) {
        if (!found) found = wrong_offset(instruction, lane, offset, bytes, bytes);
      });
      return found ? found : reached_overlap(instruction, state);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace ascendc::vector
