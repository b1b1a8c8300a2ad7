// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "runtime/hccl/board/call.h"

namespace hccl {

/// The state that a rank publishes for deadlock detection after it has waited for long: the ranks
/// that it waits for, which are its edges in the wait-for graph.
///
/// A rank is at rest while only other ranks can let it continue in the communicator: its host
/// threads wait for its operations or have destroyed the communicator, and at the head of each of
/// its streams is an operation that waits for other ranks. An epoch begins each time that the rank
/// comes to rest, and each time that one of its operations has made progress.
struct WaitState {
  /// The rank makes no progress before `rank` does something after the beginning of `epoch`.
  struct Awaited {
    std::int32_t rank = -1;
    std::uint32_t epoch = 0;  // 0: `rank` was not at rest when this rank read its state
  };
  static constexpr std::size_t kMost = 16;
  std::uint32_t epoch = 0;  // 0: the rank is not at rest
  std::uint32_t count = 0;  // number of `awaited`; it waits for all of them
  std::array<Awaited, kMost> awaited{};
  CalledAt at{};
};

}  // namespace hccl
