// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/trace/json_text.h"

namespace acl {

/// Appends formatted text to a line of a recording.
template <class... Args>
void print(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

/// Appends the member `key` with a text that is escaped for JSON.
inline void append_text(std::string& out, const char* key, std::string_view text) {
  print(out, R"(,"{}":")", key);
  trace_output::append_json_text(out, text);
  out += '"';
}

}  // namespace acl
