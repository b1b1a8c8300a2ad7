// SPDX-License-Identifier: Apache-2.0
// Reductions. Sums are trees: neighbours are added, then neighbours of the sums; lanes that the
// mask leaves out count as 0. The count form of ReduceSum adds the sums of the repeats in order.
#include <algorithm>
#include <cstring>

#include "runtime/ascendc/vector/kind.h"

namespace ascendc::vector {
namespace {

enum Reduction : std::int32_t { kSum, kMax, kMin };                              // ReduceType
enum Order : std::int32_t { kValueIndex, kIndexValue, kOnlyValue, kOnlyIndex };  // ReduceOrder

// mode of ReduceDataBlock, ReducePairElem, ReduceRepeat: ReduceType, and ReduceOrder in the next
// byte.
std::int32_t reduction_of(const aclsimInstruction& instruction) {
  switch (instruction.opcode) {
    case ACLSIM_OP_ReduceSum:
      return kSum;
    case ACLSIM_OP_ReduceMax:
      return kMax;
    case ACLSIM_OP_ReduceMin:
      return kMin;
    default:
      return instruction.mode & 0xff;
  }
}

/// The bits that change nothing: 0, or the least or greatest number of the type.
std::uint64_t neutral(std::uint8_t element, std::int32_t reduction) {
  if (reduction == kSum) return 0;
  const bool most = reduction == kMin;
  switch (element) {
    case ACLSIM_HALF:
      return most ? 0x7c00 : 0xfc00;
    case ACLSIM_BFLOAT16:
      return most ? 0x7f80 : 0xff80;
    case ACLSIM_FLOAT:
      return most ? 0x7f800000 : 0xff800000;
    case ACLSIM_UINT8:
    case ACLSIM_UINT16:
    case ACLSIM_UINT32:
    case ACLSIM_UINT64:
      return most ? ~0ULL : 0;
    default: {
      const std::uint64_t least = 1ULL << (element_bits(element) - 1);
      return most ? least - 1 : least;
    }
  }
}

/// Rows of elements, halved again and again by an instruction's own loop.
class Tree {
 public:
  Tree(const aclsimInstruction& instruction, const State& state, const Lanes& lanes,
       std::uint64_t room)
      : bytes_(bytes_of(instruction, 1)), setting_(setting_of(instruction, state)) {
    const std::uint8_t element = instruction.operand[1].element;
    const std::int32_t reduction = reduction_of(instruction);
    combine_ = find_loop(reduction == kSum   ? ACLSIM_OP_Add
                         : reduction == kMax ? ACLSIM_OP_Max
                                             : ACLSIM_OP_Min,
                         element, element);
    values_.resize(room * bytes_);
    Setting fill = setting_;
    fill.scalar = neutral(element, reduction);
    std::uint8_t* const all[] = {values_.data()};
    find_loop(ACLSIM_OP_Duplicate, element, element)(all, room, fill);
    const View view = view_of(instruction, 1, lanes, ACLSIM_READS);
    each_run(lanes, &view, 1,
             [this](std::uint8_t* const* at, std::uint64_t number, std::uint64_t position) {
               std::memcpy(values_.data() + position * bytes_, at[0], number * bytes_);
             });
  }

  std::uint64_t size() const { return values_.size() / bytes_; }
  const std::uint8_t* at(std::uint64_t i) const { return values_.data() + i * bytes_; }

  /// Puts neighbours together: half as many elements.
  void halve() {
    const std::uint64_t half = size() / 2;
    odd_.resize(half * bytes_);
    switch (bytes_) {
      case 2:
        part<std::uint16_t>(half);
        break;
      case 4:
        part<std::uint32_t>(half);
        break;
      default:
        part<std::uint64_t>(half);
    }
    values_.resize(half * bytes_);
    std::uint8_t* const all[] = {values_.data(), values_.data(), odd_.data()};
    combine_(all, half, setting_);
  }
  /// The first element and those after it, one after the other.
  void in_order() {
    for (std::uint64_t i = 1; i < size(); ++i) {
      std::uint8_t* const all[] = {values_.data(), values_.data(), values_.data() + i * bytes_};
      combine_(all, 1, setting_);
    }
    values_.resize(bytes_);
  }

