// SPDX-License-Identifier: Apache-2.0
// Values of settings as they are written in the configuration file and in the environment.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "device_sim/base/nearest_word.h"

namespace acl::settings {

/// Throws ConfigError: "WHERE: 'VALUE' is not valid; expected EXPECTED". `where` is the variable,
/// or file, line and key.
[[noreturn]] void refuse(const std::string& where, const std::string& value,
                         const std::string& expected);

template <class T>
T number(const std::string& value, const std::string& where, T low, T high, const char* unit = "") {
  T parsed{};
  const char* const end = value.data() + value.size();
  const auto [at, error] = std::from_chars(value.data(), end, parsed);
  if (error != std::errc() || at != end || parsed < low || parsed > high) {
    refuse(where, value, fmt::format("a number from {} to {}{}", low, high, unit));
  }
  return parsed;
}

/// "512MiB": a size from 1 MiB to 1 TiB.
std::size_t bytes(const std::string& value, const std::string& where);

bool flag(const std::string& value, const std::string& where);

/// Names of files with commas between; the ending says what is written.
std::vector<std::string> findings_files(const std::string& value, const std::string& where);

template <class T>
T choice(const std::string& value, const std::string& where,
         const std::vector<std::pair<const char*, T>>& choices) {
  std::vector<std::string> names;
  for (const auto& [name, result] : choices) {
    if (value == name) return result;
    names.emplace_back(name);
  }
  refuse(where, value,
         fmt::format("{}{}", fmt::join(names, " or "), sim::did_you_mean(value, names)));
}

}  // namespace acl::settings
