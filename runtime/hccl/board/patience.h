// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace hccl {

/// How often a rank looks for its peers before it sleeps: to sleep and be woken through another
/// process takes as long as hundreds of looks, and who is woken so comes late itself.
struct Patience {
  int quick = 0;   // looks at first, without a pause between them
  int giving = 0;  // further looks, before each of which another thread may have the processor

  /// `here`: ranks of this process. Where ranks share processors, the others come no sooner than
  /// this one gives way. Those of one process may need this very thread.
  static constexpr Patience on_host(std::uint32_t ranks, std::uint32_t here,
                                    std::uint32_t processors) noexcept {
    if (here == ranks) return {0, 0};
    return {ranks > processors ? 0 : 30, here > 1 ? 20 : 400};
  }
  /// Each look looks at the network.
  static constexpr Patience between_hosts() noexcept { return {120, 0}; }
};

}  // namespace hccl
