// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/rtc/source_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace acl::rtc {
namespace {

constexpr std::string_view kEnding = ".asc";
constexpr std::size_t kLongestName = 100;

}  // namespace

std::string variable_of_name(std::size_t index) { return fmt::format("aclsim_rtc_name_{}", index); }

std::string with_names(const std::string& source, const std::vector<std::string>& expressions) {
  std::string text = source;
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    // The messages of the compiler show the expression as a file.
    text += fmt::format("\n#line 1 \"name expression {}\"\nauto* {} = {};", i, variable_of_name(i),
                        expressions[i]);
  }
  return text + "\n";
}

std::string file_name_of(const std::string& program) {
  std::string name = program.empty() ? "default_program" : program;
  name = name.substr(name.rfind('/') + 1);
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '_' && c != '-' && c != '.'; },
      '_');
  name = name.substr(0, kLongestName);
  if (name.empty() || name[0] == '.') name.insert(0, "_");
  return name.ends_with(kEnding) ? name : name.append(kEnding);
}

bool is_header_name(const std::string& name) {
  if (name.empty() || name[0] == '/' || name.back() == '/') return false;
  return ("/" + name + "/").find("/../") == std::string::npos;
}

bool is_option(const std::string& option) {
  constexpr std::array<std::string_view, 8> kOfTheRuntime = {"-o", "-c", "-S",       "-E",
                                                             "-x", "-",  "--output", "-shared"};
  if (option.empty()) return false;
  return std::find(kOfTheRuntime.begin(), kOfTheRuntime.end(), option) == kOfTheRuntime.end();
}

std::string without_folder(std::string messages, const std::string& folder) {
  const std::string prefix = folder + "/";
  for (std::size_t at = messages.find(prefix); at != std::string::npos;
       at = messages.find(prefix, at)) {
    messages.erase(at, prefix.size());
  }
  return messages;
}

}  // namespace acl::rtc
