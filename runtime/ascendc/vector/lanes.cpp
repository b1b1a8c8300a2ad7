// SPDX-License-Identifier: Apache-2.0
// Instructions that compute each lane for itself.
#include <algorithm>
#include <cstring>

#include "ascendc/impl/half.h"
#include "runtime/ascendc/vector/kind.h"

namespace ascendc::vector {
namespace {

/// The operand that is one element, a scalar in memory; 0: none.
unsigned one_element(const aclsimInstruction& instruction) {
  const std::uint16_t opcode = instruction.opcode;
  if (opcode == ACLSIM_OP_Duplicate) return instruction.operands == 2 ? 1 : 0;
  const bool takes_scalar =
      (opcode >= ACLSIM_OP_Adds && opcode <= ACLSIM_OP_Ors) || opcode == ACLSIM_OP_MulsCast;
  return takes_scalar && instruction.operands == 3 ? 2 : 0;
}

struct Plan {
  Lanes lanes;
  View views[ACLSIM_MAX_OPERANDS];
  unsigned number = 0;
};

/// Operands that have an element for each lane.
unsigned by_lanes(const aclsimInstruction& instruction) {
  return instruction.operands - (one_element(instruction) != 0 ? 1U : 0U);
}
unsigned lanes_of_plan(const aclsimInstruction& instruction) {
  return lanes_per_repeat(instruction, 0, by_lanes(instruction));
}

/// Whether its lanes are the first elements of each operand, one behind the other: most
/// instructions. No plan is needed for them.
bool is_one_run(const aclsimInstruction& instruction) {
  return instruction.form == ACLSIM_COUNT && instruction.count > 0 &&
         instruction.opcode != ACLSIM_OP_CastDequant;
}

std::uint8_t access_of(const InstructionRow& row, unsigned operand) {
  const unsigned targets = (row.flags & ACLSIM_TWO_DST) != 0 ? 2 : 1;
  if (operand >= targets) return ACLSIM_READS;
  const bool reads = operand == 0 && (row.flags & ACLSIM_READS_DST) != 0;
  return reads ? ACLSIM_READS | ACLSIM_WRITES : ACLSIM_WRITES;
}

Plan plan_of(const aclsimInstruction& instruction, const State& state) {
  Plan plan;
  const InstructionRow& row = *row_of(instruction.opcode);
  plan.number = by_lanes(instruction);
  plan.lanes = lanes_of(instruction, state, lanes_of_plan(instruction));
  for (unsigned i = 0; i < plan.number; ++i) {
    plan.views[i] = view_of(instruction, i, plan.lanes, access_of(row, i));
  }
  if (instruction.opcode == ACLSIM_OP_CastDequant) {
    // A block of results goes to one half of a block: mode 1 the upper, 0 the lower.
    View& dst = plan.views[0];
    dst.per_block = 16;
    dst.base += instruction.mode == 0 ? 0 : 16;
    if (plan.lanes.flat) dst.repeat = kRepeat;
  }
  return plan;
}

/// Copy in counter mode: the mask counts the elements of one repeat, whose blocks go on with the
/// block stride after the eighth, and repeats take effect.
bool is_counted_copy(const aclsimInstruction& instruction, const State& state) {
  return instruction.opcode == ACLSIM_OP_Copy && state.counter && instruction.form != ACLSIM_COUNT;
}
template <typename F>
void each_counted_repeat(const aclsimInstruction& instruction, const State& state, F&& body) {
  Plan plan = plan_of(instruction, state);
  if (plan.lanes.none()) return;
  for (unsigned i = 0; i < plan.number; ++i) plan.views[i].repeat = 8 * plan.views[i].block;
  for (unsigned repeat = 0; repeat < instruction.repeat; ++repeat) {
    body(plan);
    for (unsigned i = 0; i < plan.number; ++i)
      plan.views[i].base += instruction.operand[i].repeat_stride * kBlock;
  }
}

std::optional<Violation> accumulates_wrongly(const aclsimInstruction& instruction,
                                             const Plan& plan) {
  const View& dst = plan.views[0];
  if (plan.lanes.repeats < 2 || dst.repeat != 0) return std::nullopt;
  const bool may = (row_of(instruction.opcode)->flags & ACLSIM_ACCUMULATES) != 0;
  for (unsigned i = 1; i < plan.number; ++i) {
    if (plan.views[i].base != dst.base || (may && i == 2 && plan.views[i].repeat == 0)) continue;
    return wrong_operand(
        instruction, Fault::kOverlap, i,
        "a later repeat reads what an earlier one wrote (repeat stride of dst is 0)");
  }
  return std::nullopt;
}

std::optional<Violation> shifts_too_far(const aclsimInstruction& instruction) {
  const bool shifts =
      instruction.opcode == ACLSIM_OP_ShiftLeft || instruction.opcode == ACLSIM_OP_ShiftRight;
  if (!shifts || one_element(instruction) != 0) return std::nullopt;
  const unsigned bits = element_bits(instruction.operand[0].element);
  const std::uint64_t mask = bits == 64 ? ~0ULL : (1ULL << bits) - 1;
  const std::uint64_t by = instruction.scalar[0] & mask;
  if (by <= bits) return std::nullopt;
  return out_of_range(
      instruction, "a shift by " + std::to_string(by) + ", expected 0 to " + std::to_string(bits));
}

std::optional<Violation> limits(const aclsimInstruction& instruction, const State& state) {
  if (is_one_run(instruction)) return shifts_too_far(instruction);
  const Plan plan = plan_of(instruction, state);
  if (plan.lanes.none()) return std::nullopt;
  const bool blocks = !plan.lanes.flat;
  if (blocks && plan.views[0].block == 0 && plan.lanes.per_repeat > plan.views[0].per_block) {
    return wrong_operand(instruction, Fault::kRange, 0,
                         "block stride 0 of a destination has no defined result");
  }
  if (auto found = shifts_too_far(instruction)) return found;
  for (unsigned i = 0; i < plan.number; ++i) {
    if (plan.views[i].bits != 4 || plan.lanes.all) continue;
    for (unsigned lane = 0; lane < plan.lanes.per_repeat; lane += 2) {
      if (plan.lanes.has(lane) == plan.lanes.has(lane + 1)) continue;
      return out_of_range(instruction, std::string("a mask that parts the two ") +
                                           element_name(instruction.operand[i].element) +
                                           " of a byte (lane " + std::to_string(lane) + ")");
    }
  }
  return accumulates_wrongly(instruction, plan);
}

/// The bytes that one repeat accesses in an operand, block by block.
struct RepeatBytes {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::vector<std::uint64_t> blocks;  // their first bytes
  std::uint64_t bytes = 0;            // of each
  bool packed = false;

