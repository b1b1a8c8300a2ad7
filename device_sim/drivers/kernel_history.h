// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "device_sim/base/clock.h"

namespace sim {

/// Remembers which kernel functions have returned quickly in their recent runs: a host thread that
/// must return soon runs only these. Also remembers which of these are worth another thread. If
/// threads add entries at the same time, an entry may be lost, which does no harm.
class KernelHistory {
 public:
  static constexpr Nanoseconds kQuickNs = 1'000'000;  // a caller does not notice this delay
  static constexpr unsigned kRunsToTrust = 8;         // in succession
  static constexpr Nanoseconds kPaysNs = 50'000;      // about the time to wake another thread

  bool trusts(const void* function) const noexcept {
    return (noted(function) & kCountMask) >= kRunsToTrust;
  }
  /// Whether it pays to wake another thread for it: it took so long when it was last timed, or is
  /// not trusted.
  bool pays_a_thread(const void* function) const noexcept {
    const std::uint64_t word = noted(function);
    return (word & kCountMask) < kRunsToTrust || (word & kPaysBit) != 0;
  }

  void note(const void* function, Nanoseconds took) noexcept {
    std::atomic<std::uint64_t>& entry = find(function);
    const std::uint64_t word = entry.load(std::memory_order_relaxed);
    std::uint64_t runs = names(word, function) ? word & kCountMask : 0;
    if (took >= kQuickNs) {
      runs = 0;
    } else if (runs < kRunsToTrust) {
      ++runs;
    }
    entry.store(key(function) | (took >= kPaysNs ? kPaysBit : 0) | runs, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kEntries = 1024;
  static constexpr std::size_t kProbes = 4;
  static constexpr std::uint64_t kCountMask = 0xff;
  static constexpr std::uint64_t kPaysBit = 0x100;
  static constexpr std::uint64_t kNoteMask = 0xffff;

  // The entry of the function, in the low bits; 0 if it has none.
  std::uint64_t noted(const void* function) const noexcept {
    for (std::size_t i = 0; i < kProbes; ++i) {
      const std::uint64_t word = at(function, i).load(std::memory_order_relaxed);
      if (names(word, function)) return word & kNoteMask;
    }
    return 0;
  }

  // An address has 48 bits.
  static std::uint64_t key(const void* function) noexcept {
    return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(function)) << 16;
  }
  static bool names(std::uint64_t word, const void* function) noexcept {
    return (word & ~kNoteMask) == key(function);
  }
  static std::size_t index(const void* function, std::size_t probe) noexcept {
    const std::uint64_t mixed = key(function) * 0x9e3779b97f4a7c15u;
    return ((mixed >> 48) + probe) % kEntries;
  }
  const std::atomic<std::uint64_t>& at(const void* function, std::size_t probe) const noexcept {
    return entries_[index(function, probe)];
  }
  // Its own entry, or else a free one, or else another's.
  std::atomic<std::uint64_t>& find(const void* function) noexcept {
    for (std::size_t i = 0; i < kProbes; ++i) {
      std::atomic<std::uint64_t>& entry = entries_[index(function, i)];
      const std::uint64_t word = entry.load(std::memory_order_relaxed);
      if (word == 0 || names(word, function)) return entry;
    }
    return entries_[index(function, 0)];
  }

  std::array<std::atomic<std::uint64_t>, kEntries> entries_{};
};

}  // namespace sim
