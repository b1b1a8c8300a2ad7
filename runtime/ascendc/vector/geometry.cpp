// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/vector/geometry.h"

#include <algorithm>

#include "runtime/ascendc/vector/rows.h"

namespace ascendc::vector {
namespace {

void first_lanes(Lanes& lanes, std::uint64_t number) {
  lanes.all = number >= lanes.per_repeat;
  for (unsigned word = 0; word < 4; ++word) {
    const std::uint64_t from = std::uint64_t{word} * 64;
    if (number <= from) {
      lanes.mask[word] = 0;
    } else {
      lanes.mask[word] = number - from >= 64 ? ~0ULL : (1ULL << (number - from)) - 1;
    }
  }
}

// `low`, `high`: what the mask register holds. The unit has 128 mask bits; with elements of one
// byte lanes 128 and above have none and are on only where all bits are.
void lanes_of_bits(Lanes& lanes, std::uint64_t low, std::uint64_t high) {
  lanes.mask[0] = low;
  lanes.mask[1] = high;
  const bool all_bits = (low & high) == ~0ULL;
  lanes.mask[2] = lanes.mask[3] = all_bits ? ~0ULL : 0;
  bool all = true;
  for (unsigned word = 0; word < 4; ++word) {
    const unsigned from = word * 64;
    const unsigned here = lanes.per_repeat <= from ? 0 : std::min(lanes.per_repeat - from, 64U);
    const std::uint64_t wanted = here == 64 ? ~0ULL : (1ULL << here) - 1;
    lanes.mask[word] &= wanted;
    all = all && lanes.mask[word] == wanted;
  }
  lanes.all = all;
}

void count_lanes(Lanes& lanes, std::uint64_t number) {
  first_lanes(lanes, lanes.per_repeat);
  lanes.repeats = (number + lanes.per_repeat - 1) / lanes.per_repeat;
  lanes.last = static_cast<unsigned>(number - (lanes.repeats == 0 ? 0 : lanes.repeats - 1) *
                                                  lanes.per_repeat);
}

}  // namespace

Lanes lanes_of(const aclsimInstruction& instruction, const State& state, unsigned per_repeat) {
  Lanes lanes;
  lanes.per_repeat = per_repeat;
  lanes.last = per_repeat;
  lanes.repeats = instruction.repeat;
  switch (instruction.form) {
    case ACLSIM_COUNT:
      lanes.flat = true;
      count_lanes(lanes,
                  instruction.count <= 0 ? 0 : static_cast<std::uint64_t>(instruction.count));
      return lanes;
    case ACLSIM_MASK_N:
      if (state.counter) {
        count_lanes(lanes, instruction.mask[0]);
      } else {
        first_lanes(lanes, std::min<std::uint64_t>(instruction.mask[0], per_repeat));
      }
      break;
    case ACLSIM_MASK_BITS:
    case ACLSIM_MASK_KEPT: {
      const std::uint64_t* mask =
          instruction.form == ACLSIM_MASK_BITS ? instruction.mask : state.mask;
      if (state.counter) {
        count_lanes(lanes, mask[0]);
      } else {
        lanes_of_bits(lanes, mask[0], mask[1]);
      }
      break;
    }
    default:
      first_lanes(lanes, per_repeat);
  }
  if ((lanes.mask[0] | lanes.mask[1] | lanes.mask[2] | lanes.mask[3]) == 0) lanes.repeats = 0;
  return lanes;
}

Lanes whole(Lanes lanes) {
  first_lanes(lanes, lanes.per_repeat);
  lanes.last = lanes.per_repeat;
  return lanes;
}

View view_of(const aclsimInstruction& instruction, unsigned operand, const Lanes& lanes,
             std::uint8_t access) {
  const aclsimOperand& at = instruction.operand[operand];
  View view;
  view.base = static_cast<std::uint8_t*>(at.address);
  view.bits = element_bits(at.element);
  view.per_block = view.bits == 0 ? 1 : 256 / view.bits;
  view.operand = static_cast<std::uint8_t>(operand);
  view.access = access;
  if (lanes.flat) {
    view.block = kBlock;
    view.repeat = std::uint64_t{lanes.per_repeat} * view.bits / 8;
  } else {
    view.block = at.block_stride * kBlock;
    view.repeat = at.repeat_stride * kBlock;
  }
  return view;
}

bool contiguous(const Lanes& lanes, const View* views, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t bytes = std::uint64_t{lanes.per_repeat} * views[i].bits / 8;
    if (!views[i].packed() && bytes > kBlock) return false;
    if (views[i].repeat != bytes && lanes.repeats > 1) return false;
  }
  return true;
}

unsigned segments_of(const Lanes& lanes, const View* views, unsigned count, unsigned limit,
                     Segment* segments) {
  unsigned step = kMostLanes;  // where segments end at the latest: blocks that do not follow
  for (unsigned i = 0; i < count; ++i) {
    if (!views[i].packed()) step = std::min(step, views[i].per_block);
  }
  unsigned number = 0;
  unsigned lane = 0;
  while (lane < limit) {
    if (!lanes.has(lane)) {
      const std::uint64_t rest = lanes.mask[lane / 64] >> lane % 64;
      lane = rest == 0 ? (lane / 64 + 1) * 64 : lane + static_cast<unsigned>(__builtin_ctzll(rest));
      continue;
    }
    const unsigned end = std::min(limit, (lane / step + 1) * step);
    unsigned stop = lane + 1;
    while (stop < end && lanes.has(stop)) ++stop;
    segments[number++] = {lane, stop - lane};
    lane = stop;
  }
  return number;
}

void touch_view(const Lanes& lanes, const View& view, std::vector<Touch>& touches) {
  if (lanes.none()) return;
  const auto address = reinterpret_cast<std::uintptr_t>(view.base);
  const auto bytes = [&view](std::uint64_t number) { return (number * view.bits + 7) / 8; };
  if (lanes.all && contiguous(lanes, &view, 1)) {
    touches.push_back({view.operand, view.access, address, bytes(lanes.span()), 0, 1});
    return;
  }
  Segment segments[kMostLanes];
  const auto touch = [&](unsigned limit, std::uint64_t first, std::uint64_t times) {
    const unsigned number = segments_of(lanes, &view, 1, limit, segments);
    if (view.repeat == 0) times = std::min<std::uint64_t>(times, 1);
    for (unsigned s = 0; s < number && times != 0; ++s) {
      const std::uintptr_t at = address + first * view.repeat + view.offset(segments[s].lane);
      touches.push_back(
          {view.operand, view.access, at, bytes(segments[s].lanes), view.repeat, times});
    }
  };
  const bool tail = lanes.last < lanes.per_repeat;
  touch(lanes.per_repeat, 0, lanes.repeats - (tail ? 1 : 0));
  if (tail) touch(lanes.last, lanes.repeats - 1, 1);
}

}  // namespace ascendc::vector
