// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/results/json_text.h"

#include <nlohmann/json.hpp>

namespace replay {

std::string json_text(std::string_view text) {
  std::string quoted = nlohmann::json(std::string(text))
                           .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  for (std::size_t at = 0; (at = quoted.find("</", at)) != std::string::npos; at += 3) {
    quoted.replace(at, 2, "<\\/");
  }
  return quoted;
}

}  // namespace replay
