// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shmem {

/// An address of an interface of this host.
struct InterfaceAddress {
  std::string interface;
  std::string address;
  bool v6 = false;
};

/// The addresses of active interfaces, without link-local ones.
std::vector<InterfaceAddress> interface_addresses();

/// Selects addresses by `wanted`: prefixes of interface names, optionally followed by ":inet4" or
/// ":inet6". Raises ACLSHMEM_BOOTSTRAP_ERROR if none matches, ACLSHMEM_INVALID_PARAM for another
/// family.
std::vector<std::string> choose_addresses(const std::vector<InterfaceAddress>& all,
                                          const std::string& wanted);

}  // namespace shmem
