// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shmem {

/// The address at which PE 0 listens.
struct Address {
  std::string host;  // a name or a numeric address
  std::uint16_t port = 0;
};

/// "tcp://host:port", "tcp://[v6]:port", "tcp6://[v6]:port", with a port from 1025 to 65535. Raises
/// ACLSHMEM_INVALID_PARAM.
Address parse_address(std::string_view text);
/// "host:port" or "[v6]:port", without the scheme. `what`: the name used in the message.
Address parse_place(std::string_view text, std::string_view whole, const char* what);

}  // namespace shmem
