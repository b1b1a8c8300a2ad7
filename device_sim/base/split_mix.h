// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sim {

/// SplitMix64's output for one state. Makes well-spread numbers of consecutive ones, for seeds and
/// for keys that combine several numbers. The values are the same on every machine.
constexpr std::uint64_t split_mix(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

static_assert(split_mix(0) == 0xe220a8397b1dcdafU);  // as published

}  // namespace sim