 private:
  template <typename T>
  void part(std::uint64_t half) {
    auto* even = reinterpret_cast<T*>(values_.data());
    auto* odd = reinterpret_cast<T*>(odd_.data());
    for (std::uint64_t i = 0; i < half; ++i) {
      const T first = even[2 * i];
      odd[i] = even[2 * i + 1];
      even[i] = first;
    }
  }

  unsigned bytes_;
  Setting setting_;
  Loop combine_ = nullptr;
  std::vector<std::uint8_t> values_;
  std::vector<std::uint8_t> odd_;
};

unsigned source_per_repeat(const aclsimInstruction& instruction) {
  return lanes_per_repeat(instruction, 1, 1);
}
Lanes source_lanes(const aclsimInstruction& instruction, const State& state) {
  return lanes_of(instruction, state, source_per_repeat(instruction));
}
bool active(const Lanes& lanes, std::uint64_t repeat, unsigned first, unsigned number) {
  const unsigned limit = repeat + 1 == lanes.repeats ? lanes.last : lanes.per_repeat;
  for (unsigned lane = first; lane < first + number && lane < limit; ++lane) {
    if (lanes.has(lane)) return true;
  }
  return false;
}

/// The first active lane of `from` ... whose value is `value`, or is NaN when `value` is.
std::uint64_t index_of(const aclsimInstruction& instruction, const Lanes& lanes,
                       const std::uint8_t* value, std::uint64_t first_repeat,
                       std::uint64_t repeats) {
  const unsigned bytes = bytes_of(instruction, 1);
  const std::uint8_t element = instruction.operand[1].element;
  const Loop differs = find_loop(kCompareLT + 5, element, element);
  const View view = view_of(instruction, 1, lanes, ACLSIM_READS);
  const auto same = [&](std::uint8_t* a, std::uint8_t* b) {
    std::uint8_t byte = 0;
    std::uint8_t* const all[] = {&byte, a, b};
    differs(all, 1, Setting{});
    return byte == 0;
  };
  std::uint8_t kept[8];
  std::memcpy(kept, value, bytes);
  const bool nan = !same(kept, kept);
  for (std::uint64_t repeat = first_repeat; repeat < first_repeat + repeats; ++repeat) {
    const unsigned limit = repeat + 1 == lanes.repeats ? lanes.last : lanes.per_repeat;
    for (unsigned lane = 0; lane < limit; ++lane) {
      if (!lanes.has(lane)) continue;
      std::uint8_t* at = view.base + repeat * view.repeat + view.offset(lane);
      if (nan ? !same(at, at) : same(at, kept)) {
        return (repeat - first_repeat) * lanes.per_repeat + lane;
      }
    }
  }
  return 0;
}

// ---- one result per block or per pair
// ------------------------------------------------------------

struct Groups {
  unsigned lanes;         // of a group
  std::uint64_t results;  // of a repeat
  std::uint64_t stride;   // bytes from a repeat's results to the next ones
};

Groups groups_of(const aclsimInstruction& instruction, const Lanes& lanes) {
  const unsigned bytes = bytes_of(instruction, 1);
  const std::uint64_t stride = instruction.operand[0].repeat_stride;
  if (instruction.opcode == ACLSIM_OP_ReduceDataBlock) return {32 / bytes, 8, stride * 8 * bytes};
  return {2, lanes.per_repeat / 2, stride * kRepeat / 2};
}

std::optional<Violation> group_limits(const aclsimInstruction& instruction, const State&) {
  const std::int32_t reduction = reduction_of(instruction);
  const std::int32_t most = instruction.opcode == ACLSIM_OP_ReducePairElem ? kSum : kMin;
  if (reduction <= most) return std::nullopt;
  return out_of_range(instruction, "reduceType " + std::to_string(reduction) + ", expected " +
                                       (most == kSum ? "SUM" : "SUM, MAX or MIN"));
}

template <typename Emit>
void each_group(const aclsimInstruction& instruction, const Lanes& lanes, Emit emit) {
  const Groups groups = groups_of(instruction, lanes);
  for (std::uint64_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    for (unsigned group = 0; group < groups.results; ++group) {
      if (!active(lanes, repeat, group * groups.lanes, groups.lanes)) continue;
      emit(repeat * groups.results + group,
           repeat * groups.stride + std::uint64_t{group} * bytes_of(instruction, 1));
    }
  }
}

void group_reach(const aclsimInstruction& instruction, const State& state,
                 std::vector<Touch>& touches, bool) {
  const Lanes lanes = source_lanes(instruction, state);
  if (lanes.none()) return;
  touch_view(lanes, view_of(instruction, 1, lanes, ACLSIM_READS), touches);
  const Groups groups = groups_of(instruction, lanes);
  const unsigned bytes = bytes_of(instruction, 1);
  if (lanes.all && lanes.last == lanes.per_repeat) {
    touch_bytes(instruction, 0, ACLSIM_WRITES, 0, groups.results * bytes, touches, groups.stride,
                groups.stride == 0 ? 1 : lanes.repeats);
    return;
  }
  each_group(instruction, lanes, [&](std::uint64_t, std::uint64_t offset) {
    touch_bytes(instruction, 0, ACLSIM_WRITES, offset, bytes, touches);
  });
}

void group_compute(const aclsimInstruction& instruction, State& state) {
  const Lanes lanes = source_lanes(instruction, state);
  if (lanes.none()) return;
  Tree tree(instruction, state, lanes, lanes.repeats * lanes.per_repeat);
  for (unsigned n = groups_of(instruction, lanes).lanes; n > 1; n /= 2) tree.halve();
  each_group(instruction, lanes, [&](std::uint64_t result, std::uint64_t offset) {
    std::memcpy(address_of(instruction, 0) + offset, tree.at(result), bytes_of(instruction, 1));
  });
}

std::uint64_t group_alignment(const aclsimInstruction& instruction, unsigned operand) {
  const bool half_blocks = instruction.opcode == ACLSIM_OP_ReduceDataBlock && operand == 0;
  return half_blocks ? 8ULL * bytes_of(instruction, 1) : kBlock;
}

// ---- one result per repeat
// -----------------------------------------------------------------------

std::int32_t order_of(const aclsimInstruction& instruction) { return instruction.mode >> 8; }

std::uint64_t result_bytes(const aclsimInstruction& instruction) {
  const std::uint64_t bytes = bytes_of(instruction, 1);
  if (reduction_of(instruction) == kSum || order_of(instruction) == kOnlyValue) return bytes;
  return order_of(instruction) == kOnlyIndex ? 4 : 2 * bytes;
}

std::optional<Violation> repeat_limits(const aclsimInstruction& instruction, const State&) {
  if (reduction_of(instruction) > kMin) {
    return out_of_range(instruction, "reduceType " + std::to_string(reduction_of(instruction)) +
                                         ", expected SUM, MAX or MIN");
  }
  if (order_of(instruction) > kOnlyIndex) {
    return out_of_range(instruction, "order " + std::to_string(order_of(instruction)) +
                                         ", expected a ReduceOrder (0 to 3)");
  }
  return std::nullopt;
}

void repeat_reach(const aclsimInstruction& instruction, const State& state,
                  std::vector<Touch>& touches, bool) {
  const Lanes lanes = source_lanes(instruction, state);
  if (lanes.none()) return;
  touch_view(lanes, view_of(instruction, 1, lanes, ACLSIM_READS), touches);
  const std::uint64_t bytes = result_bytes(instruction);
  const std::uint64_t stride = instruction.operand[0].repeat_stride * bytes;
  touch_bytes(instruction, 0, ACLSIM_WRITES, 0, bytes, touches, stride,
              stride == 0 ? 1 : lanes.repeats);
}

void repeat_compute(const aclsimInstruction& instruction, State& state) {
  const Lanes lanes = source_lanes(instruction, state);
  if (lanes.none()) return;
  Tree tree(instruction, state, lanes, lanes.repeats * lanes.per_repeat);
  for (unsigned n = lanes.per_repeat; n > 1; n /= 2) tree.halve();
  const unsigned bytes = bytes_of(instruction, 1);
  const std::int32_t order = order_of(instruction);
  for (std::uint64_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    std::uint8_t* to = address_of(instruction, 0) +
                       repeat * instruction.operand[0].repeat_stride * result_bytes(instruction);
    if (reduction_of(instruction) == kSum) {
      std::memcpy(to, tree.at(repeat), bytes);
      state.accumulated = element_at(tree.at(repeat), bytes);
      continue;
    }
    const std::uint64_t index = index_of(instruction, lanes, tree.at(repeat), repeat, 1);
    if (order == kOnlyIndex) {
      std::memcpy(to, &index, 4);
    } else if (order == kIndexValue) {
      std::memcpy(to, &index, bytes);
      std::memcpy(to + bytes, tree.at(repeat), bytes);
    } else {
      std::memcpy(to, tree.at(repeat), bytes);
      if (order == kValueIndex) std::memcpy(to + bytes, &index, bytes);
    }
    state.reduced_value = element_at(tree.at(repeat), bytes);
    state.reduced_index = index;
  }
}

std::uint64_t value_alignment(const aclsimInstruction& instruction, unsigned operand) {
  if (operand != 0) return kBlock;
  return order_of(instruction) == kOnlyIndex && reduction_of(instruction) != kSum
             ? 4
             : bytes_of(instruction, 1);
}

// ---- one result for all
// --------------------------------------------------------------------------

bool with_index(const aclsimInstruction& instruction) {
  return instruction.opcode != ACLSIM_OP_ReduceSum && instruction.mode != 0;
}
/// The bytes of scratch memory that the instruction uses between its steps; 0: none.
std::uint64_t scratch_bytes(const aclsimInstruction& instruction, const Lanes& lanes) {
  const std::uint64_t bytes = bytes_of(instruction, 1);
  if (instruction.opcode != ACLSIM_OP_ReduceSum) return round_up(lanes.repeats * 2 * bytes, kBlock);
  return lanes.flat ? 0 : round_up(lanes.repeats * bytes, kBlock);
}

std::optional<Violation> all_limits(const aclsimInstruction& instruction, const State& state) {
  if (!with_index(instruction) || bytes_of(instruction, 1) != 2) return std::nullopt;
  const Lanes lanes = source_lanes(instruction, state);
  if (lanes.span() <= 65536) return std::nullopt;
  return out_of_range(instruction, "an index of " + std::to_string(lanes.span()) +
                                       " elements does not fit into 16 bits");
}

void all_reach(const aclsimInstruction& instruction, const State& state,
               std::vector<Touch>& touches, bool) {
  const Lanes lanes = source_lanes(instruction, state);
  if (lanes.none()) return;
  touch_view(lanes, view_of(instruction, 1, lanes, ACLSIM_READS), touches);
  if (instruction.operands > 2) {
    touch_bytes(instruction, 2, ACLSIM_WRITES, 0, scratch_bytes(instruction, lanes), touches);
  }
  const std::uint64_t bytes = bytes_of(instruction, 1);
  touch_bytes(instruction, 0, ACLSIM_WRITES, 0, with_index(instruction) ? 2 * bytes : bytes,
              touches);
}

void all_compute(const aclsimInstruction& instruction, State& state) {
  const Lanes lanes = source_lanes(instruction, state);
  if (lanes.none()) return;
  const bool sum = instruction.opcode == ACLSIM_OP_ReduceSum;
  std::uint64_t rows = lanes.repeats;
  if (!sum || !lanes.flat) {
    rows = 1;
    while (rows < lanes.repeats) rows *= 2;
  }
  Tree tree(instruction, state, lanes, rows * lanes.per_repeat);
  while (tree.size() > (sum && lanes.flat ? rows : 1)) tree.halve();
  tree.in_order();
  const unsigned bytes = bytes_of(instruction, 1);
  std::uint8_t* to = address_of(instruction, 0);
  if (sum) {
    std::memcpy(to, tree.at(0), bytes);
    state.accumulated = element_at(tree.at(0), bytes);
    return;
  }
  const std::uint64_t index = index_of(instruction, lanes, tree.at(0), 0, lanes.repeats);
  std::memcpy(to, tree.at(0), bytes);
  if (with_index(instruction)) std::memcpy(to + bytes, &index, bytes);
  state.reduced_value = element_at(tree.at(0), bytes);
  state.reduced_index = index;
}

std::uint64_t all_alignment(const aclsimInstruction& instruction, unsigned operand) {
  return operand == 0 ? bytes_of(instruction, 1) : kBlock;
}

}  // namespace

const Kind kReduceGroupKind = {group_limits,    group_reach, group_compute,
                               group_alignment, true,        source_per_repeat};
const Kind kReduceRepeatKind = {repeat_limits,   repeat_reach, repeat_compute,
                                value_alignment, true,         source_per_repeat};
const Kind kReduceAllKind = {all_limits,    all_reach, all_compute,
                             all_alignment, true,      source_per_repeat};

}  // namespace ascendc::vector
