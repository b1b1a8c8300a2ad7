// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace replay {

/// As a JSON string, quotes included; also safe inside a script of a page.
std::string json_text(std::string_view text);

}  // namespace replay
