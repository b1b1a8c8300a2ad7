// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/interfaces.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <memory>

#include "runtime/shmem/base/error.h"

namespace shmem {

std::vector<InterfaceAddress> interface_addresses() {
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> held(first, freeifaddrs);
  std::vector<InterfaceAddress> all;
  for (const ifaddrs* at = first; at; at = at->ifa_next) {
    if (!at->ifa_addr || (at->ifa_flags & IFF_UP) == 0) continue;
    char text[INET6_ADDRSTRLEN] = {};
    if (at->ifa_addr->sa_family == AF_INET) {
      const auto* const v4 = reinterpret_cast<const sockaddr_in*>(at->ifa_addr);
      inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
      all.push_back({at->ifa_name, text, false});
    } else if (at->ifa_addr->sa_family == AF_INET6) {
      const auto* const v6 = reinterpret_cast<const sockaddr_in6*>(at->ifa_addr);
      if (IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr)) continue;
      inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text);
      all.push_back({at->ifa_name, text, true});
    }
  }
  return all;
}

std::vector<std::string> choose_addresses(const std::vector<InterfaceAddress>& all,
                                          const std::string& wanted) {
  const std::size_t colon = wanted.find(':');
  const std::string name = wanted.substr(0, colon);
  const std::string family = colon == std::string::npos ? "" : wanted.substr(colon + 1);
  if (colon != std::string::npos && family != "inet4" && family != "inet6") {
    fail(ACLSHMEM_INVALID_PARAM,
         "SHMEM_UID_SOCK_IFNAME is '{}'; expected an interface, or one with :inet4 or :inet6",
         wanted);
  }
  std::vector<std::string> chosen;
  std::string there;
  for (const InterfaceAddress& one : all) {
    there += fmt::format("{}{}", there.empty() ? "" : ", ", one.interface);
    const bool right_family = family.empty() || (family == "inet6") == one.v6;
    if (one.interface.starts_with(name) && right_family) chosen.push_back(one.address);
  }
  if (chosen.empty()) {
    fail(ACLSHMEM_BOOTSTRAP_ERROR, "SHMEM_UID_SOCK_IFNAME is '{}'; there are addresses of {}",
         wanted, there.empty() ? "no interface" : there);
  }
  return chosen;
}

}  // namespace shmem
