// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace acl::trace_output {

/// How many bytes the well-formed UTF-8 character at `at` has; 0 when it is none.
std::size_t character_size(std::string_view text, std::size_t at);

/// Appends `text` as the inside of a JSON string. Bytes that are not UTF-8 become U+FFFD.
void append_json_text(std::string& out, std::string_view text);

/// The text as a JSON string, with its quotes.
std::string json_string(std::string_view text);

}  // namespace acl::trace_output
