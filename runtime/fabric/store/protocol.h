// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "runtime/fabric/base/bytes.h"
#include "runtime/fabric/base/identity.h"
#include "runtime/fabric/store/calls.h"
#include "runtime/fabric/store/connection.h"
#include "runtime/fabric/store/hub.h"

namespace fabric {

/// Messages between a store and its ranks. The store sends a challenge; the rank proves the
/// identity and sends a challenge in turn; the store answers with its proof. Then the rank joins,
/// and calls follow.
enum class MessageType : std::uint8_t {
  // sent by the store
  challenge = 1,  // 32 bytes
  welcome,        // the store's proof
  refused,        // text; the connection ends
  joined,
  reply,
  departure,
  over,  // text: this rank has left the store, and may look for the next one; the connection ends
  // sent by a rank
  hello = 64,  // the rank's proof, its challenge
  join,        // rank, number of ranks (0: not known), description
  set,
  add,
  remove,
  get,
  cancel,  // carries the call number of the get
  leave,   // the store replies
  give_up,
  exchange,  // sets keys, then gets keys
};

using Challenge = std::array<std::byte, 32>;

template <class Body>
Frame frame(MessageType type, std::uint64_t call, Body&& body) {
  return {static_cast<std::uint8_t>(type), call, std::forward<Body>(body)};
}
inline Frame frame(MessageType type) { return {static_cast<std::uint8_t>(type), 0, {}}; }

Bytes pack(const Reply& reply);
Reply unpack_reply(std::span<const std::byte> bytes);
Bytes pack(const Departure& departure);
Departure unpack_departure(std::span<const std::byte> bytes);
Bytes pack(const std::vector<std::string>& keys);
std::vector<std::string> unpack_keys(Reader& reader);

/// The maximum size of a frame: one value and the keys of all ranks.
inline constexpr std::size_t kMostFrame = kMostValue + (std::size_t{1} << 20);

}  // namespace fabric
