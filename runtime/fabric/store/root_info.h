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

/// The few bytes that one rank makes and a program carries to the others, over MPI, in a file or
/// however it likes: which communicator, and where its store is.
struct RootInfo {
  static constexpr std::size_t kMostBytes = 256;
  static constexpr std::size_t kMostAddresses = 8;

  Identity::Nonce nonce{};
  std::uint16_t port = 0;
  std::vector<std::string> addresses{};  // numeric

  /// At most kMostBytes; further addresses are left out.
  Bytes pack() const;
  /// From a buffer that may be longer. Throws FabricError: invalid for what is no root info or is
  /// damaged, refused for another version.
  static RootInfo unpack(std::span<const std::byte> bytes);
};

/// The numeric addresses of this host's interfaces that are up; loopback and those of containers'
/// bridges come last.
std::vector<std::string> host_addresses();

}  // namespace fabric
