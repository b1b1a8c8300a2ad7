// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/socket_owner.h"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

namespace fabric {
namespace {

constexpr unsigned kEstablished = 1;

template <class Number>
std::optional<Number> number_of(std::string_view text, int base) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

void map_ipv4(SocketPlace& place) { place.address[10] = place.address[11] = 0xff; }

/// "0100007F:1F90": words of four bytes in the byte order of the host, and the port as a number.
std::optional<SocketPlace> place_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon != 8 && colon != 32) return {};
  SocketPlace place;
  std::size_t at = place.address.size() - colon / 2;
  if (colon == 8) map_ipv4(place);
  for (std::size_t i = 0; i < colon; i += 8, at += 4) {
    const auto word = number_of<std::uint32_t>(text.substr(i, 8), 16);
    if (!word) return {};
    std::memcpy(place.address.data() + at, &*word, sizeof *word);
  }
  const auto port = number_of<std::uint16_t>(text.substr(colon + 1), 16);
  if (!port) return {};
  place.port = *port;
  return place;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(' ', at)) != line.npos;) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::optional<SocketPlace> place_of(const sockaddr& address) {
  SocketPlace place;
  if (address.sa_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    map_ipv4(place);
    std::memcpy(place.address.data() + 12, &v4.sin_addr, 4);
    place.port = ntohs(v4.sin_port);
  } else if (address.sa_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    std::memcpy(place.address.data(), &v6.sin6_addr, 16);
    place.port = ntohs(v6.sin6_port);
  } else {
    return {};
  }
  return place;
}

bool is_loopback(const SocketPlace& place) {
  SocketPlace v4, v6;
  map_ipv4(v4);
  v6.address[15] = 1;
  return place.address == v6.address ||
         (std::equal(v4.address.begin(), v4.address.begin() + 12, place.address.begin()) &&
          place.address[12] == 127);
}

bool is_of_this_host(const SocketPlace& place) {
  if (is_loopback(place)) return true;
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return true;
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> all(first, freeifaddrs);
  for (const ifaddrs* it = first; it; it = it->ifa_next) {
    const auto own = it->ifa_addr ? place_of(*it->ifa_addr) : std::nullopt;
    if (own && own->address == place.address) return true;
  }
  return false;
}

std::string contents_of(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

// A socket that its process has closed, or that waits to be accepted, has the inode 0, and its row
// names the user root.
std::optional<uid_t> owner_in(std::string_view table, const SocketPlace& local,
                              const SocketPlace& remote) {
  while (!table.empty()) {
    const std::size_t end = std::min(table.find('\n'), table.size());
    const std::vector<std::string_view> words = words_of(table.substr(0, end));
    table.remove_prefix(std::min(end + 1, table.size()));
    if (words.size() < 10 || place_of(words[1]) != local || place_of(words[2]) != remote) continue;
    if (number_of<unsigned>(words[3], 16) != kEstablished) continue;
    const auto inode = number_of<std::uint64_t>(words[9], 10);
    if (inode && *inode != 0) return number_of<uid_t>(words[7], 10);
  }
  return {};
}

std::string stranger_at(int socket) {
  sockaddr_storage mine{}, theirs{};
  socklen_t mine_size = sizeof mine, theirs_size = sizeof theirs;
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&mine), &mine_size) != 0 ||
      getpeername(socket, reinterpret_cast<sockaddr*>(&theirs), &theirs_size) != 0) {
    return "the connection has ended";
  }
  const auto here = place_of(reinterpret_cast<const sockaddr&>(mine));
  const auto there = place_of(reinterpret_cast<const sockaddr&>(theirs));
  if (!here || !there) return "it is no TCP connection";
  if (!is_of_this_host(*there)) return {};
  for (const char* const path : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    const auto owner = owner_in(contents_of(path), *there, *here);
    if (!owner) continue;
    if (*owner == 0 || *owner == geteuid() || *owner == getuid()) return {};
    return "it is a process of the user " + std::to_string(*owner) + ", this one of the user " +
           std::to_string(geteuid()) + " (with ACLSIM_JOB_SECRET, other users may take part)";
  }
  return "/proc/net/tcp does not show its user (with ACLSIM_JOB_SECRET, that is not needed)";
}

}  // namespace fabric
