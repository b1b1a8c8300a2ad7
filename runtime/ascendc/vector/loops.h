// SPDX-License-Identifier: Apache-2.0
// The loops over runs of lanes: one function per instruction and type.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ascendc::vector {

/// The parameters of a loop beside its addresses.
struct Setting {
  std::uint64_t scalar = 0;  // bits
  std::int32_t mode = 0;
  bool saturate = false;           // half and bfloat16: infinities become the largest number, NaN 0
  bool keep_nan = false;           // with `saturate`: NaN stays NaN in numbers of 8 bits
  bool saturate_integers = false;  // instead of keeping the low bits
  std::uint64_t position = 0;      // of the first lane
  float deq = 1;                   // the scale of conversions from int32_t to half
  const float* deq_scale = nullptr;  // of CastDequant: 16 of each, lane modulo 16
  const std::int16_t* deq_offset = nullptr;
};

/// `at`: the operands in the order of the row. Lanes of one operand are contiguous. Destinations
/// and sources are the same or do not overlap, else the lanes are computed in order.
using Loop = void (*)(std::uint8_t* const* at, std::size_t lanes, const Setting& setting);

/// Loops of a unit's own, beside the opcodes.
enum InnerLoop : std::uint16_t {
  kCompareLT = 512,   // bytes 0 or 1 from two sources; the following five in the order of CMPMODE
  kCompareSLT = 520,  // the same with a scalar
  kSelect = 528,      // at: dst, bytes, src0, src1
  kSelectS = 529,     // at: dst, bytes, src0; the scalar where the byte is 0
  kShiftRightRounded = 532,
  kSubsFrom = 533,  // scalar - source
  kDivsInto = 534,
};

/// nullptr: no such loop. `src`: the element type of the sources, if it can differ.
Loop find_loop(std::uint16_t opcode, std::uint8_t dst, std::uint8_t src);

namespace narrow {
/// Conversions with types of 8 and 4 bits other than integers; nullptr: no such types.
Loop find_cast(std::uint8_t dst, std::uint8_t src);
}  // namespace narrow
namespace plain {
Loop find(std::uint16_t opcode, std::uint8_t dst, std::uint8_t src);
}
namespace avx2 {
Loop find(std::uint16_t opcode, std::uint8_t dst, std::uint8_t src);
}

}  // namespace ascendc::vector
