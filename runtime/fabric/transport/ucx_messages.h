// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fabric {

/// Kinds of messages between processes, as UCX numbers them.
inline constexpr unsigned kOrders = 0x41;  // the name of the sender's way, and each Order
inline constexpr unsigned kAnswer = 0x42;  // a number and a value
inline constexpr unsigned kPut = 0x43;     // a large put, by rendezvous

/// What stands before its bytes.
struct PutHeader {
  std::uint64_t way = 0;     // of the sender
  std::uint64_t key = 0;     // of the memory
  std::uint64_t offset = 0;  // in it
};

}  // namespace fabric
