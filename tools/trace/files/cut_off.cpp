// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/files/cut_off.h"

#include <cstddef>
#include <cstdint>

namespace trace {

bool cut_off(std::string_view text) {
  std::int64_t open = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      i += c == '\\';
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++open;
    } else if (c == '}' || c == ']') {
      if (--open < 0) return false;
    }
  }
  return quoted || open > 0;
}

}  // namespace trace
