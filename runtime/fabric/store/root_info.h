// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/fabric/base/bytes.h"
#include "runtime/fabric/base/identity.h"

namespace fabric {

/// The identity of a communicator and the addresses of its store. One rank makes it, and the
/// program carries it to the others (MPI, a file, ...).
struct RootInfo {
  static constexpr std::size_t kMostBytes = 256;
  static constexpr std::size_t kMostAddresses = 8;

  Identity::Nonce nonce{};
  std::uint16_t port = 0;
  std::vector<std::string> addresses{};  // numeric

  /// At most kMostBytes. Addresses that do not fit are left out.
  Bytes pack() const;
  /// `buffer` may be longer. Throws FabricError: invalid if the content is not root info or is
  /// damaged, refused for another version.
  static RootInfo unpack(std::span<const std::byte> bytes);
};

/// The numeric addresses of this host's active interfaces. Loopback and bridges of containers come
/// last.
std::vector<std::string> host_addresses();

}  // namespace fabric
