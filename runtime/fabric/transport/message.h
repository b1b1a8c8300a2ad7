// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "runtime/fabric/base/bytes.h"
#include "runtime/fabric/transport/transport.h"

namespace fabric {

/// One request in a message to another process. Both sides have the same byte order, which UCX
/// requires as well.
struct Request {
  enum class Kind : std::uint32_t { put, atomic, notify, ping, wake };
  Kind kind = Kind::put;
  std::uint32_t bytes = 0;   // number of bytes that follow a put
  std::uint64_t key = 0;     // of the memory
  std::uint64_t offset = 0;  // in it
  Atomic what{};
  std::uint64_t answer = 0;  // the number of the reply that the sender expects; 0: none
};

/// Appends a request, and the bytes of a put.
void append(Bytes& message, const Request& request, std::span<const std::byte> bytes = {});

/// Returns the memory of a key, or an empty span if the key is unknown.
using FindMemory = std::function<std::span<std::byte>(std::uint64_t key)>;
/// Called for each reply that the sender expects.
using Answer = std::function<void(std::uint64_t number, std::uint64_t value)>;

/// Executes the requests of the message in their order. Skips requests that are outside the
/// memory. Returns true if one was a notify or a wake.
bool execute(std::span<const std::byte> message, const FindMemory& find, const Answer& answer);

}  // namespace fabric
