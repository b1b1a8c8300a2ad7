// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace hccl {

/// How often a rank looks for its peers on its host before it sleeps: to sleep and be woken through
/// another process takes as long as hundreds of looks, and who is woken so comes late itself.
struct Patience {
  int quick = 0;   // looks at first, without a pause between them
  int giving = 0;  // further looks, before each of which another thread may have the processor

  /// `here`: ranks of this process. Where ranks share processors, the others come no sooner than
  /// this one gives way. Those of one process may need this very thread.
  static constexpr Patience on_host(std::uint32_t ranks, std::uint32_t here,
                                    std::uint32_t processors) noexcept {
    if (here == ranks) return {0, 0};
    return {ranks > processors ? 0 : 60, here > 1 ? 20 : 400};
  }
};

/// Tells when ranks that could have a processor each share one: nearly all waits of this rank end
/// only where it gives way. Threads that give way to each other again and again count as running
/// everywhere, and the system moves none of them to an idle processor. It does so once one goes on
/// for longer than a tick. Any thread.
class Sharing {
 public:
  static constexpr int kLooks = 100'000;  // take some milliseconds

  /// A wait is over.
  void waited(bool gave_way) noexcept {
    const int sum = sum_.load(std::memory_order_relaxed) + (gave_way ? 1 : -kAlone);
    sum_.store(std::max(sum, 0), std::memory_order_relaxed);
  }
  /// The next wait shall last that long without giving way. Asked again, that is so ever more
  /// seldom: there may be no other processor.
  bool shall_go_on() noexcept {
    const int limit = limit_.load(std::memory_order_relaxed);
    if (sum_.load(std::memory_order_relaxed) < limit) return false;
    sum_.store(0, std::memory_order_relaxed);
    limit_.store(std::min(2 * limit, kMost), std::memory_order_relaxed);
    return true;
  }

 private:
  static constexpr int kAlone =
      8;  // so much more a wait counts that shows a peer that runs elsewhere
  static constexpr int kFirst = 16;
  static constexpr int kMost = 4096;
  std::atomic<int> sum_{0};
  std::atomic<int> limit_{kFirst};
};

}  // namespace hccl
