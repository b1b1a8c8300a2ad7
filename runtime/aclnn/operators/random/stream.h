// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace aclnn {

/// The random numbers of a seed and an offset: word i is the same for every caller, so parts can be
/// made in any order. Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers:
/// as easy as 1, 2, 3", SC11), with the offset in the upper half of the counter.
class RandomWords {
 public:
  RandomWords(std::uint64_t seed, std::uint64_t offset) : seed_(seed), offset_(offset) {}

  /// `count` words from number `first` on.
  void fill(std::uint32_t* to, std::int64_t first, std::int64_t count) const {
    std::array<std::uint32_t, 4> block{};
    for (std::int64_t i = 0; i < count; ++i) {
      const auto place = static_cast<std::uint64_t>(first + i);
      if (i == 0 || place % 4 == 0) block = made(place / 4);
      to[i] = block[place % 4];
    }
  }
  /// Two words as one.
  std::uint64_t wide(std::int64_t number) const {
    std::uint32_t words[2];
    fill(words, 2 * number, 2);
    return std::uint64_t{words[0]} << 32 | words[1];
  }

 private:
  std::array<std::uint32_t, 4> made(std::uint64_t counter) const {
    std::array<std::uint32_t, 4> x{
        static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32),
        static_cast<std::uint32_t>(offset_), static_cast<std::uint32_t>(offset_ >> 32)};
    auto key0 = static_cast<std::uint32_t>(seed_), key1 = static_cast<std::uint32_t>(seed_ >> 32);
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t a = std::uint64_t{0xD2511F53} * x[0];
      const std::uint64_t b = std::uint64_t{0xCD9E8D57} * x[2];
      x = {static_cast<std::uint32_t>(b >> 32) ^ x[1] ^ key0, static_cast<std::uint32_t>(b),
           static_cast<std::uint32_t>(a >> 32) ^ x[3] ^ key1, static_cast<std::uint32_t>(a)};
      key0 += 0x9E3779B9;
      key1 += 0xBB67AE85;
    }
    return x;
  }

  std::uint64_t seed_, offset_;
};

/// In [0, 1), of two words.
inline double unit_of(std::uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }

}  // namespace aclnn
