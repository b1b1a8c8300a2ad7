// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fabric {

/// Kinds of messages between processes, by their UCX numbers.
inline constexpr unsigned kRequests = 0x41;  // each Request
inline constexpr unsigned kAnswer = 0x42;    // a number and a value
inline constexpr unsigned kPut = 0x43;       // a chunk of a large put, after its header

/// The header of a chunk. The last chunk carries further requests, which are executed after it.
struct PutHeader {
  std::uint64_t key = 0;     // of the memory
  std::uint64_t offset = 0;  // in it
};

}  // namespace fabric
