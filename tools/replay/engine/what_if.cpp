// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/engine/what_if.h"

namespace replay {

bool meant(std::string_view pattern, std::string_view name) {
  std::size_t star = std::string_view::npos;  // the last one, and how far it reaches
  std::size_t reach = 0;
  std::size_t p = 0;
  for (std::size_t n = 0; n < name.size();) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      reach = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++reach;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace replay
