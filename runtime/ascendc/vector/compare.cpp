// SPDX-License-Identifier: Apache-2.0
// Comparisons, whose results are bits, and selections by bits.
#include <cstring>

#include "runtime/ascendc/vector/kind.h"

namespace ascendc::vector {
namespace {

constexpr std::int32_t kAnyCount = 0x100;  // in the mode of Compare: newer machines
constexpr std::int32_t kModeBits = 0xff;

bool with_scalar(const aclsimInstruction& instruction) {
  return instruction.opcode == ACLSIM_OP_Compares;
}

std::optional<Violation> mode_limits(const aclsimInstruction& instruction) {
  const std::int32_t mode = instruction.mode & kModeBits;
  if (mode > 5) {
    return out_of_range(instruction, "cmpMode " + std::to_string(mode) + ", expected LT to NE");
  }
  return std::nullopt;
}

std::optional<Violation> limits(const aclsimInstruction& instruction, const State&) {
  if (auto found = mode_limits(instruction)) return found;
  const bool any = (instruction.mode & kAnyCount) != 0;
  const unsigned bytes = bytes_of(instruction, 1);
  if (instruction.form == ACLSIM_COUNT && !any && instruction.count > 0 &&
      static_cast<std::uint64_t>(instruction.count) * bytes % kRepeat != 0) {
    return out_of_range(instruction, "count " + std::to_string(instruction.count) + " (" +
                                         std::to_string(instruction.count * bytes) +
                                         " bytes), expected a multiple of 256 bytes");
  }
  const bool integer = instruction.operand[1].element == ACLSIM_INT32;
  if (integer && !any && (instruction.mode & kModeBits) != 2) {
    return out_of_range(instruction, "int32_t compares with EQ only on this architecture");
  }
  return std::nullopt;
}

// The mask does not matter to comparisons with a destination.
Lanes compared_lanes(const aclsimInstruction& instruction, const State& state) {
  const Lanes lanes = lanes_of(instruction, state, lanes_per_repeat(instruction, 1, 1));
  if (lanes.flat || state.counter) return lanes;
  Lanes all = whole(lanes);
  all.repeats = instruction.repeat;
  return all;
}

void reach(const aclsimInstruction& instruction, const State& state, std::vector<Touch>& touches,
           bool) {
  const Lanes lanes = compared_lanes(instruction, state);
  if (lanes.none()) return;
  touch_view(lanes, view_of(instruction, 1, lanes, ACLSIM_READS), touches);
  if (!with_scalar(instruction)) {
    touch_view(lanes, view_of(instruction, 2, lanes, ACLSIM_READS), touches);
  } else if (instruction.operands == 3) {
    touch_bytes(instruction, 2, ACLSIM_READS, 0, bytes_of(instruction, 2), touches);
  }
  touch_bytes(instruction, 0, ACLSIM_WRITES, 0, (lanes.span() + 7) / 8, touches);
}

/// Bit k of `bits` from byte k of `bytes`.
void pack_bits(const std::uint8_t* bytes, std::uint64_t lanes, std::uint8_t* bits) {
  for (std::uint64_t i = 0; i < lanes; i += 8) {
    unsigned byte = 0;
    for (unsigned k = 0; k < 8 && i + k < lanes; ++k)
      byte |= static_cast<unsigned>(bytes[i + k]) << k;
    bits[i / 8] = static_cast<std::uint8_t>(byte);
  }
}

/// One byte per lane of a repeat after the other, 0 or 1.
std::vector<std::uint8_t> compared(const aclsimInstruction& instruction, const State& state,
                                   const Lanes& lanes, unsigned first) {
  std::vector<std::uint8_t> bytes(lanes.span());
  Setting setting = setting_of(instruction, state);
  const bool scalar = with_scalar(instruction);
  if (scalar && instruction.operands == 3) {
    setting.scalar = element_at(address_of(instruction, 2), bytes_of(instruction, 2));
  }
  const auto inner = static_cast<std::uint16_t>((scalar ? kCompareSLT : kCompareLT) +
                                                (instruction.mode & kModeBits));
  const std::uint8_t element = instruction.operand[first].element;
  const Loop loop = find_loop(inner, element, element);
  View views[2];
  views[0] = view_of(instruction, first, lanes, ACLSIM_READS);
  if (!scalar) views[1] = view_of(instruction, first + 1, lanes, ACLSIM_READS);
  each_run(lanes, views, scalar ? 1 : 2,
           [&](std::uint8_t* const* at, std::uint64_t number, std::uint64_t position) {
             std::uint8_t* const all[] = {bytes.data() + position, at[0], scalar ? nullptr : at[1]};
             loop(all, number, setting);
           });
  return bytes;
}

void compute(const aclsimInstruction& instruction, State& state) {
  const Lanes lanes = compared_lanes(instruction, state);
  if (lanes.none()) return;
  const std::vector<std::uint8_t> bytes = compared(instruction, state, lanes, 1);
  pack_bits(bytes.data(), bytes.size(), address_of(instruction, 0));
}

// ---- to the register
// -----------------------------------------------------------------------------

Lanes register_lanes(const aclsimInstruction& instruction, const State& state) {
  aclsimInstruction once = instruction;
  once.repeat = 1;
  return lanes_of(once, state, lanes_per_repeat(instruction, 0, 2));
}

std::optional<Violation> register_limits(const aclsimInstruction& instruction, const State&) {
  return mode_limits(instruction);
}

void register_reach(const aclsimInstruction& instruction, const State& state,
                    std::vector<Touch>& touches, bool) {
  const Lanes lanes = register_lanes(instruction, state);
  for (unsigned i = 0; i < 2; ++i) {
    touch_view(lanes, view_of(instruction, i, lanes, ACLSIM_READS), touches);
  }
}

void register_execute(const aclsimInstruction& instruction, State& state) {
  const Lanes lanes = register_lanes(instruction, state);
  if (lanes.none()) return;
  const std::vector<std::uint8_t> bytes = compared(instruction, state, lanes, 0);
  for (unsigned lane = 0; lane < bytes.size() && lane < 128; ++lane) {
    if (!lanes.has(lane)) continue;
    std::uint64_t& word = state.compare[lane / 64];
    word = (word & ~(1ULL << lane % 64)) | static_cast<std::uint64_t>(bytes[lane]) << lane % 64;
  }
}

// ---- Select
// --------------------------------------------------------------------------------------

constexpr std::int32_t kSameBitsEveryRepeat = 0;  // SELMODE

bool scalar_select(const aclsimInstruction& instruction) {
  return instruction.opcode == ACLSIM_OP_SelectScalar ||
         instruction.opcode == ACLSIM_OP_SelectScalarByMask;
}
bool by_mask_register(const aclsimInstruction& instruction) {
  return instruction.opcode == ACLSIM_OP_SelectByMask;
}
/// The operand that src0 is.
unsigned first_source(const aclsimInstruction& instruction) {
  return by_mask_register(instruction) ? 1 : 2;
}

std::optional<Violation> select_limits(const aclsimInstruction& instruction, const State&) {
  if (instruction.mode > 2 || instruction.mode < 0) {
    return out_of_range(instruction,
                        "selMode " + std::to_string(instruction.mode) + ", expected 0 to 2");
  }
  if (by_mask_register(instruction) && instruction.mode != kSameBitsEveryRepeat) {
    return Violation{
        Fault::kUnknown, -1,
        "Select: a mask through SetCmpMask in mode 1 or 2 is not supported; pass it as "
        "selMask"};
  }
  if (scalar_select(instruction) && instruction.mode == kSameBitsEveryRepeat) {
    return out_of_range(instruction, "selMode 0 takes two tensors, expected mode 1 for a scalar");
  }
  return std::nullopt;
}

unsigned select_per_repeat(const aclsimInstruction& instruction) {
  return lanes_per_repeat(instruction, 0, 1);
}
Lanes select_lanes(const aclsimInstruction& instruction, const State& state) {
  return lanes_of(instruction, state, select_per_repeat(instruction));
}

std::uint64_t mask_bytes(const aclsimInstruction& instruction, const Lanes& lanes) {
  const bool same = instruction.mode == kSameBitsEveryRepeat && lanes.span() > lanes.per_repeat;
  return ((same ? lanes.per_repeat : lanes.span()) + 7) / 8;
}

void select_reach(const aclsimInstruction& instruction, const State& state,
                  std::vector<Touch>& touches, bool) {
  const Lanes lanes = select_lanes(instruction, state);
  if (lanes.none()) return;
  touch_view(lanes, view_of(instruction, 0, lanes, ACLSIM_WRITES), touches);
  const unsigned first = first_source(instruction);
  if (first == 2) {
    touch_bytes(instruction, 1, ACLSIM_READS, 0, mask_bytes(instruction, lanes), touches);
  }
  for (unsigned i = first; i < instruction.operands; ++i) {
    if (scalar_select(instruction) && i > first) {
      touch_bytes(instruction, i, ACLSIM_READS, 0, bytes_of(instruction, i), touches);
    } else {
      touch_view(lanes, view_of(instruction, i, lanes, ACLSIM_READS), touches);
    }
  }
}

void select_execute(const aclsimInstruction& instruction, State& state) {
  const Lanes lanes = select_lanes(instruction, state);
  if (lanes.none()) return;
  const unsigned first = first_source(instruction);
  const auto* bits = first == 2 ? address_of(instruction, 1)
                                : reinterpret_cast<const std::uint8_t*>(state.compare);
  std::vector<std::uint8_t> chosen(lanes.span());
  for (std::uint64_t i = 0; i < chosen.size(); ++i) {
    const std::uint64_t bit = instruction.mode == kSameBitsEveryRepeat ? i % lanes.per_repeat : i;
    chosen[i] = bits[bit / 8] >> bit % 8 & 1;
  }
  Setting setting = setting_of(instruction, state);
  const bool scalar = scalar_select(instruction);
  if (instruction.opcode == ACLSIM_OP_SelectScalarByMask) setting.scalar = state.compare[0];
  if (scalar && instruction.operands == 4) {
    setting.scalar = element_at(address_of(instruction, 3), bytes_of(instruction, 3));
  }
  View views[3];
  views[0] = view_of(instruction, 0, lanes, ACLSIM_WRITES);
  views[1] = view_of(instruction, first, lanes, ACLSIM_READS);
  if (!scalar) views[2] = view_of(instruction, first + 1, lanes, ACLSIM_READS);
  const std::uint8_t element = instruction.operand[0].element;
  const Loop loop = find_loop(scalar ? kSelectS : kSelect, element, element);
  each_run(lanes, views, scalar ? 2 : 3,
           [&](std::uint8_t* const* at, std::uint64_t number, std::uint64_t position) {
             std::uint8_t* const all[] = {at[0], chosen.data() + position, at[1],
                                          scalar ? nullptr : at[2]};
             loop(all, number, setting);
           });
}

std::uint64_t compare_alignment(const aclsimInstruction& instruction, unsigned operand) {
  const bool one = with_scalar(instruction) && operand == 2;
  return one ? bytes_of(instruction, operand) : kBlock;
}
std::uint64_t select_alignment(const aclsimInstruction& instruction, unsigned operand) {
  const bool one = scalar_select(instruction) && operand == 3;
  return one ? bytes_of(instruction, operand) : kBlock;
}

// ---- the register itself
// -------------------------------------------------------------------------

void get_mask_reach(const aclsimInstruction& instruction, const State&, std::vector<Touch>& touches,
                    bool) {
  touch_bytes(instruction, 0, ACLSIM_WRITES, 0, 16, touches);
}
void get_mask(const aclsimInstruction& instruction, State& state) {
  std::memcpy(address_of(instruction, 0), state.compare, sizeof(state.compare));
}
void set_mask_reach(const aclsimInstruction& instruction, const State&, std::vector<Touch>& touches,
                    bool) {
  touch_bytes(instruction, 0, ACLSIM_READS, 0, 16, touches);
}
void set_mask(const aclsimInstruction& instruction, State& state) {
  std::memcpy(state.compare, address_of(instruction, 0), sizeof(state.compare));
}

}  // namespace

const Kind kCompareKind = {limits, reach, compute, compare_alignment, true};
const Kind kCompareToMaskKind = {register_limits, register_reach, register_execute, nullptr, true};
const Kind kSelectKind = {select_limits,    select_reach, select_execute,
                          select_alignment, false,        select_per_repeat};
const Kind kGetCmpMaskKind = {nullptr, get_mask_reach, get_mask, nullptr, true};
const Kind kSetCmpMaskKind = {nullptr, set_mask_reach, set_mask, nullptr, true};

}  // namespace ascendc::vector
