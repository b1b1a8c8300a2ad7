// SPDX-License-Identifier: Apache-2.0
// Elements of half a byte beside elements of two bytes: two in a byte, the first in the low bits.
#pragma once

#include "tests/ascendc/forms.h"

namespace forms {

inline int nibble_at(const Bytes& bytes, std::size_t i) {
  const int bits = bytes.at(i / 2) >> (i % 2 * 4) & 0xf;
  return bits < 8 ? bits : bits - 16;
}
inline void put_nibble(Bytes& bytes, std::size_t i, int value) {
  std::uint8_t& byte = bytes.at(i / 2);
  byte = static_cast<std::uint8_t>(i % 2 == 0 ? (byte & 0xf0) | (value & 0xf)
                                              : (byte & 0x0f) | (value & 0xf) << 4);
}

inline constexpr unsigned kPerRepeat = 128;  // the wider type has two bytes
inline constexpr unsigned kPerBlock = 64;

/// The number of the nibble of a lane, from the begin of an operand.
inline std::size_t nibble_of(const Lanes& lanes, unsigned operand, unsigned repeat, unsigned lane) {
  if (lanes.form == Form::count) return std::size_t{repeat} * kPerRepeat + lane;
  const BlockStride stride =
      lanes.apart ? stride_of(lanes, operand, kPerRepeat, type<half>()) : BlockStride{1, 2};
  return (std::size_t{repeat} * stride.repeat + lane / kPerBlock * stride.block) * kPerBlock +
         lane % kPerBlock;
}
template <bool to_nibbles>
UnaryRepeatParams nibble_params(const Lanes& lanes) {
  const auto of = [&](unsigned operand, bool nibbles) {
    return lanes.apart || !nibbles ? stride_of(lanes, operand, kPerRepeat, type<half>())
                                   : BlockStride{1, 2};
  };
  const BlockStride d = of(0, to_nibbles), s = of(1, !to_nibbles);
  return {d.block, s.block, d.repeat, s.repeat};
}

/// Whole bytes: if only one half of a byte is on, the other half is unspecified.
inline std::vector<Lanes> lanes_of_pairs() {
  std::vector<Lanes> all = all_lanes(kPerRepeat);
  for (Lanes& lanes : all) {
    lanes.count = lanes.count / 2 * 2;
    if (lanes.form == Form::mask_n)
      lanes.mask[0] = lanes.mask[0] / 2 * 2;
    else
      for (std::uint64_t& mask : lanes.mask) mask = (mask & 0x5555555555555555U) * 3;
  }
  return all;
}

}  // namespace forms
