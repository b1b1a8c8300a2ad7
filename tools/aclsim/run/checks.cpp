// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/run/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "acl/acl_sim.h"
#include "device_sim/base/files.h"
#include "device_sim/base/nearest_word.h"
#include "device_sim/base/strategy_spec.h"
#include "runtime/order/report/suppressions.h"

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

Check number(double low, double high) {
  return [=](const std::string& value) -> std::string {
    double number = 0;
    const char* const end = value.data() + value.size();
    const auto [at, error] = std::from_chars(value.data(), end, number);
    if (error == std::errc() && at == end && number >= low && number <= high) return {};
    return fmt::format("'{}' is not valid; expected a number from {:.0f} to {:.0f}", value, low,
                       high);
  };
}

Check one_of(std::vector<std::string> allowed) {
  return [allowed = std::move(allowed)](const std::string& value) -> std::string {
    if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return {};
    return fmt::format("'{}' is not valid; expected one of: {}{}", value, fmt::join(allowed, ", "),
                       sim::did_you_mean(value, allowed));
  };
}

Check memory_size() {
  return [](const std::string& value) -> std::string {
    static constexpr std::string_view kUnits[] = {"", "B", "KiB", "MiB", "GiB", "TiB"};
    const std::size_t digits = std::min(value.find_first_not_of("0123456789"), value.size());
    const bool unit =
        std::find(std::begin(kUnits), std::end(kUnits), value.substr(digits)) != std::end(kUnits);
    if (digits != 0 && unit) return {};
    return fmt::format("'{}' is not valid; expected a size such as 512MiB or 32GiB", value);
  };
}

Check readable_file(sim::Pipes pipes) {
  return [pipes](const std::string& value) -> std::string {
    try {
      sim::require_input(value, pipes);
      return {};
    } catch (const sim::FileError& error) {
      return fmt::format("'{}' cannot be read ({}); expected the path of a file", value,
                         error.what());
    }
  };
}

Check suppressions_file() {
  return [](const std::string& value) -> std::string {
    if (std::string wrong = readable_file()(value); !wrong.empty()) return wrong;
    try {
      order::Suppressions().add_file(value);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return {};
  };
}

Check findings_file() {
  return [](const std::string& value) -> std::string {
    static constexpr const char* kEndings[] = {".json", ".sarif", ".xml", ".txt"};
    const std::string ending = std::filesystem::path(value).extension().string();
    if (std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings)) {
      return {};
    }
    return fmt::format(
        "'{}' is not valid; expected a file that ends in .json, .sarif, .xml "
        "(JUnit) or .txt",
        value);
  };
}

Check fault() {
  return [](const std::string& value) -> std::string {
    if (value.empty()) return "'' is not valid; expected KIND or KIND,KEY=VALUE,...";
    if (aclsimCheckFaults(value.c_str()) == ACL_SUCCESS) return {};
    std::string text = aclGetRecentErrMsg();
    // Returns the middle part of "function: text [code]".
    text = text.substr(text.find(": ") + 2);
    return text.substr(0, text.rfind(" ["));
  };
}

Check strategy() {
  return [](const std::string& value) -> std::string {
    try {
      sim::parse_strategy(value);
    } catch (const std::invalid_argument& error) {
      return fmt::format("'{}' is not valid; expected {}", value, error.what());
    }
    return {};
  };
}

std::string lasting_strategy(const std::string& name) {
  static constexpr std::string_view kFile = "replay:@";
  if (!name.starts_with(kFile)) return name;
  return std::string(kFile) + std::filesystem::absolute(name.substr(kFile.size())).string();
}

}  // namespace aclsim
