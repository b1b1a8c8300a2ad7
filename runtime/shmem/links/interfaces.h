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

/// Those of interfaces that are up, without link-local ones.
std::vector<InterfaceAddress> interface_addresses();

/// The addresses that `wanted` names: the beginning of interfaces' names, with ":inet4" or ":inet6"
/// behind it for one family. Raises ACLSHMEM_BOOTSTRAP_ERROR where there is none, and
/// ACLSHMEM_INVALID_PARAM for another family.
std::vector<std::string> choose_addresses(const std::vector<InterfaceAddress>& all,
                                          const std::string& wanted);

}  // namespace shmem
