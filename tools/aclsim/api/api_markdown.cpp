// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "tools/aclsim/api/api_rows.h"

namespace aclsim {
namespace {

struct Counts {
  int emulated = 0;
  int in_line = 0;
  int refused = 0;

  void add(const std::string& state) {
    ++(state == "emulated" ? emulated : state == "inline" ? in_line : refused);
  }
};

template <class... Args>
void print(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

void add_summary(std::string& out, const std::vector<ApiRow>& rows) {
  std::map<std::pair<std::string, std::string>, Counts> groups;
  Counts all;
  for (const ApiRow& row : rows) {
    groups[{row.header, row.tier}].add(row.state);
    all.add(row.state);
  }
  out += "| Header | Tier | Emulated | Inline | Refused |\n|---|---|---:|---:|---:|\n";
  for (const auto& [group, counts] : groups) {
    print(out, "| `{}` | {} | {} | {} | {} |\n", group.first, group.second, counts.emulated,
          counts.in_line, counts.refused);
  }
  print(out, "| all | | {} | {} | {} |\n", all.emulated, all.in_line, all.refused);
}

/// Adds the names of one state, grouped by section, as a collapsible list.
void add_names(std::string& out, const std::vector<ApiRow>& rows, const std::string& state,
               const char* title) {
  std::map<std::pair<std::string, std::string>, std::string> sections;
  int count = 0;
  for (const ApiRow& row : rows) {
    if (row.state != state) continue;
    std::string& names = sections[{row.header, row.section}];
    ++count;
    const std::string name = fmt::format("`{}`", row.name);
    if (names.ends_with(name)) continue;  // an overload
    print(names, "{}{}", names.empty() ? "" : ", ", name);
  }
  if (count == 0) return;
  print(out, "\n<details>\n<summary>{} ({})</summary>\n\n", title, count);
  for (const auto& [section, names] : sections) {
    print(out, "- **{}, {}**: {}\n", section.first, section.second, names);
  }
  out += "\n</details>\n";
}

}  // namespace

std::string api_markdown(const std::vector<ApiRow>& rows) {
  static constexpr struct {
    const char* name;
    const char* title;
    const char* refusal;
  } kInterfaces[] = {
      {"acl", "ACL", "ACL_ERROR_RT_FEATURE_NOT_SUPPORT"},
      {"hccl", "HCCL and HCOMM", "HCCL_E_NOT_SUPPORT"},
      {"shmem", "SHMEM", "ACLSHMEM_NOT_SUPPORTED"},
      {"cuda", "CUDA", "CUDA_ERROR_NOT_SUPPORTED"},
      {"aclnn", "Operators", "561003 in their first phase"},
  };
  std::string out;
  for (const auto& interface : kInterfaces) {
    std::vector<ApiRow> own;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(own), [&](const ApiRow& row) {
      return std::string_view(row.interface) == interface.name;
    });
    if (own.empty()) continue;
    for (ApiRow& row : own) {  // each operator has a header of its own
      if (std::string_view(row.header).starts_with("aclnnop/")) row.header = "aclnnop/aclnn_*.h";
    }
    print(out, "{}## {}\n\n", out.empty() ? "" : "\n", interface.title);
    add_summary(out, own);
    add_names(out, own, "emulated", "Emulated functions");
    add_names(out, own, "inline", "Functions of the headers themselves");
    const std::string refused = fmt::format(
        "Refused functions: they return {} and name the missing feature", interface.refusal);
    add_names(out, own, "unsupported", refused.c_str());
  }
  return out;
}

}  // namespace aclsim
