// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace order {

/// Ops of a stream without accesses, which the order checker only has to count. The thread that has
/// the pass counts them here, without the checker's lock. Anything else that the stream or the
/// thread reports to the checker takes the pass away first.
class BatchedOps {
 public:
  /// `state`: a word that the stream carries for it, 0 at first.
  explicit BatchedOps(std::atomic<std::uint64_t>& state) noexcept : state_(state) {}

  /// Counts one op. False: the pass is not the thread's, or has been taken away.
  bool count(std::uint32_t pass) noexcept {
    std::uint64_t now = state_.load(std::memory_order_relaxed);
    while (pass != 0 && now >> 32 == pass && static_cast<std::uint32_t>(now) != kMost) {
      if (state_.compare_exchange_weak(now, now + 1, std::memory_order_relaxed)) return true;
    }
    return false;
  }

  // With the checker's lock held.
  /// `pass`: a number that no other thread has, and this one had never before.
  void give(std::uint32_t pass) noexcept {
    state_.store(std::uint64_t{pass} << 32, std::memory_order_relaxed);
  }
  /// Takes the pass away; returns how many have been counted.
  std::uint32_t take() noexcept {
    if (state_.load(std::memory_order_relaxed) == 0) [[likely]]
      return 0;
    return static_cast<std::uint32_t>(state_.exchange(0, std::memory_order_relaxed));
  }

 private:
  static constexpr std::uint32_t kMost = 1U << 30;

  std::atomic<std::uint64_t>& state_;  // the pass, and the count
};

}  // namespace order
