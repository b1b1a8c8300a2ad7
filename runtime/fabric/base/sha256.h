// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace fabric {

using Digest = std::array<std::byte, 32>;

/// SHA-256 (FIPS 180-4) and the keyed hash HMAC (RFC 2104). Both ends of a connection use them to
/// prove their identity. The implementation is not hardened against timing attacks.
Digest sha256(std::span<const std::byte> message);
Digest hmac_sha256(std::span<const std::byte> key, std::span<const std::byte> message);

/// Compares in constant time.
bool same(const Digest& a, const Digest& b) noexcept;

}  // namespace fabric
