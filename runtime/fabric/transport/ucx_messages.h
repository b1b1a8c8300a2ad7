// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fabric {

/// Kinds of messages between processes, as UCX numbers them.
inline constexpr unsigned kOrders = 0x41;  // each Order
inline constexpr unsigned kAnswer = 0x42;  // a number and a value
inline constexpr unsigned kPut = 0x43;     // a piece of a large put, its header in front

/// In front of a piece; with the last come orders that are to be obeyed behind it.
struct PutHeader {
  std::uint64_t key = 0;     // of the memory
  std::uint64_t offset = 0;  // in it
};

}  // namespace fabric
