// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "runtime/fabric/base/sha256.h"

namespace fabric {

/// Fills the bytes with random numbers of the system.
void fill_random(std::span<std::byte> bytes);
/// A random number that is not 0.
std::uint64_t random_number();

/// Identifies a communicator: a nonce (drawn for root info, or the hash of data that all ranks were
/// given, such as a rank table) together with the job's secret, if one is set. The two ends of a
/// connection prove to each other that they know the identity; neither sends it.
class Identity {
 public:
  using Nonce = std::array<std::byte, 32>;

  /// The processes of one host that may take part: all processes that know the identity, or only
  /// processes of the same user, or root. Other processes might guess a nonce that is made of known
  /// data.
  enum class Users : unsigned char { any, same };

  static Nonce draw_nonce();
  /// `secret`: the value of ACLSIM_JOB_SECRET; empty if it is not set.
  Identity(const Nonce& nonce, std::string_view secret, Users users = Users::any);
  /// The hash of data that all ranks were given, for example a rank table.
  static Nonce nonce_of(std::span<const std::byte> common);

  /// The side that answers a challenge. It is part of the proof.
  enum class Side : unsigned char { store, rank };
  Digest prove(Side who, std::span<const std::byte> challenge) const;
  Users users() const noexcept { return users_; }

  friend bool operator==(const Identity&, const Identity&) = default;
  friend auto operator<=>(const Identity&, const Identity&) = default;

 private:
  Digest key_;
  Users users_;
};

/// Identifies a process among the processes of all hosts.
using ProcessId = std::array<std::byte, 16>;

/// The text that a store or a rank reports to a connection with another identity.
inline constexpr const char* kOtherIdentity =
    "it does not know the identity of this communicator (its root info, its rank table, or "
    "ACLSIM_JOB_SECRET)";

}  // namespace fabric