  bool meets(const RepeatBytes& other) const {
    if (first >= other.end || other.first >= end) return false;
    for (const std::uint64_t own : blocks) {
      for (const std::uint64_t theirs : other.blocks) {
        if (own < theirs + other.bytes && theirs < own + bytes) return true;
      }
    }
    return false;
  }
};

RepeatBytes bytes_of_repeat(const Lanes& lanes, const View& view, std::uint64_t repeat) {
  RepeatBytes found;
  const auto begin = reinterpret_cast<std::uintptr_t>(view.base) + repeat * view.repeat;
  const unsigned limit = repeat + 1 == lanes.repeats ? lanes.last : lanes.per_repeat;
  found.bytes = std::uint64_t{view.per_block} * view.bits / 8;
  found.first = ~0ULL;
  for (unsigned lane = 0; lane < limit; lane += view.per_block) {
    bool used = false;
    for (unsigned i = lane; i < std::min(limit, lane + view.per_block); ++i) used |= lanes.has(i);
    if (!used) continue;
    found.blocks.push_back(begin + view.offset(lane));
    found.first = std::min(found.first, found.blocks.back());
    found.end = std::max(found.end, found.blocks.back() + found.bytes);
  }
  const std::uint64_t last_lanes = std::uint64_t{limit} * view.bits / 8;
  if (view.packed() && found.end > begin + last_lanes) found.end = begin + last_lanes;
  found.packed = view.packed();
  return found;
}

/// The unit reads a repeat before it writes it, and a repeat may write what earlier ones have read.
/// Within a repeat the operands must begin together if the elements shrink, or end together if they
/// grow.
bool overlap_is_defined(const aclsimInstruction& instruction, const State& state, unsigned dst,
                        unsigned src) {
  if (is_counted_copy(instruction, state)) return false;
  const Plan plan = plan_of(instruction, state);
  if (dst >= plan.number || src >= plan.number || plan.lanes.none()) return false;
  const View& to = plan.views[dst];
  const View& from = plan.views[src];
  if (to.per_block == 0 || from.per_block == 0) return false;
  std::vector<RepeatBytes> written;
  for (std::uint64_t repeat = 0; repeat < plan.lanes.repeats; ++repeat) {
    const RepeatBytes read = bytes_of_repeat(plan.lanes, from, repeat);
    for (const RepeatBytes& earlier : written) {
      if (earlier.meets(read)) return false;
    }
    written.push_back(bytes_of_repeat(plan.lanes, to, repeat));
    if (!written.back().meets(read)) continue;
    if (!written.back().packed || !read.packed) return false;
    const bool begins = written.back().first == read.first && to.bits <= from.bits;
    const bool ends = written.back().end == read.end && to.bits >= from.bits;
    if (!begins && !ends) return false;
  }
  return true;
}

void reach_run(const aclsimInstruction& instruction, std::vector<Touch>& touches) {
  const InstructionRow& row = *row_of(instruction.opcode);
  const auto lanes = static_cast<std::uint64_t>(instruction.count);
  for (unsigned i = 0, number = by_lanes(instruction); i < number; ++i) {
    const std::uint64_t bytes = (lanes * element_bits(instruction.operand[i].element) + 7) / 8;
    const std::uint8_t access = access_of(row, i);
    if ((access & ACLSIM_READS) != 0) touch_bytes(instruction, i, ACLSIM_READS, 0, bytes, touches);
    if ((access & ACLSIM_WRITES) != 0)
      touch_bytes(instruction, i, ACLSIM_WRITES, 0, bytes, touches);
  }
}

void reach_plan(const Plan& plan, std::vector<Touch>& touches) {
  for (unsigned i = 0; i < plan.number; ++i) {
    for (const std::uint8_t access : {ACLSIM_READS, ACLSIM_WRITES}) {
      if ((plan.views[i].access & access) == 0) continue;
      View view = plan.views[i];
      view.access = access;
      touch_view(plan.lanes, view, touches);
    }
  }
}

void reach(const aclsimInstruction& instruction, const State& state, std::vector<Touch>& touches,
           bool) {
  if (is_one_run(instruction)) {
    reach_run(instruction, touches);
  } else if (is_counted_copy(instruction, state)) {
    return each_counted_repeat(instruction, state,
                               [&](const Plan& plan) { reach_plan(plan, touches); });
  } else {
    const Plan plan = plan_of(instruction, state);
    if (plan.lanes.none()) return;
    reach_plan(plan, touches);
  }
  if (const unsigned one = one_element(instruction)) {
    touch_bytes(instruction, one, ACLSIM_READS, 0, bytes_of(instruction, one), touches);
  }
}

/// The loop's number: the instruction's number, unless a mode selects another loop.
std::uint16_t loop_of(const aclsimInstruction& instruction) {
  if (instruction.mode == 0) return instruction.opcode;
  switch (instruction.opcode) {
    case ACLSIM_OP_ShiftRight:
      return kShiftRightRounded;
    case ACLSIM_OP_Subs:
      return kSubsFrom;
    case ACLSIM_OP_Divs:
      return kDivsInto;
    default:
      return instruction.opcode;
  }
}

void compute(const aclsimInstruction& instruction, State& state) {
  Setting setting = setting_of(instruction, state);
  if (const unsigned one = one_element(instruction)) {
    setting.scalar = element_at(address_of(instruction, one), bytes_of(instruction, one));
  }
  const unsigned source = instruction.operands > 1 ? 1 : 0;
  const Loop loop = find_loop(loop_of(instruction), instruction.operand[0].element,
                              instruction.operand[source].element);
  if (is_one_run(instruction)) {
    std::uint8_t* at[ACLSIM_MAX_OPERANDS] = {};
    for (unsigned i = 0, number = by_lanes(instruction); i < number; ++i)
      at[i] = address_of(instruction, i);
    return loop(at, static_cast<std::uint64_t>(instruction.count), setting);
  }
  const auto run = [&](const Plan& plan) {
    each_run(plan.lanes, plan.views, plan.number,
             [&](std::uint8_t* const* at, std::uint64_t lanes, std::uint64_t position) {
               setting.position = position;
               loop(at, lanes, setting);
             });
  };
  if (is_counted_copy(instruction, state)) return each_counted_repeat(instruction, state, run);
  run(plan_of(instruction, state));
}

std::uint64_t alignment(const aclsimInstruction& instruction, unsigned operand) {
  return operand != 0 && operand == one_element(instruction) ? bytes_of(instruction, operand)
                                                             : kBlock;
}

// ---- Brcb, Interleave, DeInterleave
// --------------------------------------------------------------

std::optional<Violation> brcb_limits(const aclsimInstruction& instruction, const State&) {
  if (instruction.repeat == 0 || instruction.operand[0].block_stride != 0) return std::nullopt;
  return wrong_operand(instruction, Fault::kRange, 0,
                       "block stride 0 of a destination has no defined result");
}

void brcb_reach(const aclsimInstruction& instruction, const State&, std::vector<Touch>& touches,
                bool) {
  const aclsimOperand& dst = instruction.operand[0];
  touch_bytes(instruction, 1, ACLSIM_READS, 0, 8ULL * instruction.repeat * bytes_of(instruction, 1),
              touches);
  if (dst.block_stride == 1 && dst.repeat_stride == 8) {
    touch_bytes(instruction, 0, ACLSIM_WRITES, 0, kRepeat * instruction.repeat, touches);
    return;
  }
  for (unsigned block = 0; block < 8; ++block) {
    touch_bytes(instruction, 0, ACLSIM_WRITES, block * dst.block_stride * kBlock, kBlock, touches,
                dst.repeat_stride * kBlock, dst.repeat_stride == 0 ? 1 : instruction.repeat);
  }
}

void brcb_execute(const aclsimInstruction& instruction, State&) {
  const aclsimOperand& dst = instruction.operand[0];
  const unsigned bytes = bytes_of(instruction, 0);
  const Loop fill = find_loop(ACLSIM_OP_Duplicate, dst.element, dst.element);
  for (unsigned k = 0; k < 8U * instruction.repeat; ++k) {
    Setting setting;
    setting.scalar = element_at(address_of(instruction, 1) + std::size_t{k} * bytes, bytes);
    std::uint8_t* const at[] = {address_of(instruction, 0) +
                                (k / 8 * dst.repeat_stride + k % 8 * dst.block_stride) * kBlock};
    fill(at, kBlock / bytes, setting);
  }
}

std::uint64_t count_of(const aclsimInstruction& instruction) {
  return instruction.count <= 0 ? 0 : static_cast<std::uint64_t>(instruction.count);
}

std::optional<Violation> even_limits(const aclsimInstruction& instruction, const State&) {
  if (count_of(instruction) % 2 == 0) return std::nullopt;
  return out_of_range(instruction,
                      "count " + std::to_string(instruction.count) + ", expected an even number");
}

// With three operands the source is one, and its count is given.
std::uint64_t each_count(const aclsimInstruction& instruction) {
  return count_of(instruction) / (instruction.operands == 3 ? 2 : 1);
}

void interleave_reach(const aclsimInstruction& instruction, const State&,
                      std::vector<Touch>& touches, bool) {
  const std::uint64_t bytes = each_count(instruction) * bytes_of(instruction, 0);
  for (unsigned i = 0; i < instruction.operands; ++i) {
    touch_bytes(instruction, i, i < 2 ? ACLSIM_WRITES : ACLSIM_READS, 0,
                instruction.operands == 3 && i == 2 ? bytes * 2 : bytes, touches);
  }
}

void interleave_execute(const aclsimInstruction& instruction, State&) {
  const std::uint64_t count = count_of(instruction);
  const unsigned bytes = bytes_of(instruction, 0);
  for (std::uint64_t i = 0; i < 2 * count; ++i) {
    const std::uint8_t* from = address_of(instruction, 2 + i % 2) + i / 2 * bytes;
    std::memcpy(address_of(instruction, i < count ? 0 : 1) + i % count * bytes, from, bytes);
  }
}

void deinterleave_execute(const aclsimInstruction& instruction, State&) {
  const std::uint64_t count = each_count(instruction);
  const unsigned bytes = bytes_of(instruction, 0);
  for (std::uint64_t i = 0; i < 2 * count; ++i) {
    const bool second = instruction.operands == 4 && i >= count;
    const std::uint8_t* from =
        address_of(instruction, second ? 3 : 2) + (second ? i - count : i) * bytes;
    std::memcpy(address_of(instruction, i % 2) + i / 2 * bytes, from, bytes);
  }
}

}  // namespace

const Kind kLaneKind = {limits, reach,         compute,           alignment,
                        false,  lanes_of_plan, overlap_is_defined};
const Kind kBrcbKind = {brcb_limits, brcb_reach, brcb_execute, nullptr, false};
const Kind kInterleaveKind = {even_limits, interleave_reach, interleave_execute, nullptr, false};
const Kind kDeInterleaveKind = {even_limits, interleave_reach, deinterleave_execute, nullptr,
                                false};

unsigned lanes_per_repeat(const aclsimInstruction& instruction, unsigned first, unsigned number) {
  unsigned widest = 8;
  for (unsigned i = first; i < first + number; ++i) {
    widest = std::max(widest, element_bits(instruction.operand[i].element));
  }
  return static_cast<unsigned>(kRepeat * 8 / widest);
}

Setting setting_of(const aclsimInstruction& instruction, const State& state) {
  Setting setting;
  setting.scalar = instruction.scalar[0];
  setting.mode = instruction.mode;
  setting.saturate = saturates(state);
  setting.keep_nan = (state.control >> 50 & 1U) != 0;
  setting.saturate_integers = (state.control >> 53 & 1U) != 0;
  setting.deq = aclsim_half::half_value(state.deq_half);
  setting.deq_scale = state.deq_scale;
  setting.deq_offset = state.deq_offset;
  return setting;
}

std::uint64_t element_at(const std::uint8_t* address, unsigned bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, address, bytes);
  return bits;
}

}  // namespace ascendc::vector
