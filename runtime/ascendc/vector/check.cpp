// SPDX-License-Identifier: Apache-2.0
// The checks of every instruction: types, alignment, sizes, overlap. Sizes and overlap are computed
// from the bytes that the instruction accesses.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <tuple>
#include <utility>

#include "runtime/ascendc/vector/kind.h"

namespace ascendc::vector {

Violation out_of_range(const aclsimInstruction& instruction, const std::string& what) {
  return {Fault::kRange, -1, std::string(name(instruction.opcode)) + ": " + what};
}

Violation wrong_operand(const aclsimInstruction& instruction, Fault fault, unsigned operand,
                        const std::string& what) {
  return {fault, static_cast<std::int8_t>(operand),
          std::string(name(instruction.opcode)) + ": tensor " +
              operand_name(*row_of(instruction.opcode), operand) + ": " + what};
}

namespace {

std::optional<Violation> check_types(const aclsimInstruction& instruction,
                                     const InstructionRow& row) {
  const std::uint8_t dst = instruction.operand[0].element;
  if ((row.flags & ACLSIM_PAIRS) == 0) {
    const bool known = dst < 32 && ((row.old_types | row.new_types) >> dst & 1U) != 0;
    if (known || instruction.operands == 0) return std::nullopt;
    return Violation{Fault::kUnknown, 0,
                     std::string(row.name) + ": no instruction for " + element_name(dst)};
  }
  const std::uint8_t src = instruction.operand[1].element;
  const Pair* pair = pair_of(row.opcode, dst, src);
  if (pair == nullptr) {
    return Violation{Fault::kUnknown, 0,
                     std::string(row.name) + ": no conversion from " + element_name(src) + " to " +
                         element_name(dst)};
  }
  const std::uint32_t modes = pair->old_modes | pair->new_modes;
  if (instruction.mode >= 0 && instruction.mode < 31 && (modes >> instruction.mode & 1U) != 0) {
    return std::nullopt;
  }
  return Violation{Fault::kRange, -1,
                   std::string(row.name) + ": RoundMode " + std::to_string(instruction.mode) +
                       " from " + element_name(src) + " to " + element_name(dst)};
}

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%" PRIx64, value);
  return text;
}

std::optional<Violation> check_alignment(const aclsimInstruction& instruction, const Kind& kind) {
  for (unsigned i = 0; i < instruction.operands; ++i) {
    const auto address = reinterpret_cast<std::uintptr_t>(instruction.operand[i].address);
    const std::uint64_t unit = std::max<std::uint64_t>(
        1, kind.alignment == nullptr ? kBlock : kind.alignment(instruction, i));
    if ((address & (unit - 1)) == 0) continue;  // a power of two
    return wrong_operand(instruction, Fault::kAlignment, i,
                         "address " + hex(address) + " is " + std::to_string(address & (unit - 1)) +
                             " bytes past a multiple of " + std::to_string(unit));
  }
  return std::nullopt;
}

std::uint64_t end_of(const Touch& touch) {
  return touch.address + touch.stride * (touch.times - 1) + touch.bytes;
}

/// The range of all accessed bytes of an operand.
struct Extent {
  std::uint64_t first;
  std::uint64_t end;  // 0: nothing is
};

void measure(const std::vector<Touch>& touches, Extent* extents) {
  for (unsigned i = 0; i < ACLSIM_MAX_OPERANDS; ++i) extents[i] = {~0ULL, 0};
  for (const Touch& touch : touches) {
    Extent& extent = extents[touch.operand];
    extent.first = std::min<std::uint64_t>(extent.first, touch.address);
    extent.end = std::max(extent.end, end_of(touch));
  }
}

std::optional<Violation> check_sizes(const aclsimInstruction& instruction, const Extent* extents) {
  if (instruction.opcode == ACLSIM_OP_TransDataTo5HD) return std::nullopt;  // many: its own check
  for (unsigned i = 0; i < instruction.operands; ++i) {
    const aclsimOperand& operand = instruction.operand[i];
    if (extents[i].end == 0) continue;
    const std::uint64_t needed = extents[i].end - reinterpret_cast<std::uintptr_t>(operand.address);
    if (needed == 0) continue;
    if (is_nowhere(operand.address)) {
      return wrong_operand(instruction, Fault::kEmpty, i,
                           "it is empty: no memory was taken for it");
    }
    if (is_past(operand)) {
      return wrong_operand(
          instruction, Fault::kSize, i,
          "it begins " + std::to_string(~operand.bytes) + " bytes past the end of its memory");
    }
    if (operand.bytes == 0 || needed <= operand.bytes) continue;
    return wrong_operand(
        instruction, Fault::kSize, i,
        std::to_string(needed) + " bytes needed, " + std::to_string(operand.bytes) + " there");
  }
  return std::nullopt;
}

/// The same lanes at the same places.
bool same_place(const aclsimInstruction& instruction, unsigned a, unsigned b) {
  const aclsimOperand& left = instruction.operand[a];
  const aclsimOperand& right = instruction.operand[b];
  if (left.address != right.address) return false;
  if (element_bits(left.element) != element_bits(right.element)) return false;
  return instruction.form == ACLSIM_COUNT ||
         (left.block_stride == right.block_stride && left.repeat_stride == right.repeat_stride);
}

struct Stretch {
  std::uint64_t first;
  std::uint64_t end;
};

std::vector<Stretch> stretches(const std::vector<Touch>& touches, unsigned operand,
                               std::uint8_t access) {
  std::vector<Stretch> found;
  for (const Touch& touch : touches) {
    if (touch.operand != operand || touch.access != access) continue;
    for (std::uint64_t i = 0; i < touch.times; ++i) {
      const std::uint64_t first = touch.address + i * touch.stride;
      found.push_back({first, first + touch.bytes});
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Stretch& a, const Stretch& b) { return a.first < b.first; });
  return found;
}

bool meet(const std::vector<Touch>& touches, unsigned dst, unsigned other, std::uint8_t access) {
  const std::vector<Stretch> a = stretches(touches, dst, ACLSIM_WRITES);
  const std::vector<Stretch> b = stretches(touches, other, access);
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a.size() && k < b.size()) {
    if (a[i].first < b[k].end && b[k].first < a[i].end) return true;
    (a[i].end < b[k].end ? i : k) += 1;
  }
  return false;
}

