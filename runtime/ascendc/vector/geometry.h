// SPDX-License-Identifier: Apache-2.0
// From the forms of instructions to lanes, and from lanes to bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "ascendc/impl/instruction.h"
#include "runtime/ascendc/vector/unit.h"

namespace ascendc::vector {

constexpr std::uint64_t kBlock = 32;  // bytes
constexpr std::uint64_t kRepeat = 8 * kBlock;
constexpr unsigned kMostLanes = 256;  // of a repeat, with elements of one byte

/// The lanes of an instruction: the lanes of `mask` in each of `repeats` repeats, in the last
/// repeat only lanes below `last`.
struct Lanes {
  unsigned per_repeat = 0;
  unsigned last = 0;
  std::uint64_t repeats = 0;
  bool all = false;   // the mask has every lane
  bool flat = false;  // count form: strides do not matter
  std::uint64_t mask[4] = {};

  bool none() const { return repeats == 0; }
  bool has(unsigned lane) const { return (mask[lane / 64] >> lane % 64 & 1U) != 0; }
  /// Lanes from the first repeat's first to the last one's last.
  std::uint64_t span() const { return repeats == 0 ? 0 : (repeats - 1) * per_repeat + last; }
};

/// `per_repeat`: lanes of a repeat, 256 bytes divided by the size of the widest element.
Lanes lanes_of(const aclsimInstruction& instruction, const State& state, unsigned per_repeat);
/// The same lanes, but all of the last repeat too, and no mask.
Lanes whole(Lanes lanes);

/// The mapping of lanes to the elements of an operand.
struct View {
  std::uint8_t* base = nullptr;
  unsigned bits = 0;         // of an element
  unsigned per_block = 0;    // lanes in a block of 32 bytes
  std::uint64_t block = 0;   // bytes from a block of 32 bytes to the next
  std::uint64_t repeat = 0;  // bytes from a repeat to the next
  std::uint8_t operand = 0;
  std::uint8_t access = 0;

  bool packed() const { return block == kBlock && per_block * bits == 256; }
  std::uint64_t offset(unsigned lane) const {
    return lane / per_block * block + static_cast<std::uint64_t>(lane % per_block) * bits / 8;
  }
};

View view_of(const aclsimInstruction& instruction, unsigned operand, const Lanes& lanes,
             std::uint8_t access);

/// Lanes that are contiguous in all views.
struct Segment {
  unsigned lane;
  unsigned lanes;
};

/// The runs of one repeat. `limit`: lanes at and above it are left out.
unsigned segments_of(const Lanes& lanes, const View* views, unsigned count, unsigned limit,
                     Segment* segments);

bool contiguous(const Lanes& lanes, const View* views, unsigned count);

/// Calls run(addresses, lanes, position) for each run, in order; addresses: one per view; position:
/// the index of the first lane among the lanes of all repeats.
template <typename Execution>
void each_run(const Lanes& lanes, const View* views, unsigned count, Execution&& run) {
  if (lanes.none()) return;
  std::uint8_t* at[ACLSIM_MAX_OPERANDS] = {};
  if (lanes.all && contiguous(lanes, views, count)) {
    for (unsigned i = 0; i < count; ++i) at[i] = views[i].base;
    run(static_cast<std::uint8_t* const*>(at), lanes.span(), std::uint64_t{0});
    return;
  }
  Segment segments[kMostLanes];
  unsigned number = segments_of(lanes, views, count, lanes.per_repeat, segments);
  for (std::uint64_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    if (repeat + 1 == lanes.repeats && lanes.last < lanes.per_repeat) {
      number = segments_of(lanes, views, count, lanes.last, segments);
    }
    for (unsigned s = 0; s < number; ++s) {
      for (unsigned i = 0; i < count; ++i) {
        at[i] = views[i].base + repeat * views[i].repeat + views[i].offset(segments[s].lane);
      }
      run(static_cast<std::uint8_t* const*>(at), std::uint64_t{segments[s].lanes},
          repeat * lanes.per_repeat + segments[s].lane);
    }
  }
}

/// Appends the byte ranges that a view's lanes access, merged as far as possible.
void touch_view(const Lanes& lanes, const View& view, std::vector<Touch>& touches);

/// One stretch of an operand.
inline void touch_bytes(const aclsimInstruction& instruction, unsigned operand, std::uint8_t access,
                        std::uint64_t offset, std::uint64_t bytes, std::vector<Touch>& touches,
                        std::uint64_t stride = 0, std::uint64_t times = 1) {
  if (bytes == 0 || times == 0) return;
  const auto base = reinterpret_cast<std::uintptr_t>(instruction.operand[operand].address);
  touches.push_back(
      {static_cast<std::uint8_t>(operand), access, base + offset, bytes, stride, times});
}

}  // namespace ascendc::vector
