// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "runtime/fabric/base/sha256.h"

namespace fabric {

/// So many random bytes of the system.
void fill_random(std::span<std::byte> bytes);
/// Not 0.
std::uint64_t random_number();

/// What makes ranks one communicator: a number drawn for it (root info), or the hash of what all of
/// them were given (rank table), together with the job's secret where there is one. Who connects
/// proves that it knows this and never sends it.
class Identity {
 public:
  using Nonce = std::array<std::byte, 32>;

  static Nonce draw_nonce();
  /// `secret`: ACLSIM_JOB_SECRET; empty: none.
  Identity(const Nonce& nonce, std::string_view secret);
  /// Of whatever all ranks were given, say a rank table.
  static Nonce nonce_of(std::span<const std::byte> common);

  /// What `who` answers to a challenge.
  enum class Side : unsigned char { store, rank };
  Digest prove(Side who, std::span<const std::byte> challenge) const;

  friend bool operator==(const Identity&, const Identity&) = default;
  friend auto operator<=>(const Identity&, const Identity&) = default;

 private:
  Digest key_;
};

/// Tells processes apart, on all hosts together.
using ProcessId = std::array<std::byte, 16>;

/// What a stranger is told, by a store and by a rank.
inline constexpr const char* kOtherIdentity =
    "it does not know the identity of this communicator (its root info, its rank table, or "
    "ACLSIM_JOB_SECRET)";

}  // namespace fabric
