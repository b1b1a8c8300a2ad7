// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/base/settings.h"

#include <arpa/inet.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <regex>
#include <string_view>

#include "runtime/hccl/base/error.h"

namespace hccl {
namespace {

std::optional<std::string_view> variable(const char* name) {
  const char* const value = std::getenv(name);
  if (!value || !*value) return std::nullopt;
  return value;
}

/// Parses a whole number within limits.
std::uint64_t number(const char* name, std::uint64_t otherwise, std::uint64_t least,
                     std::uint64_t most) {
  const auto text = variable(name);
  if (!text) return otherwise;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size() || value < least || value > most) {
    fail(HCCL_E_PARA, "{} is '{}'; expected a number from {} to {}", name, *text, least, most);
  }
  return value;
}

int deterministic_of_environment() {
  const std::string_view text = *variable("HCCL_DETERMINISTIC");
  if (text == "false" || text == "FALSE") return 0;
  if (text == "true" || text == "TRUE") return 1;
  if (text == "strict" || text == "STRICT") return 2;
  fail(HCCL_E_PARA, "HCCL_DETERMINISTIC is '{}'; expected false, true or strict", text);
}

/// "level0:ring;level1:H-D_R", or several of these for operations:
/// "allreduce=level0:NA;level1:ring/alltoall=level0:NA". Only the form is checked; the value does
/// not influence which algorithm is chosen.
void require_algorithm(std::string_view text) {
  static const std::regex form(
      "([A-Za-z]+=)?level[0-9]:[A-Za-z0-9_-]+([;/]([A-Za-z]+=)?level[0-9]:[A-Za-z0-9_-]+)*;?");
  if (std::regex_match(text.begin(), text.end(), form)) return;
  fail(HCCL_E_PARA,
       "HCCL_ALGO is '{}'; expected level0:NAME;level1:NAME, perhaps with OPERATION= in front",
       text);
}

std::string numeric_address(std::string_view text) {
  unsigned char bytes[sizeof(in6_addr)];
  const std::string address(text);
  if (inet_pton(AF_INET, address.c_str(), bytes) == 1 ||
      inet_pton(AF_INET6, address.c_str(), bytes) == 1) {
    return address;
  }
  fail(HCCL_E_PARA, "HCCL_IF_IP is '{}'; expected a numeric address", address);
}

}  // namespace

Settings Settings::from_environment() {
  Settings settings;
  if (const auto algorithm = variable("HCCL_ALGO")) require_algorithm(*algorithm);
  constexpr std::uint64_t kSlackSeconds = 20;
  const std::uint64_t connect = number("HCCL_CONNECT_TIMEOUT", 120, 120, 7200) + kSlackSeconds;
  // For tests: the shortest limit that HCCL allows is too long for them.
  settings.connect_timeout = std::chrono::milliseconds(
      number("ACLSIM_HCCL_CONNECT_TIMEOUT_MS", connect * 1000, 1, 7'220'000));
  settings.exec_timeout = std::chrono::seconds(number("HCCL_EXEC_TIMEOUT", 1836, 0, 2147483647));
  settings.buffer_mb =
      static_cast<std::uint32_t>(number("HCCL_BUFFSIZE", HCCL_COMM_DEFAULT_BUFFSIZE, 1, 1 << 20));
  if (variable("HCCL_DETERMINISTIC")) {
    settings.deterministic = deterministic_of_environment();
    settings.deterministic_is_set = true;
  }
  if (const auto address = variable("HCCL_IF_IP")) {
    settings.interface_address = numeric_address(*address);
  }
  settings.base_port = static_cast<std::uint16_t>(number("HCCL_IF_BASE_PORT", 60000, 1024, 65520));
  if (const auto secret = variable("ACLSIM_JOB_SECRET")) settings.job_secret = *secret;
  return settings;
}

}  // namespace hccl
