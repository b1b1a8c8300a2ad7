// SPDX-License-Identifier: Apache-2.0
#include "tools/launch/hosts.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <set>
#include <stdexcept>

namespace launch {
namespace {

constexpr std::string_view kBlank = " \t\r";

std::vector<std::string_view> words_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(kBlank, at)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlank, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

int slots_of(std::string_view text, int line) {
  int slots = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), slots);
  if (error == std::errc() && end == text.data() + text.size() && slots > 0) return slots;
  throw std::runtime_error(
      fmt::format("line {}: '{}' slots; expected a number from 1", line, text));
}

/// Reads `NAME:N`, but not an IPv6 address.
bool has_slots(std::string_view name) { return std::count(name.begin(), name.end(), ':') == 1; }

Host host_of(const std::vector<std::string_view>& words, int line) {
  constexpr std::string_view kSlots = "slots=";
  Host host{std::string(words[0]), 0};
  if (has_slots(words[0])) {
    const std::size_t colon = words[0].find(':');
    host = {std::string(words[0].substr(0, colon)), slots_of(words[0].substr(colon + 1), line)};
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with(kSlots)) {
      throw std::runtime_error(fmt::format("line {}: '{}'; expected slots=N", line, words[i]));
    }
    host.slots = slots_of(words[i].substr(kSlots.size()), line);
  }
  if (host.name.empty()) throw std::runtime_error(fmt::format("line {}: no name", line));
  return host;
}

std::string numeric(const sockaddr* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* bytes = nullptr;
  if (address->sa_family == AF_INET) {
    bytes = &reinterpret_cast<const sockaddr_in*>(address)->sin_addr;
  } else if (address->sa_family == AF_INET6) {
    bytes = &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
  }
  if (!bytes || !inet_ntop(address->sa_family, bytes, text.data(), text.size())) return {};
  return text.data();
}

std::vector<std::string> addresses_of(const std::string& name) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(name.c_str(), nullptr, &hints, &found) != 0) return {};
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> all(found, freeaddrinfo);
  std::vector<std::string> addresses;
  for (const addrinfo* one = found; one; one = one->ai_next) {
    addresses.push_back(numeric(one->ai_addr));
  }
  return addresses;
}

std::set<std::string> addresses_here() {
  ifaddrs* found = nullptr;
  if (getifaddrs(&found) != 0) return {};
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> all(found, freeifaddrs);
  std::set<std::string> addresses;
  for (const ifaddrs* one = found; one; one = one->ifa_next) {
    if (one->ifa_addr) addresses.insert(numeric(one->ifa_addr));
  }
  return addresses;
}

std::string name_here() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

}  // namespace

std::vector<Host> parse_hosts(std::string_view text) {
  std::vector<Host> hosts;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto words = words_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty()) continue;
    Host host = host_of(words, line);
    const bool twice = std::any_of(hosts.begin(), hosts.end(),
                                   [&](const Host& one) { return one.name == host.name; });
    if (twice) {
      throw std::runtime_error(fmt::format("line {}: '{}' is there twice", line, host.name));
    }
    hosts.push_back(std::move(host));
  }
  if (hosts.empty()) throw std::runtime_error("no host; expected one a line");
  return hosts;
}

int find_this_host(const std::vector<Host>& hosts) {
  const std::string name = name_here();
  const std::string label = name.substr(0, name.find('.'));
  const std::set<std::string> here = addresses_here();
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const std::string& host = hosts[i].name;
    if (host == name || host == label) return static_cast<int>(i);
    const auto addresses = addresses_of(host);
    if (std::any_of(addresses.begin(), addresses.end(),
                    [&](const std::string& one) { return here.count(one) != 0; })) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

std::string address_of(const std::string& name) {
  const auto addresses = addresses_of(name);
  if (addresses.empty()) {
    throw std::runtime_error(fmt::format("host '{}' has no address", name));
  }
  const auto outside = std::find_if_not(addresses.begin(), addresses.end(), is_loopback);
  if (outside != addresses.end()) return *outside;
  throw std::runtime_error(
      fmt::format("host '{}' is {} here, which other hosts cannot reach; expected its address "
                  "instead of its name",
                  name, addresses[0]));
}

}  // namespace launch
