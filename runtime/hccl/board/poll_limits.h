// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace hccl {

/// How often a rank polls for its peers on its host before it sleeps. To sleep and to be woken by
/// another process takes as long as hundreds of polls, and then the rank itself is late for its
/// peers.
struct PollLimits {
  int quick = 0;     // polls without a pause between them
  int yielding = 0;  // further polls, each after yielding other threads the processor

  /// `here`: the number of ranks in this process. If ranks share processors, the peers make
  /// progress only while this rank yields. Ranks of one process may need the calling thread itself.
  static constexpr PollLimits on_host(std::uint32_t ranks, std::uint32_t here,
                                      std::uint32_t processors) noexcept {
    if (here == ranks) return {0, 0};
    return {ranks > processors ? 0 : 60, here > 1 ? 20 : 400};
  }
};

/// Detects that ranks share a processor although each could have one of its own: nearly all waits
/// of this rank end only while it yields. Threads that yield to each other again and again all
/// count as running, so the system moves none of them to an idle processor. It does so once a
/// thread runs for longer than a tick. Any thread.
class Sharing {
 public:
  static constexpr int kPolls = 100'000;  // these polls take some milliseconds

  /// Records a wait that has ended.
  void waited(bool gave_way) noexcept {
    const int sum = sum_.load(std::memory_order_relaxed) + (gave_way ? 1 : -kAlone);
    sum_.store(std::max(sum, 0), std::memory_order_relaxed);
  }
  /// Returns true if the next wait should poll for that long without yielding. The answer becomes
  /// rarer with each time, as there may be no other processor.
  bool should_poll_longer() noexcept {
    const int limit = limit_.load(std::memory_order_relaxed);
    if (sum_.load(std::memory_order_relaxed) < limit) return false;
    sum_.store(0, std::memory_order_relaxed);
    limit_.store(std::min(2 * limit, kMost), std::memory_order_relaxed);
    return true;
  }

 private:
  static constexpr int kAlone = 8;  // weight of a wait in which the peer ran on another processor
  static constexpr int kFirst = 16;
  static constexpr int kMost = 4096;
  std::atomic<int> sum_{0};
  std::atomic<int> limit_{kFirst};
};

}  // namespace hccl
