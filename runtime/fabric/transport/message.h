// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "runtime/fabric/base/bytes.h"
#include "runtime/fabric/transport/transport.h"

namespace fabric {

/// One thing that a message asks of its receiver. Both sides have the same byte order, as UCX
/// wants.
struct Order {
  enum class Kind : std::uint32_t { put, atomic, notify, ping, wake };
  Kind kind = Kind::put;
  std::uint32_t bytes = 0;   // that follow, of a put
  std::uint64_t key = 0;     // of the memory
  std::uint64_t offset = 0;  // in it
  Atomic what{};
  std::uint64_t answer = 0;  // the number under which the sender expects an answer; 0: none
};

/// Appends an order, and the bytes of a put.
void append(Bytes& message, const Order& order, std::span<const std::byte> bytes = {});

/// Memory by its key; an empty span where there is none.
using FindMemory = std::function<std::span<std::byte>(std::uint64_t key)>;
/// Told of each answer that the sender expects.
using Answer = std::function<void(std::uint64_t number, std::uint64_t value)>;

/// Does what the message asks, in its order. What does not lie inside memory is left out. True:
/// there was a notify or a wake.
bool obey(std::span<const std::byte> message, const FindMemory& find, const Answer& answer);

}  // namespace fabric
