// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace fabric {

using Digest = std::array<std::byte, 32>;

/// SHA-256 (FIPS 180-4), and the keyed hash that is made of it (RFC 2104). For connections that
/// prove what they belong to; not written to withstand whoever measures time.
Digest sha256(std::span<const std::byte> message);
Digest hmac_sha256(std::span<const std::byte> key, std::span<const std::byte> message);

/// Takes as long whatever the digests are.
bool same(const Digest& a, const Digest& b) noexcept;

}  // namespace fabric
