// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace acl::trace {

/// Appends `text` as the inside of a JSON string. Bytes that are not UTF-8 become U+FFFD.
void append_json_text(std::string& out, std::string_view text);

}  // namespace acl::trace
