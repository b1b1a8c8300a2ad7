// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fabric {

/// One end of a TCP connection; an IPv4 address in its mapped form.
struct SocketPlace {
  std::array<unsigned char, 16> address{};
  std::uint16_t port = 0;
  friend bool operator==(const SocketPlace&, const SocketPlace&) = default;
};

/// The user that owns the established socket from `local` to `remote`, by a table in the form of
/// /proc/net/tcp or /proc/net/tcp6; nothing if the table has no such socket, or no process holds
/// it.
std::optional<uid_t> owner_in(std::string_view table, const SocketPlace& local,
                              const SocketPlace& remote);

/// Why the process at the other end of a connection may not take part in a job of one user: it is a
/// process of this host and of another user, not root, or its user is not known. Empty: it may.
std::string stranger_at(int socket);

}  // namespace fabric
