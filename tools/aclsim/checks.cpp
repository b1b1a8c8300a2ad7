// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/checks.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace aclsim {

Check whole_number(std::uint64_t low, std::uint64_t high) {
  return [=](const std::string& value) -> std::string {
    std::uint64_t number = 0;
    const char* const end = value.data() + value.size();
    const auto [at, error] = std::from_chars(value.data(), end, number);
    if (error == std::errc() && at == end && number >= low && number <= high) return {};
    return fmt::format("'{}' is not valid; expected a whole number from {} to {}", value, low,
                       high);
  };
}

Check one_of(std::vector<std::string> allowed) {
  return [allowed = std::move(allowed)](const std::string& value) -> std::string {
    if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return {};
    return fmt::format("'{}' is not valid; expected one of: {}", value, fmt::join(allowed, ", "));
  };
}

Check readable_file() {
  return [](const std::string& value) -> std::string {
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(value, ignored);
    if (!folder && ::access(value.c_str(), R_OK) == 0) return {};
    return fmt::format("'{}' cannot be read ({}); expected the path of a file", value,
                       std::strerror(folder ? EISDIR : errno));
  };
}

}  // namespace aclsim
