// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/address.h"

#include <charconv>
#include <optional>

#include "runtime/shmem/base/error.h"

namespace shmem {
namespace {

[[noreturn]] void refuse(const char* what, std::string_view text) {
  fail(ACLSHMEM_INVALID_PARAM,
       "{} is '{}'; expected tcp://host:port or tcp6://[address]:port with a port from 1025 to "
       "65535",
       what, text);
}

std::optional<std::uint16_t> port_of(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < 1025 || value > 65535) return std::nullopt;
  return static_cast<std::uint16_t>(value);
}

}  // namespace

Address parse_place(std::string_view text, std::string_view whole, const char* what) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) refuse(what, whole);
  std::string_view host = text.substr(0, colon);
  if (!host.empty() && host.front() == '[') {
    if (host.size() < 3 || host.back() != ']') refuse(what, whole);
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    refuse(what, whole);
  }
  const auto port = port_of(text.substr(colon + 1));
  if (host.empty() || !port) refuse(what, whole);
  return {std::string(host), *port};
}

Address parse_address(std::string_view text) {
  for (const std::string_view scheme : {"tcp://", "tcp6://"}) {
    if (text.substr(0, scheme.size()) == scheme) {
      return parse_place(text.substr(scheme.size()), text, "ip_port");
    }
  }
  refuse("ip_port", text);
}

}  // namespace shmem
