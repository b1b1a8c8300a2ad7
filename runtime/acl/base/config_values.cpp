// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/base/config_values.h"

#include <algorithm>

#include "runtime/acl/base/config.h"

namespace acl::settings {

void refuse(const std::string& where, const std::string& value, const std::string& expected) {
  throw ConfigError(fmt::format("{}: '{}' is not valid; expected {}", where, value, expected));
}

std::size_t bytes(const std::string& value, const std::string& where) {
  static constexpr const char* kExpected =
      "a size such as 1073741824, \"512MiB\" or \"32GiB\" (at least 1MiB, at most 1TiB)";
  std::size_t count = 0;
  const char* const end = value.data() + value.size();
  const auto [at, error] = std::from_chars(value.data(), end, count);
  if (error != std::errc()) refuse(where, value, kExpected);
  const std::string unit(at, end);
  int shift = -1;
  if (unit.empty() || unit == "B") shift = 0;
  if (unit == "KiB") shift = 10;
  if (unit == "MiB") shift = 20;
  if (unit == "GiB") shift = 30;
  if (unit == "TiB") shift = 40;
  constexpr std::size_t kMost = std::size_t{1} << 40;
  if (shift < 0 || count > (kMost >> shift) || (count << shift) < (std::size_t{1} << 20)) {
    refuse(where, value, kExpected);
  }
  return count << shift;
}

bool flag(const std::string& value, const std::string& where) {
  if (value == "1" || value == "true" || value == "on") return true;
  if (value == "0" || value == "false" || value == "off" || value.empty()) return false;
  refuse(where, value, "1, true, on, 0, false or off");
}

std::vector<std::string> findings_files(const std::string& value, const std::string& where) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find(',', at), value.size());
    const std::string name = value.substr(at, end - at);
    const auto ends = [&](const char* with) { return name.ends_with(with); };
    if (!name.empty() && !ends(".json") && !ends(".sarif") && !ends(".xml") && !ends(".txt")) {
      refuse(where, name, "a file that ends in .json, .sarif, .xml (JUnit) or .txt");
    }
    if (!name.empty()) names.push_back(name);
    at = end + 1;
  }
  return names;
}

}  // namespace acl::settings
