// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace acl {

/// The counter-based generator Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers:
/// as easy as 1, 2, 3", SC11). Each value of the 128-bit counter gives four words.
class Philox {
 public:
  using Block = std::array<std::uint32_t, 4>;

  struct Counter {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    Counter advanced(std::uint64_t blocks) const noexcept {
      const std::uint64_t sum = low + blocks;
      return {sum, high + (sum < low ? 1 : 0)};
    }
  };

  static Block block(std::uint64_t key, Counter counter) noexcept {
    Block x{static_cast<std::uint32_t>(counter.low), static_cast<std::uint32_t>(counter.low >> 32),
            static_cast<std::uint32_t>(counter.high),
            static_cast<std::uint32_t>(counter.high >> 32)};
    auto k0 = static_cast<std::uint32_t>(key);
    auto k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t a = std::uint64_t{0xD2511F53} * x[0];
      const std::uint64_t b = std::uint64_t{0xCD9E8D57} * x[2];
      x = {static_cast<std::uint32_t>(b >> 32) ^ x[1] ^ k0, static_cast<std::uint32_t>(b),
           static_cast<std::uint32_t>(a >> 32) ^ x[3] ^ k1, static_cast<std::uint32_t>(a)};
      k0 += 0x9E3779B9;
      k1 += 0xBB67AE85;
    }
    return x;
  }
};

}  // namespace acl
