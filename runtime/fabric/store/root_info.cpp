// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/root_info.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "runtime/fabric/base/error.h"

namespace fabric {
namespace {

constexpr std::uint32_t kMagic = 0x52525341;  // "ASRR"
// increased when messages of the store or between hosts change
constexpr std::uint16_t kVersion = 5;
constexpr std::size_t kChecksum = 4;

Bytes address_bytes(const std::string& text) {
  Bytes bytes(sizeof(in6_addr));
  if (inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1) return bytes;
  bytes.resize(sizeof(in_addr));
  if (inet_pton(AF_INET, text.c_str(), bytes.data()) == 1) return bytes;
  throw FabricError(Status::invalid, "'" + text + "' is no numeric address");
}

std::string address_text(std::span<const std::byte> bytes) {
  char text[INET6_ADDRSTRLEN] = {};
  inet_ntop(bytes.size() == sizeof(in_addr) ? AF_INET : AF_INET6, bytes.data(), text, sizeof text);
  return text;
}

std::span<const std::byte> checksum(const Digest& digest) {
  return std::span(digest).first(kChecksum);
}

/// Interfaces with a higher number are tried later.
int lateness(const ifaddrs& interface) {
  const std::string_view name = interface.ifa_name;
  if ((interface.ifa_flags & IFF_LOOPBACK) != 0) return 2;
  for (const std::string_view bridge : {"docker", "veth", "br-", "virbr"}) {
    if (name.substr(0, bridge.size()) == bridge) return 1;
  }
  return 0;
}

}  // namespace

Bytes RootInfo::pack() const {
  Writer writer;
  writer.number(kMagic).number(kVersion).raw(nonce).number(port);
  const std::size_t count = std::min(addresses.size(), kMostAddresses);
  writer.number(static_cast<std::uint8_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    const Bytes address = address_bytes(addresses[i]);
    writer.number(static_cast<std::uint8_t>(address.size())).raw(address);
  }
  Bytes packed = writer.take();
  const Digest digest = sha256(packed);
  const auto check = checksum(digest);
  packed.insert(packed.end(), check.begin(), check.end());
  return packed;
}

RootInfo RootInfo::unpack(std::span<const std::byte> bytes) try {
  Reader reader(bytes.first(std::min(bytes.size(), kMostBytes)));
  if (reader.number<std::uint32_t>() != kMagic) {
    throw FabricError(Status::invalid, "this is no root info");
  }
  const auto version = reader.number<std::uint16_t>();
  if (version != kVersion) {
    throw FabricError(Status::refused, "the root info has version " + std::to_string(version) +
                                           ", this library reads version " +
                                           std::to_string(kVersion));
  }
  RootInfo info;
  reader.fill(info.nonce);
  info.port = reader.number<std::uint16_t>();
  for (auto count = reader.number<std::uint8_t>(); count > 0; --count) {
    const auto size = reader.number<std::uint8_t>();
    if (size != sizeof(in_addr) && size != sizeof(in6_addr)) {
      throw FabricError(Status::invalid, "the root info is damaged");
    }
    info.addresses.push_back(address_text(reader.raw(size)));
  }
  std::array<std::byte, kChecksum> found{};
  reader.fill(found);
  const Bytes again = info.pack();
  if (!std::equal(found.begin(), found.end(), again.end() - kChecksum)) {
    throw FabricError(Status::invalid, "the root info is damaged");
  }
  return info;
} catch (const FabricError& error) {
  if (error.status() != Status::broken) throw;
  throw FabricError(Status::invalid, "the root info is cut off");
}

std::vector<std::string> host_addresses() {
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return {"127.0.0.1"};
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> all(first, freeifaddrs);
  std::vector<std::pair<int, std::string>> found;
  for (const ifaddrs* it = first; it; it = it->ifa_next) {
    if (!it->ifa_addr || (it->ifa_flags & IFF_UP) == 0) continue;
    if (it->ifa_addr->sa_family == AF_INET) {
      const auto& address = reinterpret_cast<const sockaddr_in*>(it->ifa_addr)->sin_addr;
      found.emplace_back(lateness(*it), address_text(std::as_bytes(std::span(&address, 1))));
    } else if (it->ifa_addr->sa_family == AF_INET6) {
      const auto& address = reinterpret_cast<const sockaddr_in6*>(it->ifa_addr)->sin6_addr;
      // a link-local address is useless without an interface
      if (IN6_IS_ADDR_LINKLOCAL(&address)) continue;
      found.emplace_back(lateness(*it), address_text(std::as_bytes(std::span(&address, 1))));
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> addresses;
  for (auto& [late, address] : found) addresses.push_back(std::move(address));
  if (addresses.empty()) addresses.emplace_back("127.0.0.1");
  return addresses;
}

}  // namespace fabric
