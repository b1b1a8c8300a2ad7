// SPDX-License-Identifier: Apache-2.0
// Numbers from a seed, the same in every language: SplitMix64 of seed and index.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include <acl/acl.h>

inline uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Number `index` of stream `seed`, in [-1, 1).
inline float number(uint64_t seed, uint64_t index) {
  return static_cast<float>(mixed(mixed(seed) + index) >> 40) * (2.0F / 16777216.0F) - 1.0F;
}

inline uint16_t half_of(float value) { return aclFloatToFloat16(value); }

inline std::vector<uint16_t> halves(uint64_t seed, int64_t count, float scale,
                                    float offset = 0.0F) {
  std::vector<uint16_t> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i) values[i] = half_of(offset + scale * number(seed, i));
  return values;
}

inline std::vector<int8_t> bytes(uint64_t seed, int64_t count) {
  std::vector<int8_t> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<int8_t>(number(seed, i) * 127.0F);
  return values;
}
