// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "runtime/hccl/board/call.h"

namespace hccl {

/// What a rank stands in that has waited for long, and of whom it waits: an arc of the graph that
/// tells whether ranks wait for each other for ever.
///
/// A rank is at rest while nothing but what others do lets it do anything in the communicator: its
/// host threads wait for its operations, or have destroyed the communicator, and of its streams
/// each has such an operation in front. Each time that it comes to rest, and each time that an
/// operation has done something since, is an epoch of its own.
struct Standing {
  /// It does nothing before that rank does something that comes behind the beginning of that epoch.
  struct Awaited {
    std::int32_t rank = -1;
    std::uint32_t epoch = 0;  // 0: the rank was not at rest when this one looked
  };
  static constexpr std::size_t kMost = 16;
  std::uint32_t epoch = 0;  // 0: the rank is not at rest
  std::uint32_t count = 0;  // of `awaited`; it waits for all of them
  std::array<Awaited, kMost> awaited{};
  CalledAt at{};
};

}  // namespace hccl