/// Whether the operand is accessed through offsets. It is then checked when the instruction is
/// executed.
bool is_far(const aclsimInstruction& instruction, unsigned operand) {
  if (!reaches_by_values(instruction.opcode)) return false;
  return operand == (instruction.opcode == ACLSIM_OP_Scatter ? 0U : 1U);
}

std::optional<Violation> check_overlap(const aclsimInstruction& instruction, const State& state,
                                       const Kind& kind, const InstructionRow& row,
                                       const std::vector<Touch>& touches, const Extent* extents) {
  if (kind.may_overlap || (row.flags & ACLSIM_NO_DST) != 0) return std::nullopt;
  const unsigned targets = (row.flags & ACLSIM_TWO_DST) != 0 ? 2 : 1;
  for (unsigned dst = 0; dst < targets; ++dst) {
    for (unsigned other = dst + 1; other < instruction.operands; ++other) {
      if (extents[dst].first >= extents[other].end || extents[other].first >= extents[dst].end) {
        continue;
      }
      if (is_far(instruction, dst) || is_far(instruction, other)) continue;
      const bool write = other < targets;
      if (!write && &kind == &kLaneKind && same_place(instruction, dst, other)) continue;
      if (!write && kind.overlap_is_defined != nullptr &&
          kind.overlap_is_defined(instruction, state, dst, other))
        continue;
      if (auto found =
              overlap_of(instruction, touches, dst, other, write ? ACLSIM_WRITES : ACLSIM_READS))
        return found;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Violation> overlap_of(const aclsimInstruction& instruction,
                                    const std::vector<Touch>& touches, unsigned dst, unsigned other,
                                    std::uint8_t access) {
  if (!meet(touches, dst, other, access)) return std::nullopt;
  return wrong_operand(instruction, Fault::kOverlap, dst,
                       "it overlaps tensor " + operand_name(*row_of(instruction.opcode), other) +
                           " in part; they may be the same or apart");
}

void join(std::vector<Touch>& touches) {
  constexpr std::size_t kFew = 64;
  const auto key = [](const Touch& t) { return std::tuple(t.operand, t.access, t.address); };
  std::sort(touches.begin(), touches.end(),
            [&](const Touch& a, const Touch& b) { return key(a) < key(b); });
  const bool few = touches.size() <= kFew;
  for (const bool over_gaps : {false, true}) {
    if (over_gaps && (few || touches.size() <= kFew)) return;
    std::vector<Touch> joined;
    for (const Touch& touch : touches) {
      Touch* const last = joined.empty() ? nullptr : &joined.back();
      const bool alike = last && last->operand == touch.operand && last->access == touch.access &&
                         last->times == 1 && touch.times == 1;
      if (alike && (over_gaps || touch.address <= last->address + last->bytes)) {
        last->bytes = std::max(last->bytes, touch.address + touch.bytes - last->address);
      } else {
        joined.push_back(touch);
      }
    }
    touches = std::move(joined);
  }
}

std::optional<Violation> check(const aclsimInstruction& instruction, const State& state,
                               std::vector<Touch>& touches) {
  touches.clear();
  const InstructionRow* row = row_of(instruction.opcode);
  if (row == nullptr) {
    return Violation{Fault::kUnknown, -1,
                     "vector instruction " + std::to_string(instruction.opcode) + " is not known"};
  }
  const Kind& kind = *kind_of(instruction.opcode);
  if (auto found = check_types(instruction, *row)) return found;
  if (instruction.repeat > 255 && instruction.opcode != ACLSIM_OP_GatherMask) {
    return out_of_range(instruction,
                        "repeatTime " + std::to_string(instruction.repeat) + ", expected 0 to 255");
  }
  if (kind.limits != nullptr) {
    if (auto found = kind.limits(instruction, state)) return found;
  }
  kind.reach(instruction, state, touches, false);
  if (touches.empty()) return std::nullopt;
  Extent extents[ACLSIM_MAX_OPERANDS];
  measure(touches, extents);
  if (auto found = check_sizes(instruction, extents)) return found;
  if (auto found = check_alignment(instruction, kind)) return found;
  return check_overlap(instruction, state, kind, *row, touches, extents);
}

std::optional<std::string> mask_beyond_lanes(const aclsimInstruction& instruction,
                                             const State& state) {
  const bool first = instruction.form == ACLSIM_MASK_N;
  if (state.counter || (!first && instruction.form != ACLSIM_MASK_BITS)) return std::nullopt;
  const Kind* const kind = kind_of(instruction.opcode);
  if (kind == nullptr || kind->lanes == nullptr) return std::nullopt;
  const unsigned lanes = kind->lanes(instruction);
  const std::uint64_t* const mask = instruction.mask;
  const auto says = [&](const std::string& which, const std::string& value) {
    return std::string(name(instruction.opcode)) + ": mask" + which + " is " + value +
           "; a repeat of this type has " + std::to_string(lanes) + " lanes";
  };
  if (first) {
    if (mask[0] <= lanes) return std::nullopt;
    return says("", std::to_string(mask[0]));
  }
  if (lanes > 64) return std::nullopt;
  if (mask[1] != 0) return says("[1]", hex(mask[1]));
  if (lanes == 64 || mask[0] >> lanes == 0) return std::nullopt;
  return says("[0]", hex(mask[0]));
}

}  // namespace ascendc::vector
